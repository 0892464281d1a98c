import { commands } from '#sync/nouns/commands'
import { queue } from '#sync/outbox/accept'
import { withMeta } from '#sync/outbox/state'
import { createDelivering } from '#sync/outbox/deliver'
import { takeFence } from '#sync/outbox/transitions'
import { expect, test } from 'vitest'
import { ModelNetwork } from './model/network.ts'
import { Device } from './model/device.ts'
import { memoryTableOf, DeviceDisk } from './model/disk.ts'
import { Realm } from './model/realm.ts'
import { ModelServer } from './model/server.ts'
import { World } from './model/world.ts'

/** Writes messages at every moment of a delivery, each with a wake; returns how many still wait. */
async function left(seed: number): Promise<number> {
  const world = new World(seed)
  const outside = new Device(
    world,
    new ModelNetwork(world, new ModelServer(world, { keys: true, additions: true }), {
      trouble: 0,
      troubles: [],
    }),
  ).outside(new Realm(world))
  const table = memoryTableOf(new DeviceDisk())
  await table.change((state) => ({
    state: withMeta(state, { sessions: [{ owner: 'U1', username: 'u', token: 't' }] }),
    result: null,
  }))
  const fence = await table.change((state) => takeFence(state, 'U1'))
  const delivering = createDelivering(
    {
      outside,
      table,
      rules: commands,
      // Some microtasks, as when the answer is already there.
      async send({ params, body }) {
        for (let steps = world.below(12); steps > 0; steps--) await Promise.resolve()
        const message = typeof body === 'object' && body !== null ? body : {}
        return {
          kind: 'done',
          answer: {
            id: world.id(),
            conversation: params?.['id'],
            sender_id: 'U1',
            seq: 1,
            created_at: new Date(0).toISOString(),
            client_id: null,
            ...message,
          },
        }
      },
      usable: () => true,
      wifi: () => true,
      known: () => null,
      photo: () => Promise.resolve(null),
      settle: () => Promise.resolve(),
      ended: () => undefined,
      leadershipLost: () => undefined,
    },
    'U1',
    fence,
  )
  for (let n = 0; n < 10; n++) {
    for (let steps = world.below(20); steps > 0; steps--) await Promise.resolve()
    const payload = { conversation: `C${n}`, content: `m${n}` }
    await table.change((state) =>
      queue(
        state,
        { id: world.id(), name: 'message.send', payload },
        commands['message.send'],
        'U1',
        outside.now(),
      ),
    )
    void delivering.wake()
  }
  await world.run(60_000)
  return (await table.read()).entries.filter(({ state }) => state !== 'acknowledged').length
}

test('a wake is handled at whatever moment it comes: no sendable entry keeps waiting', async () => {
  const stuck: number[] = []
  for (let seed = 1; seed <= 400; seed++) if ((await left(seed)) > 0) stuck.push(seed)
  expect(stuck).toEqual([])
})
