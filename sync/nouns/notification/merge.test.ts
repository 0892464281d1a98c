import type { NotificationDocument } from '#schema/disk/documents'
import { expect, test } from 'vitest'
import { merged, readNotification } from './questions.ts'

function row(id: string, seconds: number, more: object = {}): NotificationDocument {
  const made = readNotification({
    id,
    event: 'message.created',
    event_id: `E${id}`,
    ts: new Date(1_780_000_000_000 - seconds * 1000).toISOString(),
    message: '',
    conversation_id: 'C1',
    tag: 'message:C1',
    meta: { count: 1 },
    read: false,
    ...more,
  })
  if (!made) throw new Error('unreadable')
  return made
}

test('[S4.13] [S9.10] messages of one conversation within 90 s of each other are one entry that counts', () => {
  const shown = merged([row('a', 0), row('b', 60), row('c', 140), row('d', 400)])
  expect(shown.map(({ id, meta }) => [id, meta.count])).toEqual([
    ['a', 3],
    ['d', 1],
  ])
})

test('[S4.13] messages of two conversations stay two entries, also in turns', () => {
  const other = { conversation_id: 'C2', tag: 'message:C2' }
  const shown = merged([row('a', 0), row('b', 5, other), row('c', 10), row('d', 15, other)])
  expect(shown.map(({ id, meta }) => [id, meta.count])).toEqual([
    ['a', 2],
    ['b', 2],
  ])
})

test('[S4.13] one unread message makes its entry unread', () => {
  expect(merged([row('a', 0, { read: true }), row('b', 5)])[0]?.read).toBe(false)
})

test('[S4.15] the same tag within 2.5 s is dropped, later it is not', () => {
  const listing = { event: 'listing.phone_viewed', conversation_id: null, tag: 'phone:L1' }
  expect(
    merged([row('a', 0, listing), row('b', 2, listing), row('c', 3, listing)]).map(({ id }) => id),
  ).toEqual(['a', 'c'])
})

test('[S4.15] other tags are never dropped', () => {
  const a = { event: 'listing.phone_viewed', conversation_id: null, tag: 'phone:L1' }
  expect(merged([row('a', 0, a), row('b', 0, { ...a, tag: 'phone:L2' })])).toHaveLength(2)
})
