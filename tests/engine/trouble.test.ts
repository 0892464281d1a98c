import { expect, test, vi } from 'vitest'
import { HOUR, CountedHome, limited, MINUTE, page520, unavailable } from './counted.ts'
import { type Answer, EPOCH } from './model/server.ts'

vi.spyOn(console, 'warn').mockImplementation(() => undefined)

test('[S4.06] signing in again in the same tab after a revoked session redials the socket', async () => {
  const home = new CountedHome()
  const tab = await home.open()
  await home.signIn(tab, 'U-awa')
  expect(tab.engine.line.facts.value.socket).toBe('open')
  home.server.revoke('U-awa')
  await home.world.run(5000)
  expect(home.notes.filter(({ kind }) => kind === 'session-ended')).toHaveLength(1)
  await home.enter(tab, null)
  await home.signIn(tab, 'U-awa')
  await home.world.run(5000)
  expect(tab.engine.line.facts.value.socket).toBe('open')
})

test('[S4.10] a silent socket is redialled after 10 s with backoff, and data is polled', async () => {
  const home = new CountedHome()
  const tab = await home.open()
  home.network.sockets = 'deaf'
  await home.signIn(tab, 'U-awa')
  const [first = 0] = home.network.dials
  await home.world.run(13 * 1000)
  expect(home.network.dials).toHaveLength(2)
  expect((home.network.dials[1] ?? 0) - first).toBeGreaterThanOrEqual(10_000)
  await home.world.run(10 * MINUTE)
  expect(home.network.dials.length).toBeLessThanOrEqual(8)
  const reads = home.network
    .since(home.world.now - 10 * MINUTE)
    .calls.filter(({ path }) => path.startsWith('/api/conversations/'))
  expect(reads.length).toBeGreaterThanOrEqual(2)
  expect(reads.length).toBeLessThanOrEqual(15)
  home.network.sockets = 'there'
  await home.world.run(6 * MINUTE)
  expect(tab.engine.line.facts.value.socket).toBe('open')
})

test('[S9.14] with blocked sockets an open chat polls every 2 min, every 5 with data saver, never hidden', async () => {
  const home = new CountedHome()
  const tab = await home.open()
  home.network.sockets = 'blocked'
  await home.signIn(tab, 'U-awa')
  await home.write(tab, 'Bonjour')
  home.show(tab, { messages: true })
  const reads = async (): Promise<number> => {
    await home.world.run(1)
    const from = home.world.now
    await home.world.run(HOUR)
    return home.network.since(from).calls.length
  }
  expect(await reads()).toBe(30)
  home.show(tab, { messages: true, saveData: true })
  expect(await reads()).toBe(12)
  home.show(tab, { messages: true, visible: false })
  expect(await reads()).toBe(0)
})

test('[S9.14] [D13] a sign-in while sockets are blocked gets what is new by the poll after two minutes', async () => {
  const home = new CountedHome()
  const tab = await home.open()
  await home.signIn(tab, 'U-awa')
  await home.write(tab, 'Bonjour')
  for (let closes = 0; closes < 5; closes++) {
    home.network.cut()
    await home.world.run(MINUTE)
  }
  home.network.sockets = 'blocked'
  home.network.cut()
  await home.enter(tab, null)
  const [thread] = home.server.threads.values()
  if (!thread) throw new Error('no conversation')
  await home.signIn(tab, 'U-awa')
  home.server.sellerWrites(thread, 'Encore là')
  await home.world.run(2 * MINUTE + 5000)
  const here = [...home.device.documents.of('of U-awa').messages.values()]
  expect(here.map(({ content }) => content)).toContain('Encore là')
})

