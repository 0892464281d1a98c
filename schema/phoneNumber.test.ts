import { expect, test } from 'vitest'
import { phoneNumberOf } from './phoneNumber.ts'

test.each([
  ['70 00 00 00', '+22670000000'],
  ['(70) 00.00-00', '+22670000000'],
  ['0022670000000', '+22670000000'],
  ['+226 70 00 00 00', '+22670000000'],
  ['+33 6 12 34 56 78', '+33612345678'],
  ['+2267000000', null],
  ['7000000', null],
  ['+0612345678', null],
  ['call me', null],
  ['', null],
])('[API 5.3] %s is kept as %s', (typed, kept) => {
  expect(phoneNumberOf(typed)).toBe(kept)
})
