/** What a person does to reach a state: a name is pressed; `[label, text]` is filled in. */
export type Act = string | readonly [label: string, text: string]

const pressed =
  'button:enabled:not([aria-disabled="true"]), a[href], [role^="menuitem"], input[type="radio"], input[type="checkbox"]'
const filled = 'input, textarea, select'

export async function perform(acts: readonly Act[]): Promise<void> {
  for (const act of acts) {
    if (typeof act === 'string') (await found(pressed, act)).click()
    else fill(await found(filled, act[0]), act[1])
  }
}

/** The first visible element of that name, as soon as there is one. */
function found(selector: string, name: string): Promise<HTMLElement> {
  const { promise, resolve } = Promise.withResolvers<HTMLElement>()
  const look = (): void => {
    const all = document.querySelectorAll<HTMLElement>(selector)
    const one = [...all].find((each) => isNamed(each, name) && each.checkVisibility())
    if (one === undefined) return
    changes.disconnect()
    resolve(one)
  }
  const changes = new MutationObserver(look)
  changes.observe(document.body, { childList: true, subtree: true, attributes: true })
  look()
  return promise
}

function isNamed(element: HTMLElement, name: string): boolean {
  const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : []
  const names = [element.getAttribute('aria-label'), ...[...labels, element].map(textOf)]
  return names.includes(name)
}

const textOf = (element: Element): string => element.textContent.trim()

/** As if typed: React reads the value that the prototype's setter leaves. */
function fill(field: HTMLElement, text: string): void {
  const set = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set
  set?.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
