import { TYPE_AHEAD_MS } from '#schema/limits'

/** What was typed to find an item by its first letters; `at` is the moment of the last letter, in ms. */
export interface Typed {
  readonly text: string
  readonly at: number
}

/** One more letter: a pause of more than a second begins anew [S9.29]. */
export function typeOn(typed: Typed, letter: string, at: number): Typed {
  return { text: at - typed.at > TYPE_AHEAD_MS ? letter : typed.text + letter, at }
}

/** Place of the first item that begins so, whatever the case; -1: none. */
export function foundBy(typed: Typed, names: readonly string[]): number {
  const wanted = typed.text.toLowerCase()
  return names.findIndex((name) => name.trim().toLowerCase().startsWith(wanted))
}
