import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import texts from '#schema/data/texts.json' with { type: 'json' }

function catalogue(language: string): ReadonlyMap<string, string> {
  const blocks = readFileSync(new URL(`po/${language}.po`, import.meta.url), 'utf8')
    .split('\n\n')
    .slice(1)
  return new Map(blocks.map((block) => [valueOf(block, 'msgid'), valueOf(block, 'msgstr')]))
}

function valueOf(block: string, keyword: 'msgid' | 'msgstr'): string {
  const [, lines = ''] = new RegExp(`^${keyword} ((?:".*"\\n?)+)`, 'm').exec(block) ?? []
  return lines
    .split('\n')
    .map((line) => line.slice(1, -1))
    .join('')
    .replaceAll('\\"', '"')
    .replaceAll('\\n', '\n')
}

/** As texts.json asks to compare: ’ as ', no-break spaces as spaces. */
const plain = (text: string): string =>
  text.replaceAll('’', "'").replaceAll(/[\u00a0\u202f]/gu, ' ')

const french = catalogue('fr')
const english = catalogue('en')

describe('French on the screen', () => {
  test.each([...french.keys()])('“%s” has its no-break spaces', (text) => {
    const bare = text.replaceAll(/\{\w+, plural,/gu, '')
    expect(bare).not.toMatch(/ [:;!?»]|« /u)
    expect(bare).not.toMatch(/[\p{L}\p{N}}][;!?»](?:\s|$)/u)
  })

  test('has typographic apostrophes, but for the sentences that the specification quotes', () => {
    const quoted = new Set(texts.spec_sentences.map(({ fr }) => fr))
    expect([...french.keys()].filter((text) => text.includes("'") && !quoted.has(text))).toEqual([])
  })
})

describe('English on the screen', () => {
  const shown = texts.spec_sentences.flatMap(({ spec, fr, en }) => {
    const source =
      fr === null ? undefined : [...french.keys()].find((text) => plain(text) === plain(fr))
    return source === undefined || en === null ? [] : [{ spec, source, en }]
  })

  test.each(shown)('[$spec] “$source” is “$en”', ({ source, en }) => {
    expect(english.get(source)).toBe(en)
  })

  test('[S8.07] [S8.08] [S8.09] the specification’s sentences exist in both languages', () => {
    const covered = new Set(shown.map(({ spec }) => spec))
    for (const spec of [
      'S8.02',
      'S8.03',
      'S8.04',
      'S8.05',
      'S8.06',
      'S8.07',
      'S8.08',
      'S8.09',
      'S8.10',
      'S8.11',
      'S8.12',
      'S8.13',
      'S8.14',
    ])
      expect(covered).toContain(spec)
  })

  test('a translation has the placeholders of its source', () => {
    const blanks = (text: string): readonly string[] =>
      [
        ...new Set(
          text.matchAll(/(?<!(?:one|other|=\d+) )\{(\w+)\s*[,}]/gu).map(([, name]) => name ?? ''),
        ),
      ].toSorted()
    expect(
      [...english].filter(
        ([source, translation]) =>
          translation !== '' && blanks(source).join() !== blanks(translation).join(),
      ),
    ).toEqual([])
  })

  test('says in it most of what the specification says', () => {
    expect(shown.length).toBeGreaterThan(30)
  })
})
