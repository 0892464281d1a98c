import { i18n } from '@lingui/core'
import { expect, test } from 'vitest'
import { formatOf } from './format.ts'

const fr = formatOf('fr')
const en = formatOf('en')

test('[S9.01] whole numbers and francs have the local format', () => {
  expect([0, 999, 1000, 1_250_000, -12_345].map((value) => fr.number(value))).toEqual(
    ['0', '999', '1 000', '1 250 000', '-12 345'].map((text) => text.replaceAll(' ', '\u202f')),
  )
  expect(en.number(1_250_000)).toBe('1,250,000')
  expect(fr.money(15_000)).toBe('15\u202f000\u00a0F\u00a0CFA')
  expect(en.money(15_000)).toBe('15,000\u00a0CFA')
  expect(fr.bytes(1_250_000)).toBe('1,3\u00a0Mo')
  // Numbers look as the browser's own formatter writes them.
  const own = (locale: string): Intl.NumberFormat =>
    new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  for (const value of [7, 1234, 987_654_321, 4.6, 4.25, 4.96, 0.04, 1234.5, 12.0])
    expect([fr.number(value), en.number(value)]).toEqual([
      own('fr-FR').format(value),
      own('en-GB').format(value),
    ])
})

test('[D106] a lower bound has a plus', () => {
  expect(fr.countText(1000, false)).toBe('1\u202f000+')
  expect(fr.countText(1000)).toBe('1\u202f000')
  expect(en.countText(12, true)).toBe('12')
})

test('dates have the local format: only the first of a month is an ordinal', () => {
  const at = (day: string): number => Date.parse(`${day}T12:00:00Z`)
  expect([fr.day(at('2026-07-01')), fr.day(at('2026-07-11')), fr.day(at('2026-07-21'))]).toEqual([
    '1er juil. 2026',
    '11 juil. 2026',
    '21 juil. 2026',
  ])
  const now = at('2026-08-02')
  expect([fr.dayShort(at('2026-07-01'), now), fr.dayShort(at('2025-07-11'), now)]).toEqual([
    '1er juil.',
    '11 juil. 2025',
  ])
  expect([fr.dayLong(at('2026-07-01')), fr.dayLong(at('2026-07-31'))]).toEqual([
    'mercredi 1er juillet',
    'vendredi 31 juillet',
  ])
  expect([en.day(at('2026-07-01')), en.dayLong(at('2026-07-01'))]).toEqual([
    '1 Jul 2026',
    'Wednesday 1 July',
  ])
})

test('a typed number gets the language’s decimal sign; other text is unchanged', () => {
  expect(['6.7', '6,7', '10', '6.7"', 'v1.2.3'].map((typed) => fr.decimal(typed))).toEqual([
    '6,7',
    '6,7',
    '10',
    '6.7"',
    'v1.2.3',
  ])
  expect(['6.7', '6,7'].map((typed) => en.decimal(typed))).toEqual(['6.7', '6.7'])
})

test('singular and plural, in both languages', () => {
  const forms = (format: typeof fr): readonly string[] =>
    [0, 1, 2, 21].map((count) => format.some(count, 'one', 'several'))
  expect(forms(fr)).toEqual(['one', 'one', 'several', 'several'])
  expect(forms(en)).toEqual(['several', 'one', 'several', 'several'])
})

test('relative ages', () => {
  const day = 86_400_000
  const times = [
    30_000,
    60_000,
    3_599_999,
    3 * 3_600_000,
    day,
    6 * day,
    7 * day,
    29 * day,
    30 * day,
    200 * day,
    365 * day,
    800 * day,
  ]
  i18n.loadAndActivate({ locale: 'fr', messages: {} })
  const expected = [
    'à l’instant',
    'il y a 1 min',
    'il y a 59 min',
    'il y a 3 h',
    'hier',
    'il y a 6 jours',
    'il y a 1 sem.',
    'il y a 4 sem.',
    'il y a un mois',
    'il y a 6 mois',
    'il y a un an',
    'il y a 2 ans',
  ]
  expect(times.map((past) => fr.ago(0, past).replaceAll('\u00a0', ' '))).toEqual(expected)
})
