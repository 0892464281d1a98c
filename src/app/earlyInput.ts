/**
 * Holds input and taps from before hydration; the returned function replays them. `near`: cached
 * HTML, so links are held too.
 */
export function holdEarlyInput(near: boolean): () => void {
  const what = near ? 'button, a[href^="/"]' : 'button'
  const tapped = new Set<HTMLElement>()
  const filled = new Set<HTMLElement>()
  const tap = (event: MouseEvent) => {
    const one = event.target instanceof Element ? event.target.closest<HTMLElement>(what) : null
    if (!one || !isPlain(event)) return
    event.preventDefault()
    if (tapped.has(one)) return
    tapped.add(one)
    one.setAttribute('data-tapped', '')
  }
  const fill = ({ target }: Event) => {
    if (target instanceof HTMLElement) filled.add(target)
  }
  addEventListener('click', tap, { capture: true })
  addEventListener('input', fill, { capture: true })
  return () => {
    removeEventListener('click', tap, { capture: true })
    removeEventListener('input', fill, { capture: true })
    for (const field of filled) if (field.isConnected) replay(field)
    for (const one of tapped) {
      one.removeAttribute('data-tapped')
      if (one.isConnected) one.click()
    }
  }
}

/** React takes the current text for the rendered one, so it is reset first. */
function replay(field: HTMLElement) {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement))
    return void field.dispatchEvent(new Event('change', { bubbles: true }))
  const { value } = field
  write(field, field.defaultValue)
  field.dispatchEvent(new Event('input', { bubbles: true }))
  write(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** By the element's own setter React would record the value as rendered. */
function write(field: HTMLInputElement | HTMLTextAreaElement, value: string) {
  Reflect.set(Object.getPrototypeOf(field), 'value', value, field)
}

/** Else the browser opens a tab, a menu or a download. */
export function isPlain(event: MouseEvent) {
  return event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
}
