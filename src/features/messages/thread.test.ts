import { describe, expect, test } from 'vitest'
import type { MessageDocument } from '#schema/disk/documents'
import { daysOf, newestSeq, shownFrom, stateOf, threadRows } from './thread.ts'

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

const options = { gapBefore: null, me: 'me', unread: null }
const shape = (
  messages: readonly MessageDocument[],
  rest: Partial<Parameters<typeof threadRows>[1]> = {},
): string[] =>
  threadRows(messages, { ...options, ...rest }).map((row) =>
    row.kind === 'bubble'
      ? `${row.messages.map(({ id }) => id).join('&')}${row.follows ? '+' : ''}`
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

  const picture = (seq: number, sender: string, at: string, content = '') =>
    message(seq, sender, at, { content, photo: `P${seq}` })
  const seconds = (count: number) => new Date(Date.parse(morning) + count * 1000).toISOString()

  test('[S13.33] photos of one sender within a minute are one album, under which the text stands', () => {
    const messages = [
      picture(1, 'me', seconds(0)),
      picture(2, 'me', seconds(30)),
      picture(3, 'me', seconds(80), 'Voici'),
      picture(4, 'me', seconds(81)),
      message(5, 'me', seconds(82)),
      picture(6, 'me', seconds(83)),
      picture(7, 'awa', seconds(84)),
      picture(8, 'awa', seconds(200)),
    ]
    expect(shape(messages)).toEqual(['day', 'M1&M2&M3', 'M4+', 'M5+', 'M6+', 'M7', 'M8+'])
  })

  test('[S13.33] an album ends at a gap, at the unread line and at an answer', () => {
    const messages = [1, 2, 3, 4].map((seq) => picture(seq, 'awa', seconds(seq)))
    expect(shape(messages, { gapBefore: 'M2', unread: { after: 2, upTo: 4 } })).toEqual([
      'day',
      'M1',
      'gap',
      'M2',
      'unread 2',
      'M3&M4',
    ])
    const answer = { ...picture(5, 'awa', seconds(5)), reply_to_id: 'M1' }
    expect(shape([...messages, answer])).toEqual(['day', 'M1&M2&M3&M4', 'M5+'])
  })

  test('[S13.34] a day keeps its id when older messages of it are loaded, and rows above it have none', () => {
    const messages = [message(1, 'me', morning), message(2, 'me', soon), message(3, 'me', tomorrow)]
    const days = daysOf(threadRows(messages, { ...options, gapBefore: 'M1' }))
    expect(days.map(({ id, rows }) => [id, rows.map((row) => row.id)])).toEqual([
      ['first', ['gap-M1']],
      ['2026-03-01-0', ['M1', 'M2']],
      ['2026-03-02-0', ['M3']],
    ])
    const fewer = daysOf(threadRows(messages.slice(1), options))
    expect(fewer[0]?.id).toBe('2026-03-01-0')
    const odd = { ...message(0, 'me', morning), id: 'P1', order: 1e12 }
    expect(daysOf(threadRows([...messages, odd], options)).at(-1)?.id).toBe('2026-03-01-1')
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
