import { expect, test } from 'vitest'
import { listingToWriteTo, ownPath } from './next.ts'

const origin = 'https://yaar.test'

test.each([
  '/',
  '/create-listing',
  '/messages/new-L1?x=1&y=é#bottom',
  '/listings?search=moto+cross#r',
])('[S2.23] path, query and hash of %s are preserved', (wanted) => {
  const next = ownPath(wanted, origin)
  expect(next === null ? null : new URL(next, origin).href).toBe(new URL(wanted, origin).href)
})

test.each([
  'https://elsewhere.test/',
  '//elsewhere.test/path',
  '/\\elsewhere.test',
  '/\t/elsewhere.test',
  '/.//elsewhere.test',
  'javascript:alert(1)',
  'create-listing',
  '/auth?mode=login&next=/auth',
  '',
  null,
  7,
  ['/'],
])('[S2.16] next=%s is rejected', (next) => {
  expect(ownPath(next, origin)).toBeNull()
})

test.each([
  ['/messages/new-L1', 'L1'],
  ['/messages/C1', null],
  ['/messages/new-L1/more', null],
  ['/listings/new-L1', null],
  [null, null],
])('[S13.12] next=%s leads to a first message about %s', (next, listing) => {
  expect(listingToWriteTo(next)).toBe(listing)
})
