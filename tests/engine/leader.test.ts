import { Leader } from '#sync/leader'
import { expect, test } from 'vitest'
import { Air } from './model/air.ts'
import { Phone } from './model/device.ts'
import { Realm } from './model/realm.ts'
import { ModelServer } from './model/server.ts'
import { World } from './model/world.ts'

/** Tabs that compete for the lead, and a record of which one has it. */
class Tabs {
  readonly world = new World(3)
  readonly leading: string[] = []
  /** How often a lead began. */
  leads = 0
  readonly #phone: Phone

  constructor() {
    const server = new ModelServer(this.world, { keys: true, additions: true })
    this.#phone = new Phone(this.world, new Air(this.world, server, { trouble: 0, troubles: [] }))
  }

  /** `slow`: ms of disk time before the first lead can begin. */
  open(name: string, visible = true, slow = 0): { readonly leader: Leader; readonly realm: Realm } {
    const realm = new Realm(this.world)
    let wait = slow
    const leader = new Leader(this.#phone.outside(realm), 'U1', visible, {
      lead: async (hold) => {
        if (wait > 0) {
          const first = wait
          wait = 0
          await realm.step(first)
        }
        if (hold.over) return () => undefined
        this.leads += 1
        this.leading.push(name)
        return () => {
          if (this.leading.includes(name)) this.leading.splice(this.leading.indexOf(name), 1)
        }
      },
    })
    return { leader, realm }
  }

  kill(realm: Realm): void {
    this.#phone.end(realm)
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
  expect([tabs.leading, a.leader.leading]).toEqual([['a'], true])
  // The disk answers the earlier lead only now.
  await tabs.world.run(120_000)
  expect([tabs.leading, a.leader.leading]).toEqual([['a'], true])
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
