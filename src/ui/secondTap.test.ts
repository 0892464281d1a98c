import { expect, test } from 'vitest'
import { isSecond } from './secondTap.ts'

const first = { at: 1000, x: 180, y: 600, layer: {} }

test.each([
  ['soon and near, on the page behind', { ...first, at: 1150, x: 190, layer: null }, true],
  ['in a dialog that the first one opened', { ...first, at: 1150, layer: {} }, false],
  ['in the same dialog', { ...first, at: 1150 }, false],
  ['after a moment', { ...first, at: 1400, layer: null }, false],
  ['elsewhere', { ...first, at: 1150, x: 40, layer: null }, false],
] as const)('[S9.29] a tap %s', (_case, tap, second) => {
  expect(isSecond(first, tap)).toBe(second)
})
