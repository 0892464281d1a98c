import { RETRY_DAY_BYTES, RETRY_TIMES_SIZE } from '#schema/limits'
import { expect, test, vi } from 'vitest'
import { broken, HOUR, CountedHarness, MINUTE, page520 } from './counted.ts'
import { overBudget } from './model/budgets.ts'
import type { Tab } from './model/device.ts'

vi.spyOn(console, 'warn').mockImplementation(() => undefined)

/** SIZE: bytes of the photo. BUDGET: bytes that failed uploads may cost in a day. */
const SIZE = 250_000
const BUDGET = RETRY_TIMES_SIZE * (SIZE + 5000) + RETRY_DAY_BYTES

async function seller(
  seed?: number,
): Promise<{ readonly harness: CountedHarness; readonly tab: Tab }> {
  const harness = new CountedHarness({ ...(seed !== undefined && { seed }) })
  const tab = await harness.open()
  await harness.signIn(tab, 'U-awa')
  return { harness, tab }
}

const isUpload = ({ path }: { readonly path: string }): boolean => path.startsWith('/api/uploads/')

/** Simulates a person using the app, so that other calls are answered meanwhile. */
async function use(harness: CountedHarness, tab: Tab, hours: number): Promise<void> {
  for (let n = 0; n < hours * 4; n++) {
    void tab.engine.ask({
      name: 'data.refresh',
      params: { name: 'conversations.list', params: { search: '' } },
    })
    await harness.world.run(HOUR / 4)
  }
}

