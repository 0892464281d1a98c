import { expect, test } from 'vitest'
import { attentionItemsOf } from './attentionItems.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const inHours = (hours: number) => new Date(now + hours * 3_600_000).toISOString()

test('[S2.39] refused listings come first, then expired and expiring ones; others are left out', () => {
  const listings = [
    { id: 'fine', title: 'Fine', status: 'active', expires_at: inHours(24 * 30) },
    { id: 'soon', title: 'Soon', status: 'reserved', expires_at: inHours(49) },
    { id: 'today', title: 'Today', status: 'active', expires_at: inHours(5) },
    { id: 'over', title: 'Over', status: 'expired', expires_at: inHours(-5) },
    { id: 'offline', title: 'Offline', status: 'active', expires_at: inHours(-1) },
    { id: 'no', title: 'No', status: 'rejected', expires_at: null },
    { id: 'sold', title: 'Sold', status: 'sold', expires_at: inHours(5) },
    { id: 'new', title: 'New', status: 'pending', expires_at: null },
  ] as const
  expect(attentionItemsOf(listings, now).map(({ id, why, days }) => [id, why, days])).toEqual([
    ['no', 'rejected', 0],
    ['over', 'expired', 0],
    ['offline', 'expired', 0],
    ['today', 'expiring', 0],
    ['soon', 'expiring', 2],
  ])
})
