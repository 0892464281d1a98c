import { expect, test } from 'vitest'
import { actionsFor } from './actions.ts'

const plain = {
  status: 'active',
  is_featured: false,
  is_sold: false,
  review_status: 'approved',
} as const

test('[S4.01] [S4.02] a listing that nobody has approved can be changed or put away, and a refused one is corrected first', () => {
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

test('[S4.02] selling leads while a listing is for sale, and its undoing once it is sold', () => {
  expect(actionsFor(plain)[0]).toBe('sell')
  expect(actionsFor({ ...plain, status: 'reserved' })).toContain('unreserve')
  expect(actionsFor({ ...plain, status: 'sold', is_sold: true })[0]).toBe('unsell')
})

test('[S4.02] what is sold or was never approved cannot be renewed out of the archive', () => {
  expect(actionsFor({ ...plain, status: 'archived' })).toContain('renew')
  expect(actionsFor({ ...plain, status: 'archived', is_sold: true })).not.toContain('renew')
  expect(actionsFor({ ...plain, status: 'archived', review_status: 'pending' })).not.toContain(
    'renew',
  )
})

test('[S4.02] an expired listing comes back by days, never by a switch', () => {
  const actions = actionsFor({ ...plain, status: 'expired' })
  expect(actions[0]).toBe('renew')
  expect(actions).not.toContain('resume')
})
