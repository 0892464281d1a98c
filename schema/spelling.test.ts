import { expect, test } from 'vitest'
import { corrected } from './spelling.ts'
import meantBy from './data/misspellings.json' with { type: 'json' }

const misspellings = Object.entries(meantBy)

const counts: ReadonlyMap<string, number> = new Map([
  ...misspellings.map(([, right]): [string, number] => [right, 40]),
  ['mot', 2],
  ['motos', 90],
  ['telechargement', 0],
  ['galaxy', 50],
  ['samsoun', 1],
  ['s', 30],
  ['sacs', 30],
])
const vocabulary = {
  words: counts.keys(),
  count: (word: string) => counts.get(word) ?? 0,
}
const known = { ...vocabulary, words: [...counts.keys()] }

test.each(misspellings)('[S13.51] "%s" is meant as "%s"', (typed, right) => {
  expect(corrected([typed], known)).toEqual([right])
})

test.each([
  ...Object.values(meantBy),
  'mot',
  'toyo',
  'sams',
  'a54',
  '2013',
  'qwertyuiop',
  'xzz',
  'zzzz',
  '',
])('[S13.51] "%s" stays', (typed) => {
  expect(corrected([typed], known)).toBeNull()
})

test('[S13.51] each word of several is corrected by itself, and a rare one by a frequent one', () => {
  expect(corrected(['samsoung', 'galaxy', 'a14'], known)).toEqual(['samsung', 'galaxy', 'a14'])
  expect(corrected(['samsoun'], known)).toEqual(['samsung'])
})

test('[S13.51] of a hundred thousand words only those that are near enough are counted', () => {
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const word = (at: number): string =>
    [1, 7, 49, 343, 2401, 16_807].map((by) => letters[Math.floor(at / by) % 26]).join('')
  const many = Array.from({ length: 100_000 }, (_, at) => word(at))
  let read = 0
  corrected(['samsoung'], {
    words: many,
    count: () => {
      read += 1
      return 1
    },
  })
  expect(read).toBeLessThan(100)
})
