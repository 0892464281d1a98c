export interface Tab {
  /** Resolves once the document is parsed. */
  go(url: string): Promise<void>
  /** Calls a function (JavaScript source) with strings in the page; its result crosses as JSON. */
  ask(source: string, ...args: readonly string[]): Promise<unknown>
  /** Taps the first visible match with this text in its label, title or content. */
  tap(selector: string, text?: string): Promise<void>
  type(selector: string, label: string, text: string): Promise<void>
  /** Chooses a file in the first file input. */
  pick(file: string): Promise<void>
}

export interface Engine {
  readonly name: string
  /** The engine's version, from its own report. */
  readonly version: string
  newTab(): Promise<Tab>
  close(): Promise<void>
}

/** How to get an engine that is installed or can be; else the reason why its tests are skipped. */
export interface Offer {
  readonly name: string
  /** null: it can be launched. */
  readonly missing: string | null
  launch(): Promise<Engine>
}

/**
 * Finds an element in the page; JavaScript source, because both drivers take text. Waits for what a
 * person waits for: a disabled element (a step's button ignores taps in its first 350 ms), and one
 * that something else covers.
 */
export const finder = `(selector, text) =>
  [...document.querySelectorAll(selector)].find((element) => {
    const labels = [element.getAttribute('aria-label'), element.getAttribute('title'),
      element.labels?.[0]?.innerText, element.innerText]
    if (element.getClientRects().length === 0 || element.matches(':disabled, [aria-disabled=true]'))
      return false
    if (text !== '' && !labels.some((label) => label?.includes(text))) return false
    element.scrollIntoView({ block: 'center', behavior: 'instant' })
    const { left, top, width, height } = element.getBoundingClientRect()
    const hit = document.elementFromPoint(left + width / 2, top + height / 2)
    return element.contains(hit) || hit?.closest('label')?.control === element
  }) ?? null`

const WAIT_MS = 60_000
const LOOK_MS = 50

/** Polls until `look` returns a value; the error names `what`. */
export async function until<T>(what: string, look: () => Promise<T | null>): Promise<T> {
  const end = Date.now() + WAIT_MS
  for (;;) {
    const found = await look()
    if (found !== null) return found
    if (Date.now() > end) throw new Error(`waited ${WAIT_MS / 1000} s for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}
