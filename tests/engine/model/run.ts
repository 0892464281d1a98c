import { deliverInBackground } from '#sync/background'
import { commands } from '#sync/nouns/commands'
import { Air, type Trouble, troubles } from './air.ts'
import { Buying } from './buying.ts'
import { tableOf } from './disk.ts'
import { Ledger } from './ledger.ts'
import { Person } from './person.ts'
import { Phone, type Tab } from './phone.ts'
import { Presence, USERS } from './presence.ts'
import { Realm } from './realm.ts'
import { Selling } from './selling.ts'
import { ModelServer } from './server.ts'
import { World } from './world.ts'

/** What a run is about; everything else follows from its seed. */
export interface Plan {
  readonly seed: number
  readonly steps?: number
  /** API.md 2 is kept; false: a plainer server (API.md 19). */
  readonly keys?: boolean
}

export interface Result {
  readonly wrongs: readonly string[]
  readonly sent: number
  readonly log: readonly string[]
}

const HOUR = 3_600_000
/** More only happens when tabs take it from each other in turns. */
const MOST_LEADS = 200

/** Doubles that no client can prevent where keys are ignored: the network's own, and what arrives after it was given up. */
const unpreventable: readonly Trouble[] = ['late', 'twice', 'slow', 'hang after']

/** One life of a phone: people, tabs, accounts, bad networks, deaths; then everything heals, and the ledger is judged. */
export async function live({ seed, steps = 50, keys = true }: Plan): Promise<Result> {
  const world = new World(seed)
  const server = new ModelServer(world, { keys, additions: keys || world.maybe(0.5) })
  const air = new Air(world, server, { trouble: world.pick([0, 0.1, 0.3, 0.6]) ?? 0, troubles: troubles.filter((one) => keys || !unpreventable.includes(one)) })
  const phone = new Phone(world, air)
  const ledger = new Ledger(server, phone.documents, keys)
  const life = new Life(world, server, air, phone, ledger, keys)
  life.begin()
  for (let step = 0; step < steps && ledger.wrongs.length === 0; step++) {
    life.act()
    await world.run(world.pick([0, 1, 3, 10, 50, 400, 3000, 20_000, 90_000]) ?? 0)
  }
  if (ledger.wrongs.length === 0) await life.heal()
  const sent = [...server.threads.values()].reduce((sum, { messages }) => sum + messages.length, server.listings.size)
  return { wrongs: ledger.wrongs, sent, log: life.person.log }
}

class Life {
  readonly person: Person
  readonly #world: World
  readonly #server: ModelServer
  readonly #air: Air
  readonly #phone: Phone
  readonly #ledger: Ledger
  readonly #exact: boolean
  readonly #presence: Presence
  readonly #buying: Buying
  readonly #selling: Selling

  constructor(world: World, server: ModelServer, air: Air, phone: Phone, ledger: Ledger, exact: boolean) {
    this.#exact = exact
    this.#world = world
    this.#server = server
    this.#air = air
    this.#phone = phone
    this.#ledger = ledger
    this.person = new Person(world, phone)
    this.#buying = new Buying(world, server, phone, ledger, this.person, exact)
    this.#selling = new Selling(world, server, phone, ledger, this.person)
    this.#presence = new Presence(world, server, phone, ledger, this.person, (tab) => this.#died(tab))
  }