test('[S9.14] a new message shows in an open chat within two minutes, though sockets are blocked', async () => {
  const home = new CountedHome()
  const tab = await home.open()
  home.network.sockets = 'blocked'
  await home.signIn(tab, 'U-awa')
  await home.write(tab, 'Bonjour')
  home.show(tab, { messages: true })
  const [thread] = home.server.threads.values()
  if (!thread) throw new Error('no conversation')
  home.server.sellerWrites(thread, 'Encore là')
  await home.world.run(2 * MINUTE + 5000)
  const here = [...home.device.documents.of('of U-awa').messages.values()].map(
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
    const home = new CountedHome()
    const tab = await home.open()
    home.network.instead = ({ path }) => (path.startsWith('/api/notifications/') ? answer : null)
    const from = home.world.now
    await home.signIn(tab, 'U-awa')
    await home.world.run(10 * MINUTE)
    const { calls, dials } = home.network.since(from)
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
    home.network.instead = () => null
    await home.world.run(6 * MINUTE)
    const { dials: more } = home.network.since(home.world.now - 6 * MINUTE)
    expect(more).toBe(0)
  },
)

test('a flickering network under a failing call resets no wait', async () => {
  const home = new CountedHome()
  const tab = await home.open()
  home.network.instead = ({ path }) =>
    path.startsWith('/api/notifications/') ? unavailable() : null
  await home.signIn(tab, 'U-awa')
  const from = home.world.now
  for (let n = 0; n < 60; n++) {
    home.network.become('gone')
    home.show(tab)
    await home.world.run(2000)
    home.network.become('there')
    home.show(tab)
    await home.world.run(8000)
  }
  const { calls, dials } = home.network.since(from)
  expect(dials).toBeLessThanOrEqual(60)
  expect(
    calls.filter(({ path }) => path.startsWith('/api/notifications/')).length,
  ).toBeLessThanOrEqual(20)
})

test('after an outage every lane retries within two seconds of the first answer, also after a reload', async () => {
  const home = new CountedHome({ keys: false })
  const tab = await home.open()
  const token = await home.signIn(tab, 'U-awa')
  for (const listing of ['L1', 'L2', 'L3', 'L4'])
    await home.write(tab, `before ${listing}`, listing)
  home.network.instead = ({ path }) => (path.includes('/api/ping') ? null : page520)
  for (const listing of ['L1', 'L2', 'L3', 'L4'])
    void tab.engine.send({
      id: home.world.id(),
      name: 'conversation.start',
      payload: { listing, content: `during ${listing}` },
    })
  await home.world.run(40_000)
  home.device.kill(tab)
  const again = await home.open(token)
  await home.world.run(5000)
  home.network.instead = () => null
  const from = home.world.now
  home.show(again)
  await home.world.run(5 * MINUTE, () => home.sent().length > 4)
  const firstAt = home.world.now
  await home.world.run(4000)
  expect(home.sent().toSorted()).toEqual(
    ['L1', 'L2', 'L3', 'L4']
      .flatMap((listing) => [`before ${listing}`, `during ${listing}`])
      .toSorted(),
  )
  expect(firstAt - from).toBeLessThanOrEqual(30_000)
  expect(
    home.network.since(from).calls.filter(({ method }) => method === 'POST').length,
  ).toBeLessThanOrEqual(8)
})

test('[SYNC 8] a wait that an answer shortens is shortened once the disk works again', async () => {
  const home = new CountedHome()
  const tab = await home.open()
  await home.signIn(tab, 'U-awa')
  home.network.instead = ({ method, path }) =>
    method === 'POST' && path.startsWith('/api/favorites/') ? unavailable() : null
  const payload = { listing: 'L1', saved: true }
  await home.when(tab.engine.send({ id: home.world.id(), name: 'listing.save', payload }))
  const waits = (): number => {
    const [entry] = home.device.disk.state.entries
    return entry ? entry.notBefore - EPOCH - home.world.now : 0
  }
  await home.world.run(HOUR, () => waits() > 3 * MINUTE)
  expect(waits()).toBeGreaterThan(3 * MINUTE)
  home.network.instead = () => null
  home.device.disk.full = true
  await home.when(tab.engine.refresh('conversations.list', { search: '' }))
  await home.world.run(1000)
  home.device.disk.full = false
  await home.world.run(2 * MINUTE)
  expect(home.states()).toEqual([])
})

test('a failed read-back does not count as a try', async () => {
  const home = new CountedHome({ keys: false })
  const tab = await home.open()
  await home.signIn(tab, 'U-awa')
  await home.write(tab, 'one')
  home.network.instead = () => page520
  const from = home.world.now
  await home.write(tab, 'two')
  await home.world.run(8000)
  const [entry] = home.device.disk.state.entries
  expect(entry?.uncertain).toBe(true)
  expect(
    home.network
      .since(from)
      .calls.filter(
        ({ method, path }) => method === 'GET' && path.startsWith('/api/conversations/'),
      ).length,
  ).toBeGreaterThan(1)
  expect(entry?.tries).toBe(1)
})

test('with data saver other screens do not poll, and a blocked socket is dialled every five minutes', async () => {
  const home = new CountedHome()
  const tab = await home.open()
  home.network.sockets = 'blocked'
  await home.signIn(tab, 'U-awa')
  home.show(tab, { saveData: true })
  await home.world.run(20_000)
  const from = home.world.now
  await home.world.run(HOUR)
  const { calls, dials } = home.network.since(from)
  expect([calls.length, dials]).toEqual([0, 12])
})

test.each([
  [false, 1],
  [true, 0],
])(
  'data saver %s: of an unread conversation never opened here, %i threads are prefetched',
  async (saveData, threads) => {
    const home = new CountedHome()
    const tab = await home.open()
    await home.signIn(tab, 'U-awa')
    await home.write(tab, 'Bonjour')
    const [thread] = home.server.threads.values()
    if (!thread) throw new Error('no conversation')
    home.server.sellerWrites(thread, 'Encore là')
    home.device.kill(tab)
    home.device.documents.of('of U-awa').messages.clear()
    home.device.documents.of('of U-awa').conversations.clear()
    home.device.documents.of('of U-awa').ownLists.clear()
    const other = await home.open()
    home.show(other, { saveData })
    const from = home.world.now
    await home.signIn(other, 'U-awa')
    await home.world.run(5000)
    expect(
      home.network.since(from).calls.filter(({ path }) => path.startsWith('/api/conversations/C-')),
    ).toHaveLength(threads)
  },
)
