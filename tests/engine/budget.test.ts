import { RETRY_DAY_BYTES, RETRY_TIMES_SIZE } from '#schema/limits'
import { expect, test, vi } from 'vitest'
import { broken, HOUR, CountedHome, MINUTE, page520 } from './counted.ts'
import { overBudget } from './model/budgets.ts'
import type { Tab } from './model/device.ts'

vi.spyOn(console, 'warn').mockImplementation(() => undefined)

/** SIZE: bytes of the photo. BUDGET: bytes that failed uploads may cost in a day. */
const SIZE = 250_000
const BUDGET = RETRY_TIMES_SIZE * (SIZE + 5000) + RETRY_DAY_BYTES

async function seller(seed?: number): Promise<{ readonly home: CountedHome; readonly tab: Tab }> {
  const home = new CountedHome({ ...(seed !== undefined && { seed }) })
  const tab = await home.open()
  await home.signIn(tab, 'U-awa')
  return { home, tab }
}

const isUpload = ({ path }: { readonly path: string }): boolean => path.startsWith('/api/uploads/')

/** Simulates a person using the app, so that other calls are answered meanwhile. */
async function use(home: CountedHome, tab: Tab, hours: number): Promise<void> {
  for (let n = 0; n < hours * 4; n++) {
    void tab.engine.ask({
      name: 'data.refresh',
      params: { name: 'conversations.list', params: { search: '' } },
    })
    await home.world.run(HOUR / 4)
  }
}

test.each([
  ['is answered 500', broken],
  ['never meets its deadline', 'silence'],
] as const)(
  'an upload that %s for 24 hours costs no more than its budget, and then the person is asked',
  async (_what, answer) => {
    const { home, tab } = await seller()
    home.network.instead = (call) => (isUpload(call) ? answer : null)
    const id = await home.publish(tab, 'Vélo')
    const from = home.world.now
    await use(home, tab, 24)
    const moved = home.network
      .since(from)
      .calls.filter(isUpload)
      .reduce((sum, { bytes }) => sum + bytes, 0)
    expect(moved).toBeGreaterThan(SIZE)
    expect(moved).toBeLessThanOrEqual(BUDGET)
    expect(home.entry(id)).toMatchObject({
      state: 'refused',
      problem: { code: 'retry_data' },
      uncertain: true,
    })
    // "Continue" resumes the entry, with one more budget.
    const again = home.world.now
    await home.when(tab.engine.ask({ name: 'outbox.retry', params: { id } }))
    await use(home, tab, 24)
    expect(
      home.network
        .since(again)
        .calls.filter(isUpload)
        .reduce((sum, { bytes }) => sum + bytes, 0),
    ).toBeLessThanOrEqual(BUDGET)
    home.network.instead = () => null
    await home.when(tab.engine.ask({ name: 'outbox.retry', params: { id } }))
    await home.world.run(HOUR / 60)
    expect(
      [...home.server.listings.values()].map(({ title, images }) => [title, images.length]),
    ).toEqual([['Vélo', 1]])
  },
)

test.each([
  ['lists that were stored', 1, true],
  ['lists that were never stored', 1, false],
  ['lists, half of whose writes fail,', 0.5, true],
])(
  '[SYNC 8] a full cache and blocked sockets: %s cost an hour no more than its budget',
  async (_what, full, stored) => {
    const home = new CountedHome()
    const tab = await home.open()
    home.network.sockets = 'blocked'
    if (!stored) home.device.documents.full = full
    await home.signIn(tab, 'U-awa')
    await home.write(tab, 'Bonjour')
    void tab.engine.watch('c', { name: 'conversations.list', params: { search: '' } })
    void tab.engine.watch('n', { name: 'notifications.latest', params: { limit: 6 } })
    void tab.engine.watch('s', { name: 'saved.ids', params: {} })
    await home.world.run(2 * MINUTE)
    home.device.documents.full = full
    home.network.count()
    await home.world.run(HOUR)
    expect(home.network.traffic.calls).toBeGreaterThan(20)
    const nothing = { lanes: 0, bytes: 0, online: true, looks: 1 }
    expect(overBudget(home.network.traffic, nothing)).toBe('')
  },
)