  begin(): void {
    this.#presence.open()
    if (this.#world.maybe(0.8)) this.#presence.signIn()
  }

  /** One thing happens. */
  act(): void {
    const deeds: readonly (readonly [number, () => void])[] = [
      [20, () => this.#buying.write()],
      [4, () => this.#buying.save()],
      [2.5, () => this.#selling.publish()],
      [2, () => this.#selling.mark()],
      [2.5, () => this.#selling.edit()],
      [1.2, () => this.#selling.elsewhere()],
      [1, () => this.#selling.choose()],
      [2, () => this.#buying.readUpTo()],
      [this.#exact ? 5 : 2, () => this.#buying.amend()],
      [2, () => this.#buying.sellerWrites()],
      [2, () => this.#presence.signIn()],
      [0.7, () => this.#presence.signOut()],
      [0.5, () => this.#presence.revoke()],
      [1, () => this.#presence.open()],
      [1.5, () => this.#presence.kill()],
      // A frozen tab lets a request go long after it was given up: without keys nobody can undo that.
      [this.#exact ? 1 : 0, () => this.#presence.freeze()],
      [1, () => this.#presence.show()],
      [2, () => this.#network()],
      [0.5, () => this.#disk()],
      [0.3, () => this.#server.forgetUploads()],
      [0.5, () => this.#clock()],
      [0.3, () => this.#clear()],
      [0.7, () => this.#background()],
    ]
    let left = this.#world.random() * deeds.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, deed] of deeds) {
      left -= weight
      if (left < 0) return deed()
    }
  }

  #network(): void {
    const state = this.#world.pick(['there', 'there', 'gone', 'portal'] as const) ?? 'there'
    this.person.say(`network ${state}`)
    this.#air.become(state)
    if (this.#world.maybe(0.5)) for (const tab of this.#phone.tabs) this.#phone.show(tab, tab.visible)
  }

  #disk(): void {
    const { disk } = this.#phone
    if (this.#world.maybe(0.5)) disk.full = !disk.full
    else disk.flaky = this.#world.pick([0, 0.05, 0.2]) ?? 0
    this.person.say(`disk full ${disk.full} flaky ${disk.flaky}`)
  }

  #clock(): void {
    this.#phone.skew = (this.#world.random() - 0.5) * 20 * 24 * HOUR
    this.person.say('clock')
  }

  #clear(): void {
    const tab = this.person.front()
    if (!tab) return
    this.person.say('clear')
    void tab.engine.ask({ name: 'data.clear', params: {} })
  }

  /** The service worker is woken, and may be killed at any step. */
  #background(): void {
    const realm = new Realm(this.#world)
    this.person.say('background')
    void deliverInBackground(this.#phone.outside(realm), tableOf(this.#world, this.#phone.disk, realm), commands, (id) => this.#phone.photo(realm, id)).catch(() => undefined)
    this.#world.after(this.#world.below(40_000), () => this.#phone.end(realm))
  }

  #died(tab: Tab): void {
    this.#ledger.settleTaps(this.#phone.disk)
    this.#selling.settle(tab)
    this.#buying.settle(tab)
  }

  /** Everything is well again, and everybody comes back once: nothing may be left over. */
  async heal(): Promise<void> {
    this.person.say('heal')
    this.#air.become('there')
    this.#air.weather = { trouble: 0, troubles: [] }
    this.#phone.disk.full = false
    this.#phone.disk.flaky = 0
    this.#phone.skew = 0
    await this.#world.run(20_000)
    for (const tab of this.#phone.tabs.slice()) this.#presence.end(tab)
    for (const user of USERS) {
      this.#presence.open()
      const [tab] = this.#phone.tabs
      if (!tab) return
      void this.#presence.enterAs(tab, user)
      await this.#world.run(30_000, () => this.person.user === user)
      await this.#world.run(5000)
      for (let again = 0; again < 12; again++) {
        await this.#world.run(HOUR / 4, () => this.#idle(user))
        if (!(await this.#mend(tab, user))) break
      }
      this.#judge(user)
      this.#presence.end(tab)
    }
    this.#ledger.judge()
    this.#selling.judge(this.#exact)
    const leads = Math.max(...Object.values(this.#phone.disk.book.desk.fences))
    if (leads > MOST_LEADS) this.#ledger.wrong(`the lead changed hands ${leads} times`)
  }

  #idle(user: string): boolean {
    return this.#phone.disk.book.entries.every(({ owner, state }) => owner !== user || state === 'refused')
  }

  /** The person changes what was refused; whether there was anything. */
  async #mend(tab: Tab, user: string): Promise<boolean> {
    const refused = this.#phone.disk.book.entries.filter(({ owner, state, why }) => owner === user && state === 'refused' && why !== 'behind')
    for (const entry of refused) {
      const isListing = entry.name === 'listing.publish' || entry.name === 'listing.edit'
      if (isListing && !this.#selling.mend(tab, entry)) continue
      if (!isListing) this.#buying.mend(tab, entry)
      await this.#world.run(5000)
    }
    return refused.length > 0
  }

  /** What is on the phone when everything has gone out. */
  #judge(user: string): void {
    const left = this.#phone.disk.book.entries.filter(({ owner }) => owner === user)
    if (left.length > 0) this.#ledger.wrong(`left over: ${JSON.stringify(left.map(({ name, payload, state, why, problem, after }) => ({ name, payload, state, why, problem, after })))}`)
    const photos = this.#ledger.messages.filter(({ id, owner, state }) => owner === user && state === 'kept' && this.#phone.disk.photos.has(id))
    if (photos.length > 0) this.#ledger.wrong(`the phone still keeps the photos of ${photos.map(({ content }) => content).join(', ')}`)
    const messages = [...this.#phone.documents.of(`of ${user}`).messages.values()]
    const unsure = messages.filter(({ sender_id: sender, state }) => sender === user && state !== 'sent')
    if (unsure.length > 0) this.#ledger.wrong(`shown as waiting, and is sent: ${unsure.map(({ content }) => content).join(', ')}`)
    const ids = new Map<string, number>()
    for (const { serverId } of messages) ids.set(serverId, (ids.get(serverId) ?? 0) + 1)
    if ([...ids.values()].some((times) => times > 1)) this.#ledger.wrong('one message in two bubbles')
  }
}
