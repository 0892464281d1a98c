import { conversationsNeed } from '#sync/nouns/conversation/questions'
import { createRefresh } from '#sync/inbox/refresh'
import type { Need } from '#sync/noun'
import { afterEach, expect, test } from 'vitest'
import { Reader } from './reader.ts'

const open: Reader[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

/** A signed-in device whose server has no conversations. */
async function openReader(): Promise<Reader> {
  const made = await Reader.open(
    () => ({ body: { count: 0, next: null, results: [], cursor: 'c1' } }),
    { me: 'U1' },
  )
  open.push(made)
  return made
}

test('[S4.09] a catch-up is answered even when another reader of the same need leaves meanwhile', async () => {
  const reader = await openReader()
  reader.watch('conversations.list', { search: '' })
  const caughtUp = reader.refresh.again([conversationsNeed])
  reader.unwatch('conversations.list')
  expect(await caughtUp).toBe(true)
})

test('[S9.15] a refresh requested by a hidden page runs once when it is visible again, for its requester', async () => {
  const reader = await openReader()
  const due: (() => void)[] = []
  const later = (_ms: number, what: () => void) => {
    due.push(what)
    return () => undefined
  }
  const refresh = createRefresh({
    tools: () => reader.tools,
    store: reader.store,
    outside: { now: reader.tools.now, setTimer: later, random: () => 0 },
    failed: (error) => reader.failures.push(error),
  })
  refresh.allow(false)
  for (let n = 0; n < 3; n++) refresh.schedule(conversationsNeed)
  for (const what of due.splice(0)) what()
  refresh.schedule(conversationsNeed)
  expect([due.length, reader.asked.length]).toEqual([0, 0])
  refresh.allow(true)
  await expect.poll(() => reader.asked.length).toBe(1)
  refresh.allow(false)
  refresh.schedule(conversationsNeed)
  for (const what of due.splice(0)) what()
  reader.who.next({ me: 'U2', username: 'U2', language: 'fr' })
  refresh.allow(true)
  await reader.refresh.again([conversationsNeed])
  expect(reader.asked).toHaveLength(2)
  expect(reader.failures).toEqual([])
})

test('when one of two readers of the same question leaves, the other is still refreshed', async () => {
  const reader = await openReader()
  const all = reader.watch('conversations.list', { search: '' })
  reader.watch('conversations.list', { search: 'moto' }, 'found')
  await expect.poll(() => all()?.status).toBe('ready')
  reader.unwatch('found')
  reader.goOffline()
  reader.skip = 61_000
  reader.goOnline()
  await expect.poll(() => reader.asked.length).toBe(2)
})

test('[S4.23] data fetched while the clock was ahead is fetched again once the clock is right', async () => {
  const reader = await openReader()
  reader.skip = 86_400_000
  const all = reader.watch('conversations.list', { search: '' })
  await expect.poll(() => all()?.status).toBe('ready')
  reader.goOffline()
  reader.skip = 0
  reader.goOnline()
  await expect.poll(() => reader.asked.length).toBe(2)
})

test('[S2.48] a cache that another tab clears during a fetch is fetched from the beginning', async () => {
  const reader = await openReader()
  const cursors: (string | null)[] = []
  const need: Need = {
    key: 'changes',
    personal: true,
    freshMs: 60_000,
    async fetch({ store }, { known }) {
      cursors.push(known?.cursor ?? null)
      if (cursors.length === 2) await store.ownLists.remove(['changes'])
      return { kind: 'done', answer: { cursor: `c${cursors.length}` } }
    },
  }
  await reader.refresh.again([need])
  await reader.refresh.again([need])
  await expect.poll(() => cursors).toEqual([null, 'c1', null])
  expect(reader.failures).toEqual([])
})
