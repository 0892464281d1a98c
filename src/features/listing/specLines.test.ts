import { expect, test } from 'vitest'
import { specLines } from './specLines.ts'

const fields = [
  { name: 'type', required: true },
  { name: 'brand', required: true },
  { name: 'model', required: false },
  { name: 'year', required: false },
  { name: 'engine_cc', required: false },
  { name: 'condition', required: true },
]

test('[S13.21] the most telling answers of the category come first, then what its form requires', () => {
  const given = ['brand', 'condition', 'engine_cc', 'model', 'type', 'year']
  expect(specLines(given, fields, ['year', 'engine_cc', 'condition'])).toEqual({
    keys: ['year', 'engine_cc', 'condition', 'type'],
    others: ['brand', 'model'],
  })
})

test('[S13.21] what is not answered leaves its place to the next, and unknown answers come last', () => {
  expect(specLines(['colour', 'model', 'brand'], fields, ['year', 'condition'])).toEqual({
    keys: ['brand', 'model', 'colour'],
    others: [],
  })
  expect(specLines(['e', 'd', 'c', 'b', 'a'], [], ['year'])).toEqual({
    keys: ['e', 'd', 'c', 'b'],
    others: ['a'],
  })
  expect(specLines([], fields, ['year'])).toEqual({ keys: [], others: [] })
})
