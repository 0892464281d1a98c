import { expect, test } from 'vitest'
import { Home } from './home.ts'
import { callOf, ModelServer } from './model/server.ts'
import type { Tab } from './model/device.ts'
import { World } from './model/world.ts'

/** Calls that leave, and answers that come, so many ms later. */
function slow(
  home: Home,
  ms: {
    readonly leaves?: Readonly<Record<string, number>>
    readonly comes?: Readonly<Record<string, number>>
  },
): void {
  const answered = home.network.answer.bind(home.network)
  home.network.answer = async (realm, request) => {
    await realm.step(ms.leaves?.[callOf(request)] ?? 0)
    const answer = await answered(realm, request)
    await realm.step(ms.comes?.[callOf(request)] ?? 0)
    return answer
  }
}

/** Without network and cache; then, while it reads everything anew, what was done goes out. */
async function doneWhileReading(
  home: Home,
  act: (tab: Tab) => Promise<unknown>,
  ms: Parameters<typeof slow>[1],
): Promise<void> {
  const tab = await home.open()
  await home.signIn(tab, 'U-awa')
  home.network.become('gone')
  home.device.show(tab, true)
  await home.when(tab.engine.ask({ name: 'data.clear', params: {} }))
  await home.when(act(tab))
  slow(home, ms)
  home.network.become('there')
  home.device.show(tab, true)
  await home.world.run(20_000)
}

test('[API 12.1] a notification that is read while the list is asked for is shown as read', async () => {
  const home = new Home()
  for (const id of ['N1', 'N2'])
    home.server.social.notify('U-awa', id, {
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
    home,
    (tab) =>
      tab.engine.send({ id: home.world.id(), name: 'notification.read', payload: { id: 'N1' } }),
    { leaves: { 'POST notifications mark-read': 500 }, comes: { 'GET notifications': 3000 } },
  )
  expect(home.states()).toEqual([])
  expect(
    [...home.device.documents.of('of U-awa').notifications.values()].map(({ id, read }) => [
      id,
      read,
    ]),
  ).toEqual([
    ['N2', false],
    ['N1', true],
  ])
})

test('[SYNC 7] a conversation that begins while the list is asked for stays', async () => {
  const home = new Home()
  // No event tells of it.
  home.network.sockets = 'blocked'
  const begin = async (tab: Tab): Promise<void> => {
    await tab.engine.watch('list', { name: 'conversations.list', params: { search: '' } })
    await tab.engine.send({
      id: home.world.id(),
      name: 'conversation.start',
      payload: { listing: 'L1', content: 'one' },
    })
  }
  await doneWhileReading(home, begin, {
    leaves: { 'POST conversations start': 500 },
    comes: { 'GET conversations': 3000 },
  })
  expect(home.sent()).toEqual(['one'])
  expect([...home.device.documents.of('of U-awa').conversations.keys()]).toContain(
    [...home.server.threads.keys()][0],
  )
})

test('[SYNC 7] a conversation that moves to the first page while the list is asked for stays', async () => {
  const world = new World(11)
  // A simpler server, with two conversations a page and no cursor [API 19].
  const home = new Home(world, new ModelServer(world, { keys: false, additions: false, page: 2 }))
  for (const id of ['C1', 'C2', 'C3']) {
    home.server.begin(id, `L-${id}`, 'U-awa')
    home.server.sellerWrites(home.server.thread(id), 'Bonjour')
  }
  const tab = await home.open()
  await home.signIn(tab, 'U-awa')
  slow(home, { leaves: { 'GET conversations': 1000 } })
  let pages = 0
  home.network.onAnswer = (what) => void (pages += what.includes('GET conversations:') ? 1 : 0)
  void tab.engine.refresh('conversations.list', { search: '' })
  await home.world.run(10_000, () => pages > 0)
  home.server.sellerWrites(home.server.thread('C1'), 'Toujours là ?')
  await home.world.run(10_000)
  expect(pages).toBe(2)
  const { conversations } = home.device.documents.of('of U-awa')
  expect([...conversations.keys()].toSorted()).toEqual(['C1', 'C2', 'C3'])
  expect(conversations.get('C1')?.last_seq).toBe(2)
})
