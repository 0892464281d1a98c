import { content, optionLabels } from './source.ts'

export type Language = 'fr' | 'en'

/** Words for the placeholders of a phrase; one that is missing rules the phrase out. */
export type Placeholders = Readonly<Record<string, string | undefined>>

export const label = (category: string, field: string, value: unknown, language: Language): string | undefined =>
  typeof value === 'string' ? optionLabels.get(`${category} ${field} ${value}`)?.[language] : undefined

const figures = { fr: new Intl.NumberFormat('fr'), en: new Intl.NumberFormat('en') }

/** 128 000 with the no-break space of the language. */
export const figure = (value: number, language: Language): string => figures[language].format(value)

/** 75 000 F CFA. */
export const francs = (value: number, language: Language): string => `${figure(value, language)}\u00a0F\u00a0CFA`

export const gender = (value: unknown, language: Language): string | undefined =>
  typeof value === 'string' ? content.meta.placeholder_labels.gender[language][value] : undefined

/** Colours as stored in specs, and how they agree with what they describe. */
const COLOURS: Record<string, readonly [masculine: string, feminine: string, english: string]> = {
  Noir: ['noir', 'noire', 'black'],
  Blanc: ['blanc', 'blanche', 'white'],
  Bleu: ['bleu', 'bleue', 'blue'],
  Rouge: ['rouge', 'rouge', 'red'],
  Vert: ['vert', 'verte', 'green'],
  Gris: ['gris', 'grise', 'grey'],
  Or: ['doré', 'dorée', 'gold'],
  Argent: ['argenté', 'argentée', 'silver'],
  Rose: ['rose', 'rose', 'pink'],
  Violet: ['violet', 'violette', 'purple'],
  Jaune: ['jaune', 'jaune', 'yellow'],
  Marron: ['marron', 'marron', 'brown'],
  Beige: ['beige', 'beige', 'beige'],
}
export const clothColours = Object.keys(COLOURS)
export const homeColours = ['Marron', 'Noir', 'Blanc', 'Gris', 'Beige', 'Bleu']

export function colourWord(colour: string, agreement: { feminine: boolean; plural: boolean }): string {
  const word = COLOURS[colour]?.[agreement.feminine ? 1 : 0] ?? colour.toLowerCase()
  return agreement.plural && !/[sx]$|marron/.test(word) ? `${word}s` : word
}

export const englishColour = (colour: string): string | undefined => COLOURS[colour]?.[2]

/** The stored colour that a feminine adjective (`bleu nuit`, `argentée`) means. */
export function colourOf(adjective: string): string {
  return Object.keys(COLOURS).find((colour) => COLOURS[colour]?.some((word) => adjective.startsWith(word))) ?? 'Gris'
}
