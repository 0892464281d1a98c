import { expect, test, vi } from 'vitest'
import { HOUR, CountedHarness, limited, MINUTE, page520, unavailable } from './counted.ts'
import { type Answer, EPOCH } from './model/server.ts'

vi.spyOn(console, 'warn').mockImplementation(() => undefined)

test('[S4.06] signing in again in the same tab after a revoked session redials the socket', async () => {
  const harness = new CountedHarness()
  const tab = await harness.open()
  await harness.signIn(tab, 'U-awa')
  expect(tab.engine.line.facts.value.socket).toBe('open')
  harness.server.revoke('U-awa')
  await harness.world.run(5000)
  expect(harness.notes.filter(({ kind }) => kind === 'session-ended')).toHaveLength(1)
  await harness.enter(tab, null)
  await harness.signIn(tab, 'U-awa')
  await harness.world.run(5000)
  expect(tab.engine.line.facts.value.socket).toBe('open')
})

test('[S4.10] a silent socket is redialled after 10 s with backoff, and data is polled', async () => {
  const harness = new CountedHarness()
  const tab = await harness.open()
  harness.network.sockets = 'deaf'
  await harness.signIn(tab, 'U-awa')
  const [first = 0] = harness.network.dials
  await harness.world.run(13 * 1000)
  expect(harness.network.dials).toHaveLength(2)
  expect((harness.network.dials[1] ?? 0) - first).toBeGreaterThanOrEqual(10_000)
  await harness.world.run(10 * MINUTE)
  expect(harness.network.dials.length).toBeLessThanOrEqual(8)
  const reads = harness.network
    .since(harness.world.now - 10 * MINUTE)
    .calls.filter(({ path }) => path.startsWith('/api/conversations/'))
  expect(reads.length).toBeGreaterThanOrEqual(2)
  expect(reads.length).toBeLessThanOrEqual(15)
  harness.network.sockets = 'there'
  await harness.world.run(6 * MINUTE)
  expect(tab.engine.line.facts.value.socket).toBe('open')
})

test('[S9.14] with blocked sockets an open chat polls every 2 min, every 5 with data saver, never hidden', async () => {
  const harness = new CountedHarness()
  const tab = await harness.open()
  harness.network.sockets = 'blocked'
  await harness.signIn(tab, 'U-awa')
  await harness.write(tab, 'Bonjour')
  harness.show(tab, { messages: true })
  const reads = async (): Promise<number> => {
    await harness.world.run(1)
    const from = harness.world.now
    await harness.world.run(HOUR)
    return harness.network.since(from).calls.length
  }
  expect(await reads()).toBe(30)
  harness.show(tab, { messages: true, saveData: true })
  expect(await reads()).toBe(12)
  harness.show(tab, { messages: true, visible: false })
  expect(await reads()).toBe(0)
})

test('[S9.14] [D13] a sign-in while sockets are blocked gets what is new by the poll after two minutes', async () => {
  const harness = new CountedHarness()
  const tab = await harness.open()
  await harness.signIn(tab, 'U-awa')
  await harness.write(tab, 'Bonjour')
  for (let closes = 0; closes < 5; closes++) {
    harness.network.cut()
    await harness.world.run(MINUTE)
  }
  harness.network.sockets = 'blocked'
  harness.network.cut()
  await harness.enter(tab, null)
  const [thread] = harness.server.threads.values()
  if (!thread) throw new Error('no conversation')
  await harness.signIn(tab, 'U-awa')
  harness.server.sellerWrites(thread, 'Encore là')
  await harness.world.run(2 * MINUTE + 5000)
  const here = [...harness.device.documents.of('of U-awa').messages.values()]
  expect(here.map(({ content }) => content)).toContain('Encore là')
})

