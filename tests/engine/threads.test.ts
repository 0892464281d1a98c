import { afterEach, expect, test } from 'vitest'
import type { Entry } from '#schema/disk/entry'
import {
  readConversation,
  storePending,
  upsertConversations,
} from '#sync/nouns/conversation/documents'
import { commands } from '#sync/nouns/conversation/commands'
import { messageEvents } from '#sync/nouns/conversation/events'
import { documentOf, readMessage } from '#sync/nouns/conversation/documents'
import { readNotification } from '#sync/nouns/notification/questions'
import { waitingEntry } from './entry.ts'
import { type Asked, offline, Reader, refused, type Server } from './reader.ts'

const open: Reader[] = []
async function openReader(server: Server): Promise<Reader> {
  const made = await Reader.open(server, { me: 'U1' })
  open.push(made)
  return made
}
afterEach(async () => {
  for (const one of open.splice(0)) {
    await one.close()
    if (one.failures.length > 0) throw one.failures[0]
  }
})

const message = (seq: number, more: object = {}) => ({
  id: `M${seq}`,
  conversation: 'C1',
  seq,
  client_id: null,
  content: `n° ${seq}`,
  sender_username: 'seller.2',
  sender_id: 'U2',
  attachment: null,
  created_at: new Date(Date.UTC(2026, 2, 1) + seq * 1000).toISOString(),
  ...more,
})
const conversation = (last: number, more: object = {}) => ({
  id: 'C1',
  listing: {
    id: 'L1',
    title: 'Toyota Corolla',
    price: 3_500_000,
    currency: 'XOF',
    image: null,
    status: 'active',
    seller_id: 'U2',
  },
  participants: [
    { id: 'U1', username: 'moi' },
    { id: 'U2', username: 'seller.2', shop_name: 'Électro Bobo' },
  ],
  unread_count: 2,
  last_message: message(last),
  last_seq: last,
  my_read_until: last - 2,
  peer_read_until: last - 1,
  can_send: true,
  cannot_send_reason: null,
  created_at: '2026-03-01T00:00:00.000Z',
  updated_at: new Date(Date.UTC(2026, 2, 1) + last * 1000).toISOString(),
  ...more,
})

/** A conversation of `last` messages, as [API 11] answers. */
function talk(state: { last: number }): Server {
  const page = (from: number, to: number) =>
    Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => message(from + n))
  return ({ name, query }: Asked) => {
    const { last } = state
    const size = Number(query['page_size'] ?? 30)
    if (name === 'conversation.init')
      return {
        body: {
          conversation: conversation(last),
          messages: { next: 'x', results: page(Math.max(1, last - 29), last).toReversed() },
          listing: null,
          quick_messages: [],
        },
      }
    if (name === 'conversation.list')
      return { body: { count: 1, next: null, results: [conversation(last)], cursor: `c${last}` } }
    if (name !== 'message.list') return refused(404, 'not_found')
    const marks = { last_seq: last, my_read_until: last - 2, peer_read_until: last - 1 }
    if (query['after'] !== undefined) {
      const from = Number(query['after']) + 1
      const to = Math.min(last, from + size - 1)
      return { body: { next: to < last ? 'more' : null, results: page(from, to), ...marks } }
    }
    const to = Math.min(last, Number(query['before'] ?? last + 1) - 1)
    const from = Math.max(1, to - size + 1)
    return {
      body: { next: from > 1 ? 'more' : null, results: page(from, to).toReversed(), ...marks },
    }
  }
}
const seqs = (held: { readonly rows: readonly { readonly seq: number }[] } | null) =>
  held?.rows.map(({ seq }) => seq)
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => from + n)
const names = (reader: Reader) =>
  reader.asked.map(({ name, query }) =>
    [name, ...Object.entries(query).map(([key, value]) => `${key}=${String(value)}`)].join(' '),
  )

test('opening takes one round trip; the gap before the page is shown, and loads on demand', async () => {
  const reader = await openReader(talk({ last: 70 }))
  const held = reader.watch('messages.thread', { conversation: 'C1', limit: 30 })
  const head = reader.watch('conversation.detail', { id: 'C1' })
  await expect.poll(() => held()?.rows.length).toBe(30)
  expect(seqs(held())).toEqual(range(41, 70))
  await expect.poll(() => held()?.status).toBe('ready')
  await expect.poll(() => head()?.rows[0]?.listing.title).toBe('Toyota Corolla')
  await expect.poll(() => held()?.facts.peerReadUntil).toBe(69)
  expect(names(reader)).toEqual(['conversation.init'])
  const more = reader.watch('messages.thread', { conversation: 'C1', limit: 60 }, 'more')
  await expect.poll(() => more()?.rows.length).toBe(60)
  const whole = reader.watch('messages.thread', { conversation: 'C1', limit: 90 }, 'whole')
  await expect.poll(() => whole()?.rows.length).toBe(70)
  await expect.poll(() => whole()?.facts.gapBefore).toBeNull()
})

