import { expect, test } from 'vitest'
import { actionsFor } from './actions.ts'

const plain = {
  status: 'active',
  is_featured: false,
  is_sold: false,
  review_status: 'approved',
} as const

test('[S4.01] [S4.02] a pending listing can be edited or archived, a refused one is corrected first', () => {
  expect(actionsFor({ ...plain, status: 'pending', review_status: 'pending' })).toEqual([
    'edit',
    'archive',
    'delete',
  ])
  expect(actionsFor({ ...plain, status: 'rejected', review_status: 'rejected' })).toEqual([
    'correct',
    'archive',
    'delete',
  ])
})

test('[S4.02] every listing can be edited, whatever state it is in', () => {
  for (const status of [
    'active',
    'reserved',
    'sold',
    'inactive',
    'expired',
    'archived',
    'pending',
  ] as const)
    expect(actionsFor({ ...plain, status }).slice(0, 2)).toContain('edit')
})

test('[S4.02] the first action is “sell” for an active listing, “unsell” for a sold one', () => {
  expect(actionsFor(plain)[0]).toBe('sell')
  expect(actionsFor({ ...plain, status: 'reserved' })).toContain('unreserve')
  expect(actionsFor({ ...plain, status: 'sold', is_sold: true })[0]).toBe('unsell')
})

test('[S4.02] an archived listing that was sold or never approved cannot be renewed', () => {
  expect(actionsFor({ ...plain, status: 'archived' })).toContain('renew')
  expect(actionsFor({ ...plain, status: 'archived', is_sold: true })).not.toContain('renew')
  expect(actionsFor({ ...plain, status: 'archived', review_status: 'pending' })).not.toContain(
    'renew',
  )
})

test('[S4.02] an expired listing is renewed for days, never reactivated by a toggle', () => {
  const actions = actionsFor({ ...plain, status: 'expired' })
  expect(actions[0]).toBe('renew')
  expect(actions).not.toContain('resume')
})
