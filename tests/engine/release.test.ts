import { withEntries } from '#sync/outbox/state'
import { expect, test, vi } from 'vitest'
import { Home } from './home.ts'

vi.spyOn(console, 'warn').mockImplementation(() => undefined)

test('[SYNC 9] a tab of an earlier release gives up the lead, even if visible, and the new one delivers', async () => {
  const home = new Home()
  const old = await home.open()
  const token = await home.signIn(old, 'U-awa')
  home.device.grow()
  const fresh = await home.open(token)
  await home.world.run(5000)
  home.device.show(fresh, false)
  home.device.show(old, true)
  await home.world.run(30_000)
  expect([old.engine.leading, fresh.engine.leading]).toEqual([false, true])
  expect(
    await home.when(
      old.engine.send({
        id: home.world.id(),
        name: 'conversation.start',
        payload: { listing: 'L1', content: 'old' },
      }),
    ),
  ).toEqual({ kind: 'unstorable', why: 'newer' })
  expect(await home.write(fresh, 'fresh')).toBe('queued')
  expect(home.sent()).toEqual(['fresh'])
})

test('a finished entry ends the backoff of the next in its lane, but not a wait the server asked for', async () => {
  const home = new Home()
  const tab = await home.open()
  await home.signIn(tab, 'U-awa')
  await home.write(tab, 'begin')
  home.network.become('gone')
  const [thread = ''] = home.server.threads.keys()
  const send = (content: string) =>
    home.when(
      tab.engine.send({
        id: home.world.id(),
        name: 'message.send',
        payload: { conversation: thread, content },
      }),
    )
  for (const content of ['one', 'two', 'three']) await send(content)
  const later = home.device.disk.state.entries.map(({ id }) => id)
  const at = tab.engine.outside.now() + 1_500_000
  home.device.disk.keep(
    withEntries(home.device.disk.state, (entry) => ({
      ...entry,
      why: 'limit',
      notBefore: entry.id === later[0] ? 0 : at,
      ...(entry.id === later[2] && { retryAt: at }),
    })),
  )
  home.network.become('there')
  home.device.show(tab, true)
  await home.world.run(5000)
  expect(home.sent()).toEqual(['begin', 'one', 'two'])
  await home.world.run(1_500_000)
  expect(home.sent()).toEqual(['begin', 'one', 'two', 'three'])
})