test.each([
  ['is answered 500', broken],
  ['never meets its deadline', 'silence'],
] as const)(
  'an upload that %s for 24 hours costs no more than its budget, and then the person is asked',
  async (_what, answer) => {
    const { harness, tab } = await seller()
    harness.network.instead = (call) => (isUpload(call) ? answer : null)
    const id = await harness.publish(tab, 'Vélo')
    const from = harness.world.now
    await use(harness, tab, 24)
    const moved = harness.network
      .since(from)
      .calls.filter(isUpload)
      .reduce((sum, { bytes }) => sum + bytes, 0)
    expect(moved).toBeGreaterThan(SIZE)
    expect(moved).toBeLessThanOrEqual(BUDGET)
    expect(harness.entry(id)).toMatchObject({
      state: 'refused',
      problem: { code: 'retry_data' },
      uncertain: true,
    })
    // "Continue" resumes the entry, with one more budget.
    const again = harness.world.now
    await harness.when(tab.engine.ask({ name: 'outbox.retry', params: { id } }))
    await use(harness, tab, 24)
    expect(
      harness.network
        .since(again)
        .calls.filter(isUpload)
        .reduce((sum, { bytes }) => sum + bytes, 0),
    ).toBeLessThanOrEqual(BUDGET)
    harness.network.instead = () => null
    await harness.when(tab.engine.ask({ name: 'outbox.retry', params: { id } }))
    await harness.world.run(HOUR / 60)
    expect(
      [...harness.server.listings.values()].map(({ title, images }) => [title, images.length]),
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
    const harness = new CountedHarness()
    const tab = await harness.open()
    harness.network.sockets = 'blocked'
    if (!stored) harness.device.documents.full = full
    await harness.signIn(tab, 'U-awa')
    await harness.write(tab, 'Bonjour')
    void tab.engine.watch('c', { name: 'conversations.list', params: { search: '' } })
    void tab.engine.watch('n', { name: 'notifications.latest', params: { limit: 6 } })
    void tab.engine.watch('s', { name: 'saved.ids', params: {} })
    await harness.world.run(2 * MINUTE)
    harness.device.documents.full = full
    harness.network.count()
    await harness.world.run(HOUR)
    expect(harness.network.traffic.calls).toBeGreaterThan(20)
    const nothing = { lanes: 0, bytes: 0, online: true, looks: 1 }
    expect(overBudget(harness.network.traffic, nothing)).toBe('')
  },
)

test('a listing stopped by its upload budget resumes when its owner publishes it again, as it is now', async () => {
  const { harness, tab } = await seller()
  harness.network.instead = (call) => (isUpload(call) ? broken : null)
  const id = await harness.publish(tab, 'Vélo')
  await use(harness, tab, 24)
  expect(harness.entry(id)).toMatchObject({
    state: 'refused',
    problem: { code: 'retry_data' },
    uncertain: true,
  })
  harness.network.instead = () => null
  expect(await harness.publishAgain(tab, id, 'Vélo bleu')).toEqual({ kind: 'queued', id })
  await harness.world.run(HOUR / 60)
  expect(
    [...harness.server.listings.values()].map(({ title, images }) => [title, images.length]),
  ).toEqual([['Vélo bleu', 1]])
})

test('[API 2] publishing again resumes an entry that may have arrived with its old payload', async () => {
  const { harness, tab } = await seller()
  harness.network.instead = ({ method, path }) =>
    method === 'POST' && path === '/api/listings/' ? broken : null
  const id = await harness.publish(tab, 'Vélo')
  await use(harness, tab, 1)
  expect(harness.entry(id)).toMatchObject({ state: 'waiting', uncertain: true })
  expect(await harness.publishAgain(tab, id, 'Vélo bleu')).toEqual({
    kind: 'refused',
    code: 'maybe_sent',
    field: null,
  })
  harness.network.instead = () => null
  expect(await harness.publishAgain(tab, id, 'Vélo')).toEqual({ kind: 'queued', id })
  await harness.world.run(HOUR / 60)
  expect(
    [...harness.server.listings.values()].map(({ title, images }) => [title, images.length]),
  ).toEqual([['Vélo', 1]])
})

test('an upload costs nothing while the whole server is down, and starts within seconds of its return', async () => {
  const { harness, tab } = await seller()
  harness.network.instead = () => page520
  await harness.publish(tab, 'Vélo')
  await use(harness, tab, 3)
  expect(harness.network.calls.filter(isUpload)).toHaveLength(1)
  harness.network.instead = () => null
  void tab.engine.ask({
    name: 'data.refresh',
    params: { name: 'conversations.list', params: { search: '' } },
  })
  await harness.world.run(5000)
  expect(harness.server.listings.size).toBe(1)
})

test.each([1, 2, 3])(
  'a message answered 500 is parked after one day of retries, and after three more days (seed %i)',
  async (seed) => {
    const { harness, tab } = await seller(seed)
    harness.network.instead = ({ method, path }) =>
      method === 'POST' && path.startsWith('/api/conversations/') ? broken : null
    await harness.write(tab, 'Bonjour')
    const [id = ''] = harness.device.disk.state.entries.map((entry) => entry.id)
    await use(harness, tab, 20)
    expect(harness.entry(id)?.state).toBe('waiting')
    await use(harness, tab, 12)
    expect(harness.entry(id)).toMatchObject({ state: 'refused', problem: { code: 'retry_time' } })
    // Full jitter, 15 minutes on average: 98 to 114 calls in twelve seeds; 150 is seven sigma.
    const calls = harness.network.calls.filter(
      ({ method, path }) => method === 'POST' && path.startsWith('/api/conversations/'),
    ).length
    expect(calls).toBeLessThanOrEqual(150)
    await harness.when(tab.engine.ask({ name: 'outbox.retry', params: { id } }))
    await use(harness, tab, 60)
    expect(harness.entry(id)?.state).toBe('waiting')
    await use(harness, tab, 36)
    expect(harness.entry(id)).toMatchObject({ state: 'refused', problem: { code: 'retry_time' } })
  },
)

test('a day without a network does not count against the retry budget', async () => {
  const { harness, tab } = await seller()
  harness.network.become('gone')
  harness.show(tab)
  await harness.write(tab, 'Bonjour')
  await harness.world.run(80 * HOUR)
  expect(harness.device.disk.state.entries.map(({ state }) => state)).toEqual(['waiting'])
  harness.network.become('there')
  harness.show(tab)
  await harness.world.run(5000)
  expect(harness.sent()).toEqual(['Bonjour'])
})

test('one lane answered 500 for an hour backs off, however often calls of other lanes succeed', async () => {
  const { harness, tab } = await seller()
  harness.network.instead = ({ method, path }) =>
    method === 'POST' && path.includes('/favorites/') ? broken : null
  const from = harness.world.now
  void tab.engine.send({
    id: harness.world.id(),
    name: 'listing.save',
    payload: { listing: 'L9', saved: true },
  })
  for (let n = 0; n < 360; n++) {
    void tab.engine.ask({
      name: 'data.refresh',
      params: { name: 'conversations.list', params: { search: '' } },
    })
    await harness.world.run(10_000)
  }
  const tries = harness.network
    .since(from)
    .calls.filter(({ method, path }) => method === 'POST' && path.includes('/favorites/')).length
  expect(tries).toBeGreaterThan(3)
  expect(tries).toBeLessThanOrEqual(30)
})
