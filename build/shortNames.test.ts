import { expect, test } from 'vitest'
import { shortNames } from './shortNames.ts'

const names = Array.from({ length: 40 }, (_, at) => `name${at}`)

test('[S13.74] names are short, each its own, and stay when others come or go', () => {
  const before = shortNames(names, 'bcdfghjklmnp')
  expect(new Set(before.values()).size).toBe(40)
  for (const short of before.values()) expect(short).toMatch(/^[b-p]{2}$/)
  const after = shortNames(['another', ...names.slice(1)], 'bcdfghjklmnp')
  const moved = names.slice(1).filter((name) => before.get(name) !== after.get(name))
  expect(moved.length).toBeLessThan(4)
})
