/** A tab of another engine, as far as these tests drive it. */
export interface Tab {
  /** Resolves once the document has been read. */
  go(url: string): Promise<void>
  /** Calls a function of JavaScript source in the page with texts; its answer crosses as JSON. */
  ask(source: string, ...args: readonly string[]): Promise<unknown>
  /** Taps the first visible element of a selector that says these words: in its label, its title or its text. */
  tap(selector: string, words?: string): Promise<void>
  /** Types into the first of these with this label. */
  type(selector: string, label: string, words: string): Promise<void>
  /** Chooses a file of the phone's gallery. */
  pick(file: string): Promise<void>
}

export interface Engine {
  readonly name: string
  /** What stands where the engine says which version it is. */
  readonly version: string
  newTab(): Promise<Tab>
  close(): Promise<void>
}

/** How to get an engine: its program is here, or can be installed; else why the tests skip it, in words. */
export interface Offer {
  readonly name: string
  /** Null: it can be launched. */
  readonly missing: string | null
  launch(): Promise<Engine>
}

/**
 * Finds an element in the page; JavaScript source, since both drivers call text. What is disabled is waited for, as Playwright
 * does: a step's button takes no tap in its first 350 ms, against a finger's second one.
 */
export const finder = `(selector, words) =>
  [...document.querySelectorAll(selector)].find((element) => {
    const said = [element.getAttribute('aria-label'), element.getAttribute('title'), element.labels?.[0]?.innerText, element.innerText]
    const seen = element.matches('input[type=file]') || element.getClientRects().length > 0
    return seen && !element.matches(':disabled, [aria-disabled=true]') && (words === '' || said.some((text) => text?.includes(words)))
  }) ?? null`

const WAIT_MS = 60_000
const LOOK_MS = 50

/** Calls until it answers something; the error says what was waited for. */
export async function until<T>(what: string, look: () => Promise<T | null>): Promise<T> {
  const end = Date.now() + WAIT_MS
  for (;;) {
    const found = await look()
    if (found !== null) return found
    if (Date.now() > end) throw new Error(`waited ${WAIT_MS / 1000} s for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}
