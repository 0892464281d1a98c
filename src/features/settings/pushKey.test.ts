import { expect, test } from 'vitest'
import { PUSH_KEY_BYTES } from '#schema/limits'
import { keyOf } from './pushKey.ts'

test('[S9.18] a key of 87 characters is 65 bytes, with - and _ decoded', () => {
  const bytes = Uint8Array.from({ length: PUSH_KEY_BYTES }, (_, at) => (at === 0 ? 4 : 255 - at))
  expect(keyOf(Buffer.from(bytes).toString('base64url'))).toEqual(bytes)
  expect(keyOf(Buffer.from(bytes).toString('base64'))).toEqual(bytes)
})

test.each([
  ['', null],
  ['  ', null],
  ['é!', null],
])('[S4.07] “%s” is no key', (text, key) => {
  expect(keyOf(text)).toBe(key)
})

test('[S4.07] a short key is distinct from none', () => {
  expect(keyOf('BAAA')?.length).toBe(3)
})
