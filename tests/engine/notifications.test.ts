import { NOTIFICATIONS_STORED, REFRESH_DEBOUNCE_MS } from '#schema/limits'
import type { Notification } from '#schema/wire/notification'
import type { EventHandler, Need } from '#sync/noun'
import { messageEvents } from '#sync/nouns/conversation/events'
import { notificationEvents, readNotification } from '#sync/nouns/notification/questions'
import { afterEach, expect, test, vi } from 'vitest'
import { EngineHarness } from './harness.ts'
import { offline, Reader } from './reader.ts'

const open: Reader[] = []
async function openReader(
  server: Parameters<typeof Reader.open>[0] = () => offline,
): Promise<Reader> {
  const made = await Reader.open(server, { me: 'U1' })
  open.push(made)
  return made
}
afterEach(async () => {
  vi.useRealTimers()
  for (const one of open.splice(0)) await one.close()
})

/** An event as the socket delivers it, `n` minutes after the first. */
function event(n: number, more: object = {}): Notification {
  const read = readNotification({
    id: `N${n}`,
    event: 'follow.created',
    event_id: `E${n}`,
    ts: new Date(Date.UTC(2026, 2, 1) + n * 60_000).toISOString(),
    title: 'Nouvel abonné',
    message: '',
    tag: `tag:${n}`,
    ...more,
  })
  if (!read) throw new Error('no event')
  return read
}

const events: Readonly<Record<string, EventHandler>> = { ...messageEvents, ...notificationEvents }

async function take(
  reader: Reader,
  what: Notification,
  frame: Record<string, unknown> = {},
): Promise<string | null> {
  const result = await events[what.event]?.(what, frame, reader.tools)
  const also = await events['*']?.(what, frame, reader.tools)
  return result?.notified ?? also?.notified ?? null
}

test('[S4.17] [S9.07] the newest 200 notifications are stored on the device', async () => {
  const reader = await openReader()
  const known = Array.from({ length: NOTIFICATIONS_STORED }, (_, n) => readNotification(event(n)))
  await reader.store.notifications.put(known.flatMap((one) => one ?? []))
  for (let n = NOTIFICATIONS_STORED; n < NOTIFICATIONS_STORED + 3; n++) await take(reader, event(n))
  const kept = await reader.store.notifications.find({ sort: [{ newest: 'asc' }] }).exec()
  expect(kept).toHaveLength(NOTIFICATIONS_STORED)
  expect([kept[0]?.id, kept.at(-1)?.id]).toEqual([`N${NOTIFICATIONS_STORED + 2}`, 'N3'])
})

test('[S4.16] reading up to a moment marks notifications up to it as read, on every device', async () => {
  const reader = await openReader()
  const badge = reader.watch('notifications.latest', { limit: 6 })
  for (const n of [1, 2, 3]) await take(reader, event(n))
  await expect.poll(() => badge()?.facts.unread).toBe(3)
  await take(reader, event(4, { event: 'notification.read', meta: { count: 1, upTo: 'N2' } }))
  await expect.poll(() => badge()?.facts.unread).toBe(1)
  expect(badge()?.rows.map(({ id, read }) => [id, read])).toEqual([
    ['N3', false],
    ['N2', true],
    ['N1', true],
  ])
})

test('[S9.09] [S4.15] the same tag within 2.5 s shows one toast; later it shows another', async () => {
  const reader = await openReader()
  const at = (ms: number) => new Date(Date.UTC(2026, 2, 1) + ms).toISOString()
  expect(await take(reader, event(1, { tag: 'same', ts: at(0) }))).toBe('N1')
  expect(await take(reader, event(2, { tag: 'same', ts: at(2500) }))).toBeNull()
  expect(await take(reader, event(3, { tag: 'same', ts: at(5001) }))).toBe('N3')
})

