import { SEEN_EVENTS_KEPT, SEEN_EVENTS_MAX } from '#schema/limits'
import type { Notification } from '#schema/wire/notification'
import { receive } from '#sync/inbox/receive'
import { createSeen, type Seen, type SeenDisk } from '#sync/inbox/seen'
import { expect, test } from 'vitest'

interface Kept {
  readonly ids: string[]
  readonly seen: Seen
}

function kept(): Kept {
  const ids: string[] = []
  const disk: SeenDisk = {
    read: () => Promise.resolve([...ids]),
    add: async (_owner, id) => ids.push(id),
    trim: async (_owner, left) => void ids.splice(0, Math.max(0, ids.length - left)),
  }
  const seen = createSeen({ open: () => Promise.resolve({ seen: disk }) }, 'U1')
  return { ids, seen }
}

async function take(frame: Record<string, unknown>, seen: Seen): Promise<Notification[]> {
  const received: Notification[] = []
  await receive(frame, 0, seen, async (event) => {
    received.push(event)
    return null
  })
  return received
}

test('[S4.14] the same event by socket and by push is applied once', async () => {
  const { seen } = kept()
  const frame = {
    event: 'message.created',
    event_id: 'E1',
    id: 'N1',
    message: { content: 'a', conversation: 'C1', id: 'M1', seq: 1 },
  }
  expect(await take(frame, seen)).toHaveLength(1)
  expect(await take(frame, seen)).toHaveLength(0)
})

test('[S4.14][S9.08] 4000 event ids are stored, then trimmed to 2000; stored ones outlive the tab', async () => {
  const { ids, seen } = kept()
  for (let n = 0; n <= SEEN_EVENTS_MAX; n++) await seen.add(`E${n}`)
  expect(ids).toHaveLength(SEEN_EVENTS_KEPT)
  expect(await seen.has(`E${SEEN_EVENTS_MAX}`)).toBe(true)
  expect(await seen.has('E0')).toBe(false)
})

test('an event whose documents could not be written does not count as seen', async () => {
  const { ids, seen } = kept()
  const broken = receive({ event: 'x', event_id: 'E1' }, 0, seen, () =>
    Promise.reject(new Error('full')),
  )
  await expect(broken).rejects.toThrow('full')
  expect(ids).toEqual([])
})

test('events of a simpler server are read: wrapped, with `type`, numeric ids, without an event id', async () => {
  const { ids, seen } = kept()
  const [event] = await take(
    { data: { type: 'message.created', id: 7, message: { content: 'a', conversation: 5, id: 9 } } },
    seen,
  )
  expect(event).toMatchObject({
    event: 'message.created',
    id: '7',
    event_id: '7',
    conversation_id: '5',
  })
  expect(ids).toEqual(['7'])
})

test.each([[{}], [{ event: 5 }], [{ type: 'welcome', data: null, message: [] }]])(
  '%j is ignored',
  async (frame) => {
    await expect(take(frame, kept().seen)).resolves.toEqual([])
  },
)
