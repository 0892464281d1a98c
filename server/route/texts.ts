import type { LocalizedText } from '#schema/wire/shapes'
import file from './texts.json' with { type: 'json' }

interface Text extends LocalizedText {
  readonly status: number
}

export type Code = keyof typeof file

/** [API 1.4]. `{min}`, `{max}` are the field's bounds. */
export const texts: Readonly<Record<Code, Text>> = file

/** Names without a value stay. */
export const filled = (text: string, values: Readonly<Record<string, string | number>>) =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => `${values[name] ?? whole}`)

export const isCode = (word: string): word is Code => Object.hasOwn(texts, word)
