import { describe, expect, test } from 'vitest'
import type { MessageDocument } from '#schema/disk/documents'
import { newestSeq, shownFrom, stateOf, threadRows } from './thread.ts'

function message(
  seq: number,
  sender: string,
  at: string,
  rest: Partial<MessageDocument> = {},
): MessageDocument {
  return {
    id: `M${seq}`,
    serverId: `M${seq}`,
    order: seq,
    newest: -seq,
    state: 'sent',
    conversation: 'C1',
    seq,
    client_id: null,
    content: `${seq}`,
    sender_username: sender,
    sender_id: sender,
    attachment: null,
    created_at: at,
    ...rest,
  }
}

const dayOf = (moment: string): string => moment.slice(0, 10)
const options = { gapBefore: null, me: 'me', unread: null, dayOf }
const shape = (
  messages: readonly MessageDocument[],
  rest: Partial<Parameters<typeof threadRows>[1]> = {},
): string[] =>
  threadRows(messages, { ...options, ...rest }).map((row) =>
    row.kind === 'message'
      ? `${row.message.id}${row.follows ? '+' : ''}`
      : row.kind === 'unread'
        ? `unread ${row.count}`
        : row.kind,
  )

describe('a thread', () => {
  const morning = '2026-03-01T09:00:00.000Z'
  const soon = '2026-03-01T09:01:00.000Z'
  const later = '2026-03-01T12:00:00.000Z'
  const tomorrow = '2026-03-02T09:00:00.000Z'

  test('starts each day with a line, and groups close bubbles of one sender', () => {
    const messages = [
      message(1, 'me', morning),
      message(2, 'me', soon),
      message(3, 'me', later),
      message(4, 'awa', later),
      message(5, 'awa', tomorrow),
    ]
    expect(shape(messages)).toEqual(['day', 'M1', 'M2+', 'M3', 'M4', 'day', 'M5'])
  })

  test('has the server’s order, pending messages last, whatever the local clock was', () => {
    const pending = message(0, 'me', morning, { id: 'P1', order: 1e12 + 1, state: 'queued' })
    expect(shape([pending, message(2, 'awa', later), message(1, 'awa', later)])).toEqual([
      'day',
      'M1',
      'M2+',
      'P1',
    ])
  })

  test('shows the gap at the top, and one unread line above the peer’s first unread message', () => {
    const messages = [
      message(1, 'awa', morning),
      message(2, 'me', soon),
      message(3, 'awa', soon),
      message(4, 'awa', soon),
    ]
    expect(shape(messages, { gapBefore: 'M1', unread: { after: 1, upTo: 4 } })).toEqual([
      'gap',
      'day',
      'M1',
      'M2',
      'unread 2',
      'M3',
      'M4+',
    ])
  })

  test('shows a gap in the middle at its position', () => {
    expect(shape([message(1, 'me', morning), message(7, 'me', soon)], { gapBefore: 'M7' })).toEqual(
      ['day', 'M1', 'gap', 'M7'],
    )
  })

  test('does not count as unread what arrives while open', () => {
    const messages = [message(1, 'awa', morning), message(2, 'awa', soon)]
    expect(shape(messages, { unread: { after: 1, upTo: 1 } })).toEqual(['day', 'M1', 'M2+'])
  })

  test('has no unread line if only own messages are newer', () => {
    expect(
      shape([message(1, 'awa', morning), message(2, 'me', soon)], {
        unread: { after: 1, upTo: 2 },
      }),
    ).toEqual(['day', 'M1', 'M2'])
  })
})

test.each([
  ['sent', 4, 3, 'sent'],
  ['sent', 4, 4, 'read'],
  ['queued', 0, 9, 'queued'],
  ['sending', 0, 9, 'sending'],
  ['refused', 0, 9, 'refused'],
] as const)('a %s message of place %i with the peer at %i is %s', (state, seq, peer, shown) => {
  expect(stateOf({ state, seq }, peer)).toBe(shown)
})

test('the newest seen seq ignores messages that the server has not numbered', () => {
  expect(
    newestSeq([
      { seq: 3, state: 'sent' },
      { seq: 7, state: 'sent' },
      { seq: 99, state: 'queued' },
    ]),
  ).toBe(7)
  expect(newestSeq([])).toBe(0)
})

test('[S2.42] a new message never removes a shown one', () => {
  const rows = (from: number, to: number): { order: number }[] =>
    Array.from({ length: to - from + 1 }, (_, at) => ({ order: from + at }))
  const opened = shownFrom(rows(41, 100), 45, Infinity)
  expect(opened).toBe(15)
  const oldest = 41 + opened
  // Two arrived, and the two oldest of the answer left: the same rows show, and two more.
  expect(rows(43, 102)[shownFrom(rows(43, 102), 45, oldest)]).toEqual({ order: oldest })
  expect(shownFrom(rows(20, 100), 60, oldest)).toBe(21)
  expect(shownFrom(rows(1, 7), 45, Infinity)).toBe(0)
  expect(shownFrom([], 45, Infinity)).toBe(0)
})
