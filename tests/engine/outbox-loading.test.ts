import type { SendResult } from '#schema/port/outcome'
import { createEngine } from '#sync/engine'
import { visitorNouns } from '#sync/nouns/visitor'
import { nouns } from '#sync/signed-in'
import { writes } from '#sync/writes'
import { remembering } from '#sync/outbox/firstWrite'
import { emptyState } from '#sync/outbox/state'
import { expect, test, vi } from 'vitest'
import { EngineHarness } from './harness.ts'
import { deviceDbOf, memoryTableOf, seenOf } from './model/disk.ts'
import { Realm } from './model/realm.ts'
import { memoryStore } from './model/store.ts'

vi.spyOn(console, 'warn').mockImplementation(() => undefined)

/** A tab whose code of the outbox takes 5 s to load, and fails to this many times. */
function slow(harness: EngineHarness, missing = 0) {
  const { world, device } = harness
  const realm = new Realm(world)
  const seen = { loads: 0 }
  const table = remembering(memoryTableOf(device.disk), () => world.id())
  const engine = createEngine({
    outside: device.outside(realm),
    device: deviceDbOf(() => Promise.resolve(device.disk.state !== emptyState), {
      table,
      seen: seenOf(device.disk, realm),
      drafts: () => Promise.reject(new Error('no drafts')),
    }),
    async writes() {
      seen.loads += 1
      await realm.step(5000)
      if (missing-- > 0) throw new Error('no network')
      return { ...writes, tableOn: () => table }
    },
    store: memoryStore(device.documents, realm),
    nouns: visitorNouns,
    more: () => Promise.resolve(nouns),
    version: '1',
  })
  const enter = (token: string | null): Promise<void> =>
    engine.setSession({ token, language: 'en', sessionId: 'visitor-1' })
  const save = (saved: boolean): Promise<SendResult> =>
    engine.send({ id: world.id(), name: 'listing.save', payload: { listing: 'L1', saved } })
  const report = (message: string): Promise<SendResult> =>
    engine.send({
      id: world.id(),
      name: 'report.send',
      payload: { category: 'fraud', message, listing: 'L1', user: null },
    })
  return { engine, enter, save, report, seen }
}

test('[SYNC 2] a visitor who writes nothing loads no outbox', async () => {
  const harness = new EngineHarness()
  const { enter, engine, seen } = slow(harness)
  await harness.when(enter(null))
  await harness.world.run(200_000)
  expect(seen.loads).toBe(0)
  expect([engine.line.facts.value.leader, harness.device.disk.state]).toEqual([false, emptyState])
})

test('[SYNC 5] what is written while the outbox loads waits for it, in the order of writing', async () => {
  const harness = new EngineHarness()
  const { enter, report, seen } = slow(harness)
  await harness.when(enter(null))
  const sent = Promise.all(['one', 'two', 'three'].map(report))
  await harness.world.run(4000)
  expect(harness.device.disk.state).toBe(emptyState)
  const results = await harness.when(sent)
  expect(results.map(({ kind }) => kind)).toEqual(['queued', 'queued', 'queued'])
  const { entries, meta } = harness.device.disk.state
  expect(entries.map(({ payload }) => payload['message'])).toEqual(['one', 'two', 'three'])
  // The service worker can send it too.
  expect(meta).toMatchObject({ language: 'en', sessionId: 'visitor-1' })
  await harness.world.run(60_000)
  expect(harness.device.disk.state.entries).toEqual([])
  expect(seen.loads).toBe(1)
})

test('[SYNC 5] a write whose code cannot be loaded is refused, and the next one tries again', async () => {
  const harness = new EngineHarness()
  const { enter, save } = slow(harness, 1)
  await harness.when(enter(null))
  expect(await harness.when(save(true))).toEqual({ kind: 'unstorable', why: 'unloaded' })
  expect(harness.device.disk.state).toBe(emptyState)
  expect(await harness.when(save(true))).toMatchObject({ kind: 'queued' })
})

test('[SYNC 6] a tab without an outbox sends what another one wrote before it died', async () => {
  const harness = new EngineHarness()
  const { enter } = slow(harness)
  await harness.when(enter(null))
  harness.network.become('gone')
  const other = await harness.open()
  const { world } = harness
  const written = other.engine.send({
    id: world.id(),
    name: 'report.send',
    payload: { category: 'fraud', message: 'm', listing: 'L1', user: null },
  })
  expect(await harness.when(written)).toMatchObject({ kind: 'queued' })
  harness.device.kill(other)
  harness.network.become('there')
  expect(harness.device.disk.state.entries).toHaveLength(1)
  await world.run(200_000)
  expect(harness.device.disk.state.entries).toEqual([])
})

test('[S4.05] a session loads the outbox; a sign-in whose code fails is stored once it comes', async () => {
  const harness = new EngineHarness()
  const { enter, engine, seen } = slow(harness, 2)
  await harness.when(enter(null))
  const result = await harness.when(
    engine.ask({ name: 'account.login', params: { username: 'U-awa', password: 'x' } }),
  )
  if (result.kind !== 'done') throw new Error(result.kind)
  await harness.when(enter(result.answer.token))
  expect(engine.session.who.value.me).toBe('U-awa')
  await harness.world.run(60_000)
  expect(seen.loads).toBe(3)
  expect(engine.line.facts.value.leader).toBe(true)
  expect(harness.device.disk.state.meta.sessions.map(({ owner }) => owner)).toEqual(['U-awa'])
})
