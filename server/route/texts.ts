import type { LocalizedText } from '#schema/wire/shapes'
import file from './texts.json' with { type: 'json' }

interface Text extends LocalizedText {
  readonly status: number
}

export type Code = keyof typeof file

/**
 * Every error code with its status and texts [API 1.4]. `{min}`, `{max}` are replaced by the
 * field's bounds. A route may override the texts of field codes.
 */
export const texts: Readonly<Record<Code, Text>> = file

/** Replaces `{name}` by the value of that name; others stay. */
export const filled = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => `${values[name] ?? whole}`)

export const isCode = (word: string): word is Code => Object.hasOwn(texts, word)
