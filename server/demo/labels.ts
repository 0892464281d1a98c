import { content, optionLabels } from './source.ts'

export type Language = 'fr' | 'en'

/** Values of a phrase's placeholders; a missing one excludes the phrase. */
export type Placeholders = Readonly<Record<string, string | undefined>>

export const label = (
  category: string,
  field: string,
  value: unknown,
  language: Language,
): string | undefined =>
  typeof value === 'string'
    ? optionLabels.get(`${category} ${field} ${value}`)?.[language]
    : undefined

const figures = { fr: new Intl.NumberFormat('fr'), en: new Intl.NumberFormat('en') }

/** With the no-break space of the language. */
export const figure = (value: number, language: Language): string => figures[language].format(value)

export const francs = (value: number, language: Language): string =>
  `${figure(value, language)}\u00a0F\u00a0CFA`

export const gender = (value: unknown, language: Language): string | undefined =>
  typeof value === 'string' ? content.genders[language][value] : undefined

export function colourWord(
  colour: string,
  { feminine, plural }: { feminine: boolean; plural: boolean },
): string {
  const word =
    content.colours[colour]?.[feminine ? 'feminine' : 'masculine'] ?? colour.toLowerCase()
  return plural && !/[sx]$|marron/.test(word) ? `${word}s` : word
}

export const englishColour = (colour: string): string | undefined =>
  content.colours[colour]?.english

/** The stored colour of a feminine adjective (`bleu nuit`, `argentée`). */
export function colourOf(adjective: string): string {
  const found = Object.entries(content.colours).find(
    ([, { masculine, feminine }]) =>
      adjective.startsWith(masculine) || adjective.startsWith(feminine),
  )
  return found?.[0] ?? 'Gris'
}