test('[S13.35] what the device holds of a thread is read without fetching more', async () => {
  const reader = await openReader(talk({ last: 70 }))
  const held = reader.watch('messages.thread', { conversation: 'C1', limit: 30 })
  await expect.poll(() => held()?.status).toBe('ready')
  const before = names(reader)
  const local = reader.watch(
    'messages.thread',
    { conversation: 'C1', limit: 500, local: true },
    'local',
  )
  await expect.poll(() => seqs(local())).toEqual(range(41, 70))
  expect([local()?.status, local()?.facts.gapBefore === null]).toEqual(['ready', false])
  expect(names(reader)).toEqual(before)
})

test('a longer thread is filled even after a reader asked for fewer messages', async () => {
  const reader = await openReader(talk({ last: 70 }))
  const head = reader.watch('conversation.detail', { id: 'C1' })
  await expect.poll(() => head()?.status).toBe('ready')
  const held = reader.watch('messages.thread', { conversation: 'C1', limit: 65 })
  await expect.poll(() => held()?.rows.length).toBe(65)
  reader.unwatch('messages.thread')
  const short = reader.watch('messages.thread', { conversation: 'C1', limit: 30 }, 'short')
  await expect.poll(() => short()?.rows.length).toBe(30)
  reader.skip = 61_000
  expect(await reader.again('messages.thread', { conversation: 'C1', limit: 30 })).toBe(true)
  const whole = reader.watch('messages.thread', { conversation: 'C1', limit: 90 }, 'whole')
  await expect.poll(() => seqs(whole())).toEqual(range(1, 70))
})

test('[S2.42] a message that arrives while one scrolls up does not stop older pages from loading', async () => {
  const state = { last: 150 }
  const reader = await openReader(talk(state))
  const head = reader.watch('conversation.detail', { id: 'C1' })
  await expect.poll(() => head()?.status).toBe('ready')
  const held = reader.watch('messages.thread', { conversation: 'C1', limit: 60 })
  await expect.poll(() => held()?.rows.length).toBe(60)
  const lone = readMessage(message(151))
  if (lone !== null) await reader.store.messages.put([documentOf(lone)])
  state.last = 151
  expect(await reader.again('conversation.detail', { id: 'C1' })).toBe(true)
  await expect.poll(() => held()?.rows.at(-1)?.seq).toBe(151)
  reader.watch('messages.thread', { conversation: 'C1', limit: 200 })
  await expect.poll(() => seqs(held())).toEqual(range(1, 151))
})

test('messages that arrived while away join without a gap', async () => {
  const state = { last: 40 }
  const reader = await openReader(talk(state))
  const held = reader.watch('messages.thread', { conversation: 'C1', limit: 200 })
  await expect.poll(() => held()?.rows.length).toBe(40)
  reader.unwatch('messages.thread')
  state.last = 190
  reader.skip = 61_000
  reader.watch('messages.thread', { conversation: 'C1', limit: 200 })
  await expect.poll(() => held()?.rows.length).toBe(190)
  expect(seqs(held())).toEqual(range(1, 190))
  expect(names(reader).slice(-2)).toEqual([
    'message.list after=40 page_size=100',
    'message.list after=140 page_size=100',
  ])
})

test('a single message that arrived alone does not hide those before it', async () => {
  const state = { last: 40 }
  const reader = await openReader(talk(state))
  const held = reader.watch('messages.thread', { conversation: 'C1', limit: 60 })
  await expect.poll(() => held()?.rows.length).toBe(40)
  reader.unwatch('messages.thread')
  const lone = readMessage(message(45))
  if (lone !== null) await reader.store.messages.put([documentOf(lone)])
  state.last = 45
  reader.skip = 61_000
  const again = reader.watch('messages.thread', { conversation: 'C1', limit: 60 }, 'again')
  await expect.poll(() => again()?.facts.gapBefore).toBe('M45')
  await expect.poll(() => again()?.rows.length).toBe(45)
  await expect.poll(() => again()?.facts.gapBefore).toBeNull()
})