const message = {
  id: 'M1',
  conversation: 'C1',
  seq: 1,
  client_id: null,
  content: 'Encore là ?',
  sender_username: 'voisin',
  sender_id: 'U2',
  attachment: null,
  created_at: '2026-03-01T00:00:00.000Z',
}
const conversation = {
  id: 'C1',
  listing: {
    id: 'L1',
    title: 'Moto',
    price: null,
    currency: 'XOF',
    image: null,
    status: 'active',
    seller_id: 'U1',
  },
  participants: [],
  unread_count: 1,
  last_message: message,
  last_seq: 1,
  my_read_until: 0,
  peer_read_until: 0,
  can_send: true,
  cannot_send_reason: null,
  created_at: '2026-03-01T00:00:00.000Z',
  updated_at: '2026-03-01T00:00:00.000Z',
}

test('[S4.12] a message enters its conversation and the list, and is announced; one’s own is not', async () => {
  const reader = await openReader()
  const list = reader.watch('conversations.list', { search: '' })
  expect(
    await take(
      reader,
      event(1, {
        event: 'message.created',
        message: { content: 'Encore là ?', conversation: 'C1', id: 'M1', seq: 1 },
        conversation_id: 'C1',
      }),
      { message, conversation },
    ),
  ).toBe('N1')
  await expect
    .poll(() => list()?.rows.map(({ id, unread_count: unread }) => [id, unread]))
    .toEqual([['C1', 1]])
  expect((await reader.store.messages.findOne('M1').exec())?.content).toBe('Encore là ?')
  await take(reader, event(2, { event: 'conversation.updated' }), {
    conversation: {
      ...conversation,
      unread_count: 0,
      my_read_until: 1,
      updated_at: '2026-03-01T00:01:00.000Z',
    },
  })
  await expect.poll(() => list()?.rows[0]?.unread_count).toBe(0)
  expect(await reader.store.notifications.findOne('N2').exec()).toBeNull()
  expect(
    await messageEvents['message.created']?.(
      event(3, { event: 'message.created' }),
      { message: { ...message, id: 'M2', seq: 2, sender_id: 'U1' }, conversation },
      reader.tools,
    ),
  ).toEqual({ notified: null })
})

test('[S9.15] a burst of requests to refresh a list makes one call, 800 ms after the first', async () => {
  const reader = await openReader()
  vi.useFakeTimers()
  let calls = 0
  const need: Need = {
    key: 'burst',
    personal: true,
    freshMs: 1e9,
    fetch: async () => ((calls += 1), { kind: 'done', answer: {} }),
  }
  for (let n = 0; n < 5; n++) reader.refresh.schedule(need)
  await vi.advanceTimersByTimeAsync(REFRESH_DEBOUNCE_MS - 1)
  expect(calls).toBe(0)
  vi.advanceTimersByTime(1)
  vi.useRealTimers()
  await expect.poll(() => calls).toBe(1)
})

test('[S4.16] notifications read while the disk was full are shown as read once there is room', async () => {
  const harness = new EngineHarness()
  const tab = await harness.open()
  await harness.signIn(tab, 'U-awa')
  const [thread] = await harness
    .write(tab, 'Encore là ?')
    .then(() => [...harness.server.threads.values()])
  if (!thread) throw new Error('no thread')
  harness.server.sellerWrites(thread, 'Oui')
  await harness.world.run(5000)
  const notices = harness.device.documents.of('of U-awa').notifications
  const [notice] = notices.values()
  if (!notice) throw new Error('no notification')
  harness.device.documents.full = 1
  expect(
    await harness.when(
      tab.engine.send({
        id: harness.world.id(),
        name: 'notification.read',
        payload: { id: notice.id },
      }),
    ),
  ).toMatchObject({ kind: 'queued' })
  await harness.world.run(3000)
  harness.device.documents.full = 0
  await harness.world.run(10_000)
  expect(notices.get(notice.id)?.read).toBe(true)
  expect(harness.device.disk.state.entries).toEqual([])
})