test('[S9.14] a new message shows in an open chat within two minutes, though sockets are blocked', async () => {
  const harness = new CountedHarness()
  const tab = await harness.open()
  harness.network.sockets = 'blocked'
  await harness.signIn(tab, 'U-awa')
  await harness.write(tab, 'Bonjour')
  harness.show(tab, { messages: true })
  const [thread] = harness.server.threads.values()
  if (!thread) throw new Error('no conversation')
  harness.server.sellerWrites(thread, 'Encore là')
  await harness.world.run(2 * MINUTE + 5000)
  const here = [...harness.device.documents.of('of U-awa').messages.values()].map(
    ({ content }) => content,
  )
  expect(here).toContain('Encore là')
})

/** Most dials and calls of one device while one call of the catch-up fails for ten minutes. */
const MOST_DIALS = 1
const MOST_CALLS = 20

test.each<[string, Answer, number]>([
  ['503', unavailable(), 250],
  ['503 with Retry-After: 60', unavailable(60), 60_000],
  ['429 with Retry-After: 60', limited(60), 60_000],
])(
  '[S4.09] a catch-up call that fails with %s causes no dials and few retries, with backoff',
  async (_what, answer, least) => {
    const harness = new CountedHarness()
    const tab = await harness.open()
    harness.network.instead = ({ path }) => (path.startsWith('/api/notifications/') ? answer : null)
    const from = harness.world.now
    await harness.signIn(tab, 'U-awa')
    await harness.world.run(10 * MINUTE)
    const { calls, dials } = harness.network.since(from)
    expect(dials).toBeLessThanOrEqual(MOST_DIALS)
    expect(calls.length).toBeLessThanOrEqual(MOST_CALLS)
    const tries = calls
      .filter(({ path }) => path.startsWith('/api/notifications/'))
      .map(({ at }) => at)
    expect(tries.length).toBeGreaterThanOrEqual(3)
    expect(Math.min(...tries.slice(1).map((at, n) => at - (tries[n] ?? 0)))).toBeGreaterThanOrEqual(
      least,
    )
    // Live events arrive all the same, and the catch-up ends once the call is answered.
    expect(tab.engine.line.facts.value.socket).toBe('open')
    harness.network.instead = () => null
    await harness.world.run(6 * MINUTE)
    const { dials: more } = harness.network.since(harness.world.now - 6 * MINUTE)
    expect(more).toBe(0)
  },
)

test('a flickering network under a failing call resets no wait', async () => {
  const harness = new CountedHarness()
  const tab = await harness.open()
  harness.network.instead = ({ path }) =>
    path.startsWith('/api/notifications/') ? unavailable() : null
  await harness.signIn(tab, 'U-awa')
  const from = harness.world.now
  for (let n = 0; n < 60; n++) {
    harness.network.become('gone')
    harness.show(tab)
    await harness.world.run(2000)
    harness.network.become('there')
    harness.show(tab)
    await harness.world.run(8000)
  }
  const { calls, dials } = harness.network.since(from)
  expect(dials).toBeLessThanOrEqual(60)
  expect(
    calls.filter(({ path }) => path.startsWith('/api/notifications/')).length,
  ).toBeLessThanOrEqual(20)
})

test('after an outage every lane retries within two seconds of the first answer, also after a reload', async () => {
  const harness = new CountedHarness({ keys: false })
  const tab = await harness.open()
  const token = await harness.signIn(tab, 'U-awa')
  for (const listing of ['L1', 'L2', 'L3', 'L4'])
    await harness.write(tab, `before ${listing}`, listing)
  harness.network.instead = ({ path }) => (path.includes('/api/ping') ? null : page520)
  for (const listing of ['L1', 'L2', 'L3', 'L4'])
    void tab.engine.send({
      id: harness.world.id(),
      name: 'conversation.start',
      payload: { listing, content: `during ${listing}` },
    })
  await harness.world.run(40_000)
  harness.device.kill(tab)
  const again = await harness.open(token)
  await harness.world.run(5000)
  harness.network.instead = () => null
  const from = harness.world.now
  harness.show(again)
  await harness.world.run(5 * MINUTE, () => harness.sent().length > 4)
  const firstAt = harness.world.now
  await harness.world.run(4000)
  expect(harness.sent().toSorted()).toEqual(
    ['L1', 'L2', 'L3', 'L4']
      .flatMap((listing) => [`before ${listing}`, `during ${listing}`])
      .toSorted(),
  )
  expect(firstAt - from).toBeLessThanOrEqual(30_000)
  expect(
    harness.network.since(from).calls.filter(({ method }) => method === 'POST').length,
  ).toBeLessThanOrEqual(8)
})