test('far behind, the newest page is loaded first and the gap stays to be loaded on demand', async () => {
  const state = { last: 40 }
  const reader = await openReader(talk(state))
  const held = reader.watch('messages.thread', { conversation: 'C1', limit: 30 })
  await expect.poll(() => held()?.rows.length).toBe(30)
  reader.unwatch('messages.thread')
  state.last = 2000
  reader.skip = 61_000
  reader.watch('messages.thread', { conversation: 'C1', limit: 30 })
  await expect.poll(() => held()?.rows.at(-1)?.seq).toBe(2000)
  expect(seqs(held())).toEqual(range(1971, 2000))
})

test('messages without sequence numbers are ordered by time and show no gap', async () => {
  const rows = [3, 1, 2].map((n) => ({ ...message(n), seq: undefined }))
  const reader = await openReader(({ name }) =>
    name === 'message.list' ? { body: rows } : refused(405, 'method_not_allowed'),
  )
  const held = reader.watch('messages.thread', { conversation: 'C1', limit: 30 })
  await expect.poll(() => held()?.rows.map(({ id }) => id)).toEqual(['M1', 'M2', 'M3'])
  expect(held()?.facts.gapBefore).toBeNull()
})

test('the list catches up by its cursor; unread is counted from it, and search ignores accents', async () => {
  const state = { last: 40 }
  const reader = await openReader(talk(state))
  const held = reader.watch('conversations.list', { search: '' })
  const found = reader.watch('conversations.list', { search: 'electro' }, 'found')
  const none = reader.watch('conversations.list', { search: 'moto' }, 'none')
  await expect.poll(() => held()?.facts.unread).toBe(2)
  await expect.poll(() => found()?.rows.length).toBe(1)
  await expect.poll(() => none()?.facts.unread).toBe(2)
  expect(none()?.rows).toEqual([])
  reader.skip = 61_000
  expect(await reader.again('conversations.list', { search: '' })).toBe(true)
  expect(names(reader).filter((name) => name.startsWith('conversation.list'))).toEqual([
    'conversation.list page_size=50',
    'conversation.list page_size=50 updated_after=c40',
  ])
})

test('a cursor that is too old reloads the whole list, without the rows that are gone', async () => {
  const state = { last: 40 }
  const reader = await openReader(talk(state))
  const held = reader.watch('conversations.list', { search: '' })
  await expect.poll(() => held()?.rows.length).toBe(1)
  const whole = talk(state)
  reader.server = (asked) =>
    asked.query['updated_after'] === undefined
      ? asked.name === 'conversation.list'
        ? { body: { next: null, results: [], cursor: 'c41' } }
        : whole(asked)
      : refused(410, 'cursor_expired')
  await reader.again('conversations.list', { search: '' })
  await expect.poll(() => held()?.rows).toEqual([])
})

const waiting = (sequence: number, content: string, more: Partial<Entry> = {}): Entry =>
  waitingEntry({
    id: `00000000-0000-7000-8000-00000000000${sequence}`,
    sequence,
    lane: 'conversation:C1',
    name: 'message.send',
    payload: { conversation: 'C1', content },
    bornAt: Date.UTC(2026, 3, 1) + sequence,
    ...more,
  })

test('[S2.42] the list previews the last message written here, and shows it as not sent yet', async () => {
  const reader = await openReader(talk({ last: 4 }))
  const held = reader.watch('conversations.list', { search: '' })
  await expect.poll(() => held()?.rows.length).toBe(1)
  const shown = () =>
    held()?.rows.map(({ last_message: last, unsent }) => [last?.content, last?.sender_id, unsent])
  expect(shown()).toEqual([['n° 4', 'U2', null]])
  reader.outbox.next([waiting(1, 'une'), waiting(2, 'deux')])
  await expect.poll(shown).toEqual([['deux', 'U1', 'queued']])
  reader.outbox.next([waiting(2, 'deux', { state: 'refused' })])
  await expect.poll(shown).toEqual([['deux', 'U1', 'refused']])
  reader.outbox.next([])
  await expect.poll(shown).toEqual([['n° 4', 'U2', null]])
})

