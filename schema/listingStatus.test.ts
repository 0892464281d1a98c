import { expect, test } from 'vitest'
import { statusOf } from './listingStatus.ts'

const now = new Date('2026-11-21T12:00:00Z')
const plain = {
  is_archived: false,
  review_status: 'approved',
  is_sold: false,
  expires_at: '2026-12-01T00:00:00Z',
  is_active: true,
  is_reserved: false,
} as const

test.for([
  [{}, 'active'],
  [{ is_reserved: true }, 'reserved'],
  [{ is_reserved: true, is_active: false }, 'inactive'],
  [{ is_active: false, expires_at: '2026-11-21T12:00:00Z' }, 'expired'],
  [{ expires_at: null }, 'active'],
  [{ is_sold: true, is_reserved: true, expires_at: '2026-11-01T00:00:00Z' }, 'sold'],
  [{ review_status: 'pending', is_sold: true }, 'pending'],
  [{ review_status: 'rejected' }, 'rejected'],
  [{ review_status: 'rejected', is_archived: true }, 'archived'],
] as const)('[S4.02] %o comes to %s', ([flags, status]) => {
  expect(statusOf({ ...plain, ...flags }, now)).toBe(status)
})
