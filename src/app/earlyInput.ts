type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/**
 * A page stands before its scripts: what is typed, chosen and tapped meanwhile waits, and the app hears of it, in that order, as
 * soon as it answers; what was tapped looks so. Links wait only where the app is `near`, on a page that this phone drew: elsewhere
 * the server's next page is as near. Answers what lets all go.
 */
export function holdEarlyInput(near: boolean): () => void {
  const what = near ? 'button, a[href^="/"]' : 'button'
  const tapped = new Set<HTMLElement>()
  const filled = new Set<Field>()
  const tap = (event: MouseEvent): void => {
    const one = event.target instanceof Element ? event.target.closest<HTMLElement>(what) : null
    if (
      !one ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return
    event.preventDefault()
    if (tapped.has(one)) return
    tapped.add(one)
    one.setAttribute('data-tapped', '')
  }
  const fill = ({ target }: Event): void => {
    if (
      target instanceof HTMLInputElement ||
      target instanceof HTMLTextAreaElement ||
      target instanceof HTMLSelectElement
    )
      filled.add(target)
  }
  addEventListener('click', tap, { capture: true })
  addEventListener('input', fill, { capture: true })
  return () => {
    removeEventListener('click', tap, { capture: true })
    removeEventListener('input', fill, { capture: true })
    for (const field of filled) if (field.isConnected) tellOf(field)
    for (const one of tapped) {
      one.removeAttribute('data-tapped')
      if (one.isConnected) one.click()
    }
  }
}

/** React takes what stands in a text field for what was drawn there, and hears of a text only when it changes after that. */
function tellOf(field: Field): void {
  if (field instanceof HTMLSelectElement)
    return void field.dispatchEvent(new Event('change', { bubbles: true }))
  const { value } = field
  write(field, field.defaultValue)
  field.dispatchEvent(new Event('input', { bubbles: true }))
  write(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** As a finger would: past the setter by which React notes what its own code writes. */
function write(field: HTMLInputElement | HTMLTextAreaElement, value: string): void {
  Reflect.set(Object.getPrototypeOf(field), 'value', value, field)
}
