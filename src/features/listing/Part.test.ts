import { expect, test } from 'vitest'
import { isLong } from './Part.tsx'

test('[S13.21] a text is long by its letters or by its lines', () => {
  expect(isLong('')).toBe(false)
  expect(isLong('Vélo en bon état.')).toBe(false)
  expect(isLong('a'.repeat(390))).toBe(false)
  expect(isLong('a'.repeat(400))).toBe(true)
  expect(isLong('Fer\n'.repeat(8))).toBe(false)
  expect(isLong('Fer\n'.repeat(12))).toBe(true)
})
