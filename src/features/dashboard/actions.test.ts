import { expect, test } from 'vitest'
import { actionsFor } from './actions.ts'

const plain = { status: 'active', is_featured: false, is_sold: false, review_status: 'approved' } as const

test('[S4.02] a listing that nobody has approved can only be put away', () => {
  for (const status of ['pending', 'rejected'] as const) expect(actionsFor({ ...plain, status, review_status: status })).toEqual(['archive', 'delete'])
})

test('[S4.02] selling leads while a listing is for sale, and its undoing once it is sold', () => {
  expect(actionsFor(plain)[0]).toBe('sell')
  expect(actionsFor({ ...plain, status: 'reserved' })).toContain('unreserve')
  expect(actionsFor({ ...plain, status: 'sold', is_sold: true })[0]).toBe('unsell')
})

test('[S4.02] what is sold or was never approved cannot be renewed out of the archive', () => {
  expect(actionsFor({ ...plain, status: 'archived' })).toContain('renew')
  expect(actionsFor({ ...plain, status: 'archived', is_sold: true })).not.toContain('renew')
  expect(actionsFor({ ...plain, status: 'archived', review_status: 'pending' })).not.toContain('renew')
})

test('[S4.02] an expired listing comes back by days, never by a switch', () => {
  const actions = actionsFor({ ...plain, status: 'expired' })
  expect(actions[0]).toBe('renew')
  expect(actions).not.toContain('resume')
})
