import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import texts from '#schema/data/texts.json' with { type: 'json' }

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

/** The last two columns of the table in docs/words.md. */
const rows = (/## On screen\n([\s\S]*?)\n## /.exec(read('../../docs/words.md'))?.[1] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map((line) => line.split('|').map((cell) => cell.trim()))
const unwanted = (column: number): readonly string[] =>
  rows.flatMap((cells) => cells[column]?.split(', ') ?? []).filter((word) => word !== '')

const wrongIn = (words: readonly string[], shown: readonly string[]): readonly string[] => {
  const pattern = new RegExp(`(?<![\\p{L}_])(?:${words.join('|')})(?![\\p{L}_])`, 'iu')
  return shown.filter((text) => pattern.test(text))
}

function catalogue(language: 'fr' | 'en'): readonly string[] {
  const keyword = language === 'fr' ? 'msgid' : 'msgstr'
  return [...read(`po/${language}.po`).matchAll(new RegExp(`^${keyword} ((?:".*"\\n?)+)`, 'gmu'))]
    .map(([, lines = '']) =>
      lines
        .trim()
        .split('\n')
        .map((line) => line.slice(1, -1))
        .join(''),
    )
    .filter((text) => !text.startsWith('POT-'))
}

/** Long texts of one language, without the patterns that are matched and not shown. */
function longTexts(language: 'fr' | 'en', of: unknown, name = ''): readonly string[] {
  if (typeof of === 'string') return name === language ? [of] : []
  if (Array.isArray(of)) return of.flatMap((one) => longTexts(language, one, name))
  if (typeof of !== 'object' || of === null) return []
  return Object.entries(of).flatMap(([key, one]) => longTexts(language, one, key))
}
const { scam_patterns: _patterns, spec_sentences: sentences, ...long } = texts

test.each([
  ['fr', 4],
  ['en', 5],
] as const)('[S13.14] the texts of %s have one word for one thing', (language, column) => {
  const words = unwanted(column)
  expect(words.length).toBeGreaterThan(5)
  const quoted = new Set<string | null>(sentences.map((sentence) => sentence[language]))
  const shown = [...catalogue(language), ...longTexts(language, long)]
  expect(shown.length).toBeGreaterThan(700)
  expect(
    wrongIn(
      words,
      shown.filter((text) => !quoted.has(text)),
    ),
  ).toEqual([])
})

test('what the check reads', () => {
  expect(
    wrongIn(unwanted(5), ['Log in first', 'See the ad', 'add it', 'a catalogue', 'load']),
  ).toEqual(['Log in first', 'See the ad'])
  expect(wrongIn(unwanted(4), ['Recherches sauvegardées', 'Favoris'])).toEqual([
    'Recherches sauvegardées',
  ])
})
