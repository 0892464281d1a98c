import { expect, test } from 'vitest'
import { foundBy, type Typed, typeOn } from './typeAhead.ts'

const names = ['Mes annonces', 'Messages', 'Profil', ' Paramètres']
const nothing: Typed = { text: '', at: -Infinity }

function found(letters: readonly (readonly [string, number])[]): number {
  return foundBy(
    letters.reduce((typed, [letter, at]) => typeOn(typed, letter, at), nothing),
    names,
  )
}

test.each([
  ['one letter finds the first', [['m', 0]], 0],
  [
    'letters within a second go together',
    [
      ['p', 0],
      ['A', 1000],
    ],
    3,
  ],
  [
    'after more than a second they begin anew',
    [
      ['m', 0],
      ['p', 1001],
    ],
    2,
  ],
  ['nothing begins so', [['x', 0]], -1],
] as const)('[S9.29] %s', (_case, letters, place) => {
  expect(found(letters)).toBe(place)
})