test('[S2.28] a message whose document did not fit on disk shows in its thread from the outbox, once', async () => {
  const reader = await openReader(talk({ last: 2 }))
  const held = reader.watch('messages.thread', { conversation: 'C1', limit: 30 })
  const shown = () => held()?.rows.map(({ content, state }) => `${content} ${state}`)
  await expect.poll(shown).toEqual(['n° 1 sent', 'n° 2 sent'])
  const one = waiting(1, 'une')
  reader.outbox.next([
    one,
    waiting(2, 'ailleurs', { payload: { conversation: 'C2', content: 'ailleurs' } }),
    waiting(3, 'deux', { state: 'refused' }),
  ])
  await expect.poll(shown).toEqual(['n° 1 sent', 'n° 2 sent', 'une queued', 'deux refused'])
  // There is room again: its document replaces the outbox row.
  await commands['message.send'].apply?.(
    {
      ...one,
      sequence: one.sequence,
      createdAt: one.bornAt,
      payload: { conversation: 'C1', content: 'une' },
    },
    reader.tools,
  )
  reader.outbox.next([{ ...one, state: 'acknowledged' }])
  await expect.poll(shown).toEqual(['n° 1 sent', 'n° 2 sent', 'une queued'])
  reader.outbox.next([
    waiting(4, 'trois', { state: 'acknowledged' }),
    waiting(5, 'quatre', { state: 'acknowledged', problem: { detail: '', code: 'removed' } }),
  ])
  await expect.poll(shown).toEqual(['n° 1 sent', 'n° 2 sent', 'une queued', 'trois sent'])
})

test('[S2.42] a conversation begun here is in the list once, also when its event outruns the answer', async () => {
  const first = waiting(1, 'Bonjour', {
    name: 'conversation.start',
    payload: { listing: 'L1', content: 'Bonjour' },
  })
  const reader = await openReader(() => ({
    body: { count: 0, next: null, results: [], cursor: 'c0' },
  }))
  const held = reader.watch('conversations.list', { search: '' })
  const shown = () =>
    held()?.rows.map(({ id, last_message: last, unsent }) => [id, last?.content, unsent])
  await expect.poll(() => held()?.status).toBe('ready')
  await storePending(
    reader.tools,
    {
      ...first,
      sequence: first.sequence,
      createdAt: first.bornAt,
      payload: { content: 'Bonjour' },
    },
    'L1',
  )
  reader.outbox.next([first])
  await expect.poll(shown).toEqual([['new-L1', 'Bonjour', 'queued']])
  const arrived = conversation(1, {
    last_message: message(1, { content: 'Bonjour', sender_id: 'U1', client_id: first.id }),
  })
  await upsertConversations(
    reader.tools,
    [readConversation(arrived)].flatMap((one) => one ?? []),
  )
  await expect.poll(shown).toEqual([['C1', 'Bonjour', null]])
})

test('visitors, and conversations that exist only locally, make no calls', async () => {
  const reader = await openReader(talk({ last: 4 }))
  const local = reader.watch('messages.thread', { conversation: 'new-L1', limit: 30 })
  await expect.poll(() => local()?.status).toBe('ready')
  reader.who.next({ me: '', username: '', language: 'fr' })
  const list = reader.watch('conversations.list', { search: '' })
  await expect.poll(() => list()?.status).toBe('ready')
  expect(reader.asked).toEqual([])
})

test('[S2.42] [S4.12] a first message with a lost answer stays in its thread when its event arrives', async () => {
  const reader = await openReader(() => offline)
  const held = reader.watch('messages.thread', { conversation: 'new-L1', limit: 30 })
  const first = {
    id: 'E1',
    owner: 'U1',
    sequence: 1,
    createdAt: Date.UTC(2026, 2, 1),
    payload: { listing: 'L1', content: 'Bonjour' },
  }
  await commands['conversation.start'].apply?.(first, reader.tools)
  await expect
    .poll(() => held()?.rows.map(({ id, state }) => `${id} ${state}`))
    .toEqual(['E1 queued'])
  const sent = message(1, { client_id: 'E1', sender_id: 'U1', content: 'Bonjour' })
  const event = readNotification({
    id: 'N1',
    event: 'message.created',
    event_id: 'V1',
    ts: '2026-03-01T00:00:00.000Z',
    title: 'Nouveau message',
    message: '',
  })
  if (event)
    await messageEvents['message.created']?.(
      event,
      { message: sent, conversation: conversation(1, { last_message: sent }) },
      reader.tools,
    )
  await expect
    .poll(() => held()?.rows.map(({ id, state }) => `${id} ${state}`))
    .toEqual(['E1 sent'])
  const conversations = reader.watch('conversations.list', { search: '' })
  await expect.poll(() => conversations()?.rows.map(({ id }) => id)).toEqual(['C1'])
})
