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
 * Finds an element in the page; JavaScript source, because both drivers take text. Disabled
 * elements are waited for: a step's button ignores taps in its first 350 ms, against a double tap.
 */
export const finder = `(selector, text) =>
  [...document.querySelectorAll(selector)].find((element) => {
    const labels = [element.getAttribute('aria-label'), element.getAttribute('title'),
      element.labels?.[0]?.innerText, element.innerText]
    const seen = element.matches('input[type=file]') || element.getClientRects().length > 0
    return seen && !element.matches(':disabled, [aria-disabled=true]') &&
      (text === '' || labels.some((label) => label?.includes(text)))
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
