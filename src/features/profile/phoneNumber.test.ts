import { expect, test } from 'vitest'
import { phoneOf } from './phoneNumber.ts'

test.each([
  ['70 12 34 56', '+22670123456'],
  ['+226 70-12-34-56', '+22670123456'],
  ['00226 70.12.34.56', '+22670123456'],
  ['+33 6 12 34 56 78', '+33612345678'],
  ['7012345', undefined],
  ['+226 7012345', undefined],
  ['70 12 34 5a', undefined],
  ['', undefined],
])('the number “%s” is %s', (typed, number) => {
  expect(phoneOf(typed)).toBe(number)
})
