import { expect, test } from 'vitest'
import type { ListingStatus } from '#schema/wire/listing'
import { flags, toggled, type Flag, type Toggled, toggleRequestOf } from './state.ts'

const plain: Toggled = {
  status: 'active',
  review_status: 'approved',
  is_active: true,
  is_featured: false,
  is_sold: false,
  is_reserved: false,
  is_archived: false,
}
const STATES: Record<Exclude<ListingStatus, 'deleted'>, Toggled> = {
  active: plain,
  reserved: { ...plain, status: 'reserved', is_reserved: true },
  inactive: { ...plain, status: 'inactive', is_active: false },
  sold: { ...plain, status: 'sold', is_sold: true },
  expired: { ...plain, status: 'expired', is_active: false },
  archived: { ...plain, status: 'archived', is_archived: true, is_active: false },
  pending: { ...plain, status: 'pending', review_status: 'pending' },
  rejected: { ...plain, status: 'rejected', review_status: 'rejected' },
}
const SHORT = {
  listing_not_approved: 'unapproved',
  listing_is_sold: 'sold',
  listing_expired: 'expired',
  listing_unavailable_for_action: 'unavailable',
}

function outcome(state: Toggled, flag: Flag, desired: boolean | null): string {
  const result = toggled(state, { flag, desired })
  if (typeof result === 'object') return result.on ? 'on' : 'off'
  return result === 'same' ? 'same' : SHORT[result]
}

test.each([
  // state       active        featured       sold           reserved       archived
  ['active', 'same', 'on', 'on', 'on', 'on'],
  ['reserved', 'same', 'on', 'on', 'same', 'on'],
  ['inactive', 'on', 'unavailable', 'on', 'unavailable', 'on'],
  ['sold', 'same', 'sold', 'same', 'sold', 'on'],
  ['expired', 'expired', 'unavailable', 'on', 'unavailable', 'on'],
  ['archived', 'unavailable', 'unavailable', 'unavailable', 'unavailable', 'same'],
  ['pending', 'same', 'unapproved', 'unapproved', 'unapproved', 'on'],
  ['rejected', 'same', 'unapproved', 'unapproved', 'unapproved', 'on'],
] as const)('[S4.02] %s: wanted on [API 5.2]', (state, ...wanted) => {
  expect(flags.map((flag) => outcome(STATES[state], flag, true))).toEqual([
    wanted[0],
    wanted[1],
    wanted[2],
    wanted[3],
    wanted[4],
  ])
})

test.each([
  ['active', 'off', 'same', 'same', 'same', 'same'],
  ['reserved', 'off', 'same', 'same', 'off', 'same'],
  ['inactive', 'same', 'same', 'same', 'same', 'same'],
  ['sold', 'off', 'same', 'off', 'same', 'same'],
  ['expired', 'same', 'same', 'same', 'same', 'same'],
  ['archived', 'same', 'same', 'same', 'same', 'off'],
  ['pending', 'unapproved', 'same', 'same', 'same', 'same'],
  ['rejected', 'unapproved', 'same', 'same', 'same', 'same'],
] as const)('[S4.02] %s: wanted off [API 5.2]', (state, ...wanted) => {
  expect(flags.map((flag) => outcome(STATES[state], flag, false))).toEqual([...wanted])
})

test('[S4.02] without a desired state the flag flips, with the same checks', () => {
  expect(flags.map((flag) => outcome(STATES.active, flag, null))).toEqual([
    'off',
    'on',
    'on',
    'on',
    'on',
  ])
  expect(flags.map((flag) => outcome(STATES.archived, flag, null))).toEqual([
    'unavailable',
    'unavailable',
    'unavailable',
    'unavailable',
    'off',
  ])
})

test('[S4.02] expired: activating changes nothing [D87], marking sold is still possible [D86]', () => {
  const expired = { ...STATES.expired, is_active: true }
  expect([outcome(expired, 'active', true), outcome(expired, 'sold', true)]).toEqual(['same', 'on'])
})

test('[S7.18] actions by all their names [D88]', () => {
  const names = [
    'sold',
    'mark_sold',
    'mark_unsold',
    'toggle_sold',
    'toggle_is_sold',
    'deactivate',
    'unfeature',
    'toString',
    'explode',
    '',
  ]
  expect(names.map((name) => toggleRequestOf(name, null))).toEqual([
    { flag: 'sold', desired: null },
    { flag: 'sold', desired: true },
    { flag: 'sold', desired: false },
    { flag: 'sold', desired: null },
    { flag: 'sold', desired: null },
    { flag: 'active', desired: false },
    { flag: 'featured', desired: false },
    null,
    null,
    null,
  ])
  expect([
    toggleRequestOf('mark_sold', false),
    toggleRequestOf('mark_sold', true),
    toggleRequestOf('reserved', false),
  ]).toEqual([
    'contradiction',
    { flag: 'sold', desired: true },
    { flag: 'reserved', desired: false },
  ])
})