test('[SYNC 8] a wait that an answer shortens is shortened once the disk works again', async () => {
  const harness = new CountedHarness()
  const tab = await harness.open()
  await harness.signIn(tab, 'U-awa')
  harness.network.instead = ({ method, path }) =>
    method === 'POST' && path.startsWith('/api/favorites/') ? unavailable() : null
  const payload = { listing: 'L1', saved: true }
  await harness.when(tab.engine.send({ id: harness.world.id(), name: 'listing.save', payload }))
  const waits = (): number => {
    const [entry] = harness.device.disk.state.entries
    return entry ? entry.notBefore - EPOCH - harness.world.now : 0
  }
  await harness.world.run(HOUR, () => waits() > 3 * MINUTE)
  expect(waits()).toBeGreaterThan(3 * MINUTE)
  harness.network.instead = () => null
  harness.device.disk.full = true
  await harness.when(
    tab.engine.ask({
      name: 'data.refresh',
      params: { name: 'conversations.list', params: { search: '' } },
    }),
  )
  await harness.world.run(1000)
  harness.device.disk.full = false
  await harness.world.run(2 * MINUTE)
  expect(harness.states()).toEqual([])
})

test('a failed read-back does not count as a try', async () => {
  const harness = new CountedHarness({ keys: false })
  const tab = await harness.open()
  await harness.signIn(tab, 'U-awa')
  await harness.write(tab, 'one')
  harness.network.instead = () => page520
  const from = harness.world.now
  await harness.write(tab, 'two')
  await harness.world.run(8000)
  const [entry] = harness.device.disk.state.entries
  expect(entry?.uncertain).toBe(true)
  expect(
    harness.network
      .since(from)
      .calls.filter(
        ({ method, path }) => method === 'GET' && path.startsWith('/api/conversations/'),
      ).length,
  ).toBeGreaterThan(1)
  expect(entry?.tries).toBe(1)
})

test('with data saver other screens do not poll, and a blocked socket is dialled every five minutes', async () => {
  const harness = new CountedHarness()
  const tab = await harness.open()
  harness.network.sockets = 'blocked'
  await harness.signIn(tab, 'U-awa')
  harness.show(tab, { saveData: true })
  await harness.world.run(20_000)
  const from = harness.world.now
  await harness.world.run(HOUR)
  const { calls, dials } = harness.network.since(from)
  expect([calls.length, dials]).toEqual([0, 12])
})

test.each([
  [false, 1],
  [true, 0],
])(
  'data saver %s: of an unread conversation never opened here, %i threads are prefetched',
  async (saveData, threads) => {
    const harness = new CountedHarness()
    const tab = await harness.open()
    await harness.signIn(tab, 'U-awa')
    await harness.write(tab, 'Bonjour')
    const [thread] = harness.server.threads.values()
    if (!thread) throw new Error('no conversation')
    harness.server.sellerWrites(thread, 'Encore là')
    harness.device.kill(tab)
    harness.device.documents.of('of U-awa').messages.clear()
    harness.device.documents.of('of U-awa').conversations.clear()
    harness.device.documents.of('of U-awa').ownLists.clear()
    const other = await harness.open()
    harness.show(other, { saveData })
    const from = harness.world.now
    await harness.signIn(other, 'U-awa')
    await harness.world.run(5000)
    expect(
      harness.network
        .since(from)
        .calls.filter(({ path }) => path.startsWith('/api/conversations/C-')),
    ).toHaveLength(threads)
  },
)
