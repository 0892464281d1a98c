import { expect, test } from 'vitest'
import { EngineHarness } from './harness.ts'
import { callOf, ModelServer } from './model/server.ts'
import type { Tab } from './model/device.ts'
import { World } from './model/world.ts'

/** Calls that leave, and answers that come, so many ms later. */
function slow(
  harness: EngineHarness,
  ms: {
    readonly leaves?: Readonly<Record<string, number>>
    readonly comes?: Readonly<Record<string, number>>
  },
): void {
  const answered = harness.network.answer.bind(harness.network)
  harness.network.answer = async (realm, request) => {
    await realm.step(ms.leaves?.[callOf(request)] ?? 0)
    const answer = await answered(realm, request)
    await realm.step(ms.comes?.[callOf(request)] ?? 0)
    return answer
  }
}

/** Without network and cache; then, while it reads everything anew, what was done goes out. */
async function doneWhileReading(
  harness: EngineHarness,
  act: (tab: Tab) => Promise<unknown>,
  ms: Parameters<typeof slow>[1],
): Promise<void> {
  const tab = await harness.open()
  await harness.signIn(tab, 'U-awa')
  harness.network.become('gone')
  harness.device.show(tab, true)
  await harness.when(tab.engine.ask({ name: 'data.clear', params: {} }))
  await harness.when(act(tab))
  slow(harness, ms)
  harness.network.become('there')
  harness.device.show(tab, true)
  await harness.world.run(20_000)
}

test('[API 12.1] a notification that is read while the list is asked for is shown as read', async () => {
  const harness = new EngineHarness()
  for (const id of ['N1', 'N2'])
    harness.server.social.notify('U-awa', id, {
      id,
      event: 'system',
      event_id: `E-${id}`,
      ts: '2026-03-01T00:00:00.000Z',
      title: '',
      message: '',
      tag: '',
      severity: 'info',
      meta: {},
    })
  await doneWhileReading(
    harness,
    (tab) =>
      tab.engine.send({ id: harness.world.id(), name: 'notification.read', payload: { id: 'N1' } }),
    { leaves: { 'POST notifications mark-read': 500 }, comes: { 'GET notifications': 3000 } },
  )
  expect(harness.states()).toEqual([])
  expect(
    [...harness.device.documents.of('of U-awa').notifications.values()].map(({ id, read }) => [
      id,
      read,
    ]),
  ).toEqual([
    ['N2', false],
    ['N1', true],
  ])
})

test('[SYNC 7] a conversation that begins while the list is asked for stays', async () => {
  const harness = new EngineHarness()
  // No event tells of it.
  harness.network.sockets = 'blocked'
  const begin = async (tab: Tab): Promise<void> => {
    await tab.engine.watch('list', { name: 'conversations.list', params: { search: '' } })
    await tab.engine.send({
      id: harness.world.id(),
      name: 'conversation.start',
      payload: { listing: 'L1', content: 'one' },
    })
  }
  await doneWhileReading(harness, begin, {
    leaves: { 'POST conversations start': 500 },
    comes: { 'GET conversations': 3000 },
  })
  expect(harness.sent()).toEqual(['one'])
  expect([...harness.device.documents.of('of U-awa').conversations.keys()]).toContain(
    [...harness.server.threads.keys()][0],
  )
})

test('[SYNC 7] a conversation that moves to the first page while the list is asked for stays', async () => {
  const world = new World(11)
  // A simpler server, with two conversations a page and no cursor [API 19].
  const harness = new EngineHarness(
    world,
    new ModelServer(world, { keys: false, additions: false, page: 2 }),
  )
  for (const id of ['C1', 'C2', 'C3']) {
    harness.server.begin(id, `L-${id}`, 'U-awa')
    harness.server.sellerWrites(harness.server.thread(id), 'Bonjour')
  }
  const tab = await harness.open()
  await harness.signIn(tab, 'U-awa')
  slow(harness, { leaves: { 'GET conversations': 1000 } })
  let pages = 0
  harness.network.onAnswer = (what) => void (pages += what.includes('GET conversations:') ? 1 : 0)
  void tab.engine.ask({
    name: 'data.refresh',
    params: { name: 'conversations.list', params: { search: '' } },
  })
  await harness.world.run(10_000, () => pages > 0)
  harness.server.sellerWrites(harness.server.thread('C1'), 'Toujours là ?')
  await harness.world.run(10_000)
  expect(pages).toBe(2)
  const { conversations } = harness.device.documents.of('of U-awa')
  expect([...conversations.keys()].toSorted()).toEqual(['C1', 'C2', 'C3'])
  expect(conversations.get('C1')?.last_seq).toBe(2)
})
