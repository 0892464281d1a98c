import { TYPE_AHEAD_MS } from '#schema/limits'

export interface Typed {
  readonly text: string
  readonly at: number
}

/** Appends a letter; after a pause of more than a second it starts over [S9.29]. */
export function typeOn(typed: Typed, letter: string, at: number): Typed {
  return { text: at - typed.at > TYPE_AHEAD_MS ? letter : typed.text + letter, at }
}

export function foundBy(typed: Typed, names: readonly string[]) {
  const wanted = typed.text.toLowerCase()
  return names.findIndex((name) => name.trim().toLowerCase().startsWith(wanted))
}
