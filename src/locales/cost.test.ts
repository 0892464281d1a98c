import { expect, test } from 'vitest'
import { francsOf } from './cost.ts'

test.each([
  [0, 1000, 0],
  [1, 1000, 1],
  [1_000_000, 1000, 1],
  [1_000_001, 1000, 2],
  [250_000_000, 1000, 250],
  [1_000_000_000, 650, 650],
])('%i bytes at %i F CFA a GB cost %i whole francs', (bytes, price, francs) => {
  expect(francsOf(bytes, price)).toBe(francs)
})
