import { commands } from '#sync/nouns/commands'
import { queue } from '#sync/outbox/accept'
import { Delivering } from '#sync/outbox/deliver'
import { Delivery } from '#sync/outbox/delivery'
import { takeFence } from '#sync/outbox/transitions'
import { emptyState } from '#sync/outbox/state'
import type { Table } from '#sync/outbox/table'
import { expect, test, vi } from 'vitest'
import { Air } from './model/air.ts'
import { Phone } from './model/device.ts'
import { memoryTableOf, PhoneDisk } from './model/disk.ts'
import { Realm } from './model/realm.ts'
import { ModelServer } from './model/server.ts'
import { World } from './model/world.ts'

vi.spyOn(console, 'warn').mockImplementation(() => undefined)

/** A visitor's delivery; loading its code and reading the table fail this many times. */
async function visitor(missing = 0, unreadable = 0) {
  const world = new World(1)
  const outside = new Phone(
    world,
    new Air(world, new ModelServer(world, { keys: true, additions: true }), {
      trouble: 0,
      troubles: [],
    }),
  ).outside(new Realm(world))
  const whole = memoryTableOf(new PhoneDisk())
  let known = emptyState
  const table: Pick<Table, 'change'> = {
    async change(work) {
      if (seen.loads > 0 && unreadable-- > 0) throw new Error('the disk failed')
      const result = await whole.change(work)
      known = await whole.read()
      return result
    },
  }
  const seen = { online: true, loads: 0, sent: 0 }
  const fence = await table.change((state) => takeFence(state, ''))
  const delivery: Delivery = new Delivery(
    {
      outside,
      table,
      rules: commands,
      async send() {
        seen.sent++
        return { kind: 'done', answer: { id: world.id() } }
      },
      usable: () => seen.online,
      wifi: () => true,
      known: () => known,
      photo: () => Promise.resolve(null),
      settle: () => Promise.resolve(),
      ended: () => undefined,
      leadershipLost: () => undefined,
    },
    '',
    fence,
    () =>
      ++seen.loads > missing
        ? Promise.resolve(Delivering)
        : Promise.reject(new Error('no network')),
  )
  const write = () => {
    const payload = { category: 'fraud', message: 'm', listing: 'L1', user: null } as const
    return table.change((state) =>
      queue(
        state,
        { id: world.id(), name: 'report.send', payload },
        commands['report.send'],
        '',
        outside.now(),
      ),
    )
  }
  return { world, delivery, write, seen }
}

test('the delivery code is loaded once a visitor has a queued entry and there is a network', async () => {
  const { world, delivery, write, seen } = await visitor()
  await delivery.wake()
  expect(seen.loads).toBe(0)
  seen.online = false
  await write()
  await delivery.wake()
  expect(seen.loads).toBe(0)
  seen.online = true
  await Promise.all([delivery.serverAnswered(), delivery.wake()])
  await world.run(1000)
  // Two loads ran at the same time, and only one of them delivers.
  const { loads } = seen
  expect(loads).toBeGreaterThan(0)
  expect(seen.sent).toBe(1)
  await write()
  await delivery.wake()
  await world.run(1000)
  expect(seen).toMatchObject({ loads, sent: 2 })
})

test('delivery code that fails to load is requested again, until the delivery is closed', async () => {
  const { world, delivery, write, seen } = await visitor(2)
  await write()
  await delivery.wake()
  expect(seen).toMatchObject({ loads: 1, sent: 0 })
  await world.run(11_000)
  expect(seen).toMatchObject({ loads: 3, sent: 1 })
  const gone = await visitor(99)
  await gone.write()
  await gone.delivery.wake()
  await gone.delivery.stop()
  await gone.world.run(60_000)
  expect(gone.seen.loads).toBe(1)
})

test('a table that cannot be changed is tried again, and the queued entries are sent', async () => {
  const { world, delivery, write, seen } = await visitor(0, 3)
  await write()
  await delivery.wake()
  expect(seen.sent).toBe(0)
  await world.run(10_000)
  expect(seen.sent).toBe(1)
})