test('a listing stopped by its upload budget resumes when its owner publishes it again, as it is now', async () => {
  const { home, tab } = await seller()
  home.network.instead = (call) => (isUpload(call) ? broken : null)
  const id = await home.publish(tab, 'Vélo')
  await use(home, tab, 24)
  expect(home.entry(id)).toMatchObject({
    state: 'refused',
    problem: { code: 'retry_data' },
    uncertain: true,
  })
  home.network.instead = () => null
  expect(await home.publishAgain(tab, id, 'Vélo bleu')).toEqual({ kind: 'queued', id })
  await home.world.run(HOUR / 60)
  expect(
    [...home.server.listings.values()].map(({ title, images }) => [title, images.length]),
  ).toEqual([['Vélo bleu', 1]])
})

test('[API 2] publishing again resumes an entry that may have arrived with its old payload', async () => {
  const { home, tab } = await seller()
  home.network.instead = ({ method, path }) =>
    method === 'POST' && path === '/api/listings/' ? broken : null
  const id = await home.publish(tab, 'Vélo')
  await use(home, tab, 1)
  expect(home.entry(id)).toMatchObject({ state: 'waiting', uncertain: true })
  expect(await home.publishAgain(tab, id, 'Vélo bleu')).toEqual({
    kind: 'refused',
    code: 'maybe_sent',
    field: null,
  })
  home.network.instead = () => null
  expect(await home.publishAgain(tab, id, 'Vélo')).toEqual({ kind: 'queued', id })
  await home.world.run(HOUR / 60)
  expect(
    [...home.server.listings.values()].map(({ title, images }) => [title, images.length]),
  ).toEqual([['Vélo', 1]])
})

test('an upload costs nothing while the whole server is down, and starts within seconds of its return', async () => {
  const { home, tab } = await seller()
  home.network.instead = () => page520
  await home.publish(tab, 'Vélo')
  await use(home, tab, 3)
  expect(home.network.calls.filter(isUpload)).toHaveLength(1)
  home.network.instead = () => null
  void tab.engine.ask({
    name: 'data.refresh',
    params: { name: 'conversations.list', params: { search: '' } },
  })
  await home.world.run(5000)
  expect(home.server.listings.size).toBe(1)
})

test.each([1, 2, 3])(
  'a message answered 500 is parked after one day of retries, and after three more days (seed %i)',
  async (seed) => {
    const { home, tab } = await seller(seed)
    home.network.instead = ({ method, path }) =>
      method === 'POST' && path.startsWith('/api/conversations/') ? broken : null
    await home.write(tab, 'Bonjour')
    const [id = ''] = home.device.disk.state.entries.map((entry) => entry.id)
    await use(home, tab, 20)
    expect(home.entry(id)?.state).toBe('waiting')
    await use(home, tab, 12)
    expect(home.entry(id)).toMatchObject({ state: 'refused', problem: { code: 'retry_time' } })
    // Full jitter, 15 minutes on average: 98 to 114 calls in twelve seeds; 150 is seven sigma.
    const calls = home.network.calls.filter(
      ({ method, path }) => method === 'POST' && path.startsWith('/api/conversations/'),
    ).length
    expect(calls).toBeLessThanOrEqual(150)
    await home.when(tab.engine.ask({ name: 'outbox.retry', params: { id } }))
    await use(home, tab, 60)
    expect(home.entry(id)?.state).toBe('waiting')
    await use(home, tab, 36)
    expect(home.entry(id)).toMatchObject({ state: 'refused', problem: { code: 'retry_time' } })
  },
)

test('a day without a network does not count against the retry budget', async () => {
  const { home, tab } = await seller()
  home.network.become('gone')
  home.show(tab)
  await home.write(tab, 'Bonjour')
  await home.world.run(80 * HOUR)
  expect(home.device.disk.state.entries.map(({ state }) => state)).toEqual(['waiting'])
  home.network.become('there')
  home.show(tab)
  await home.world.run(5000)
  expect(home.sent()).toEqual(['Bonjour'])
})

test('one lane answered 500 for an hour backs off, however often calls of other lanes succeed', async () => {
  const { home, tab } = await seller()
  home.network.instead = ({ method, path }) =>
    method === 'POST' && path.includes('/favorites/') ? broken : null
  const from = home.world.now
  void tab.engine.send({
    id: home.world.id(),
    name: 'listing.save',
    payload: { listing: 'L9', saved: true },
  })
  for (let n = 0; n < 360; n++) {
    void tab.engine.ask({
      name: 'data.refresh',
      params: { name: 'conversations.list', params: { search: '' } },
    })
    await home.world.run(10_000)
  }
  const tries = home.network
    .since(from)
    .calls.filter(({ method, path }) => method === 'POST' && path.includes('/favorites/')).length
  expect(tries).toBeGreaterThan(3)
  expect(tries).toBeLessThanOrEqual(30)
})
