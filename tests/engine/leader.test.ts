import { createLeader, type Leader } from '#sync/leader'
import { expect, test } from 'vitest'
import { EngineHarness } from './harness.ts'
import { ModelNetwork, type Trouble } from './model/network.ts'
import { Device } from './model/device.ts'
import { Realm } from './model/realm.ts'
import { ModelServer } from './model/server.ts'
import { World } from './model/world.ts'

/** Tabs that compete for the lead, and a record of which one has it. */
class Tabs {
  readonly world = new World(3)
  readonly leading: string[] = []
  /** How often a lead began. */
  leads = 0
  readonly #device: Device

  constructor() {
    const server = new ModelServer(this.world, { keys: true, additions: true })
    this.#device = new Device(
      this.world,
      new ModelNetwork(this.world, server, { trouble: 0, troubles: [] }),
    )
  }

  /** `slow`: ms of disk time before the first lead can begin. */
  open(name: string, visible = true, slow = 0): { readonly leader: Leader; readonly realm: Realm } {
    const realm = new Realm(this.world)
    let wait = slow
    const leader = createLeader(this.#device.outside(realm), 'U1', visible, async (hold) => {
      if (wait > 0) {
        const first = wait
        wait = 0
        await realm.step(first)
      }
      if (hold.over) return () => Promise.resolve()
      this.leads += 1
      this.leading.push(name)
      return () => {
        if (this.leading.includes(name)) this.leading.splice(this.leading.indexOf(name), 1)
        return Promise.resolve()
      }
    })
    return { leader, realm }
  }

  kill(realm: Realm): void {
    this.#device.end(realm)
  }
}

test('exactly one of many tabs leads', async () => {
  const tabs = new Tabs()
  for (const name of ['a', 'b', 'c']) tabs.open(name)
  await tabs.world.run(60_000)
  expect(tabs.leading).toEqual(['a'])
})

test('when the leader is closed or killed, another takes over within seconds', async () => {
  const tabs = new Tabs()
  const a = tabs.open('a')
  const b = tabs.open('b')
  tabs.open('c')
  await tabs.world.run(1000)
  a.leader.close()
  await tabs.world.run(1000)
  expect(tabs.leading).toEqual(['b'])
  tabs.kill(b.realm)
  await tabs.world.run(1000)
  expect(tabs.leading.at(-1)).toBe('c')
})

test('a frozen leader does not release its lock; another tab steals it', async () => {
  const tabs = new Tabs()
  const a = tabs.open('a')
  tabs.open('b')
  await tabs.world.run(5000)
  a.realm.freeze()
  await tabs.world.run(12_000)
  expect(tabs.leading).toContain('b')
  a.realm.thaw()
  await tabs.world.run(60_000)
  expect(tabs.leading).toEqual(['b'])
})

test('a hidden leader hands over to a visible tab, but not to another hidden one', async () => {
  const tabs = new Tabs()
  const a = tabs.open('a')
  const b = tabs.open('b', false)
  await tabs.world.run(1000)
  a.leader.visible(false)
  await tabs.world.run(30_000)
  expect(tabs.leading).toEqual(['a'])
  b.leader.visible(true)
  await tabs.world.run(2000)
  expect(tabs.leading).toEqual(['b'])
})

test('[SYNC 6] a lead lost while it was starting does not end the later lead of the same tab', async () => {
  const tabs = new Tabs()
  const a = tabs.open('a', true, 60_000)
  const b = tabs.open('b')
  await tabs.world.run(1000)
  a.realm.freeze()
  await tabs.world.run(20_000)
  expect(tabs.leading).toEqual(['b'])
  a.realm.thaw()
  await tabs.world.run(3000)
  b.leader.close()
  await tabs.world.run(3000)
  expect(tabs.leading).toEqual(['a'])
  // The disk answers the earlier lead only now.
  await tabs.world.run(120_000)
  expect(tabs.leading).toEqual(['a'])
  a.leader.close()
  await tabs.world.run(100)
  expect(tabs.leading).toEqual([])
})

test('[SYNC 6] a visible tab asks a hidden leader to hand over only while its own request waits', async () => {
  const tabs = new Tabs()
  const a = tabs.open('a')
  const b = tabs.open('b')
  await tabs.world.run(1000)
  a.realm.freeze()
  b.leader.visible(false)
  await tabs.world.run(30_000)
  expect(tabs.leading).toContain('b')
  a.realm.thaw()
  await tabs.world.run(10_000)
  expect(tabs.leading).toEqual(['a'])
  expect(tabs.leads).toBeLessThan(6)
})

/** A signed-in person’s hidden tab that leads and sends, while another tab comes in front. */
async function handedOver(troubles: readonly Trouble[]): Promise<EngineHarness> {
  const harness = new EngineHarness()
  const first = await harness.open()
  const second = await harness.open(await harness.signIn(first, 'U-awa'))
  harness.device.show(second, false)
  await harness.world.run(2000)
  harness.network.faults = { trouble: troubles.length, troubles }
  void first.engine.send({
    id: harness.world.id(),
    name: 'conversation.start',
    payload: { listing: 'L1', content: 'Bonjour' },
  })
  await harness.world.run(1000, () => starts(harness) > 0)
  harness.device.show(first, false)
  harness.device.show(second, true)
  return harness
}

function starts(harness: EngineHarness): number {
  return harness.network.traffic.byCall.get('POST conversations start') ?? 0
}

test('[SYNC 6] a leader that hands over finishes what it is sending: nothing is sent twice', async () => {
  const harness = await handedOver([])
  await harness.world.run(10_000)
  expect([starts(harness), harness.sent(), harness.states()]).toEqual([1, ['Bonjour'], []])
  expect(harness.device.tabs.map(({ engine }) => engine.line.facts.value.leader)).toEqual([
    false,
    true,
  ])
})

test('[SYNC 5] an entry of a tab that dies before it tells of it is sent by the leader', async () => {
  const harness = new EngineHarness()
  const second = await harness.open(await harness.signIn(await harness.open(), 'U-awa'))
  void second.engine.send({
    id: harness.world.id(),
    name: 'conversation.start',
    payload: { listing: 'L1', content: 'Bonjour' },
  })
  await harness.world.run(1000, () => harness.states().length > 0)
  harness.device.kill(second)
  expect(harness.states()).toEqual(['U-awa waiting'])
  await harness.world.run(70_000)
  expect(harness.sent()).toEqual(['Bonjour'])
})

test('[SYNC 6] a request that hangs does not keep the lead for long', async () => {
  const harness = await handedOver(['hang before'])
  const begun = harness.world.now
  const leads = (): boolean => harness.device.tabs[1]?.engine.line.facts.value.leader === true
  await harness.world.run(10_000, leads)
  harness.network.heal('there')
  const { now } = harness.world
  expect(now - begun).toBeLessThan(5000)
  await harness.world.run(5000)
  expect(harness.sent()).toEqual(['Bonjour'])
})
