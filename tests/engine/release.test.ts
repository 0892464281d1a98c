import { withEntries } from '#sync/outbox/state'
import { expect, test, vi } from 'vitest'
import { EngineHarness } from './harness.ts'

vi.spyOn(console, 'warn').mockImplementation(() => undefined)

test('[SYNC 9] a tab of an earlier release gives up the lead, even if visible, and the new one delivers', async () => {
  const harness = new EngineHarness()
  const old = await harness.open()
  const token = await harness.signIn(old, 'U-awa')
  harness.device.grow()
  const fresh = await harness.open(token)
  await harness.world.run(5000)
  harness.device.show(fresh, false)
  harness.device.show(old, true)
  await harness.world.run(30_000)
  expect([old.engine.line.facts.value.leader, fresh.engine.line.facts.value.leader]).toEqual([
    false,
    true,
  ])
  expect(
    await harness.when(
      old.engine.send({
        id: harness.world.id(),
        name: 'conversation.start',
        payload: { listing: 'L1', content: 'old' },
      }),
    ),
  ).toEqual({ kind: 'unstorable', why: 'newer' })
  expect(await harness.write(fresh, 'fresh')).toBe('queued')
  expect(harness.sent()).toEqual(['fresh'])
})

test('a finished entry ends the backoff of the next in its lane, but not a wait the server asked for', async () => {
  const harness = new EngineHarness()
  const tab = await harness.open()
  await harness.signIn(tab, 'U-awa')
  await harness.write(tab, 'begin')
  harness.network.become('gone')
  const [thread = ''] = harness.server.threads.keys()
  const send = (content: string) =>
    harness.when(
      tab.engine.send({
        id: harness.world.id(),
        name: 'message.send',
        payload: { conversation: thread, content },
      }),
    )
  for (const content of ['one', 'two', 'three']) await send(content)
  const later = harness.device.disk.state.entries.map(({ id }) => id)
  const at = tab.engine.outside.now() + 1_500_000
  harness.device.disk.keep(
    withEntries(
      harness.device.disk.state,
      () => true,
      ({ id }) => ({
        why: 'limit',
        notBefore: id === later[0] ? 0 : at,
        ...(id === later[2] && { retryAt: at }),
      }),
    ),
  )
  harness.network.become('there')
  harness.device.show(tab, true)
  await harness.world.run(5000)
  expect(harness.sent()).toEqual(['begin', 'one', 'two'])
  await harness.world.run(1_500_000)
  expect(harness.sent()).toEqual(['begin', 'one', 'two', 'three'])
})
