import { expect, test } from 'vitest'
import { landing, movedTo } from './photoOrder.ts'

test.each([
  ['c', 1, 'acb'],
  ['a', 2, 'bca'],
  ['a', -1, 'abc'],
  ['b', 9, 'acb'],
  ['x', 0, 'abc'],
])('[S2.38] photo %s moved to place %i of abc gives %s', (id, place, order) => {
  expect(movedTo(['a', 'b', 'c'], id, place).join('')).toBe(order)
})

test.each([
  [0, 0, 0],
  [0, 99, 0],
  [0, 100, 1],
  [0, 1000, 2],
  [2, -99, 2],
  [2, -101, 1],
  [1, -500, 0],
])('[S2.38] photo at place %i dragged by %i px lands at %i', (from, by, to) => {
  expect(landing([50, 150, 250], from, by)).toBe(to)
})
