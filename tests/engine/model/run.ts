import type { CommandName } from '#schema/port/command'
import { type Entry, isUnsent } from '#schema/disk/entry'
import { RECOVERY_SPREAD_MS, RETRY_ENTRY_MAX_MS } from '#schema/limits'
import { members, text } from '#schema/tolerant'
import { deliverInBackground } from '#sync/background'
import { createMeter } from '#sync/network/meter'
import { commands } from '#sync/nouns/commands'
import { LONGEST_WAIT_MS } from '#sync/outbox/lanes'
import { ModelNetwork, type Sockets, type Trouble, troubles } from './network.ts'
import { HEARD_MS, LIVING_MS, overBudget, POLLED_MS, STILL_MS } from './budgets.ts'
import { Buying } from './buying.ts'
import { tableOf } from './disk.ts'
import { leave } from './golden.ts'
import { Ledger } from './ledger.ts'
import { isAskedAbout, Person } from './person.ts'
import { Device, PHOTO_BYTES, type Tab } from './device.ts'
import { Presence, USERS } from './presence.ts'
import { Realm } from './realm.ts'
import { Selling } from './selling.ts'
import { type Answer, EPOCH, ModelServer } from './server.ts'
import { Intents } from './intents.ts'
import { World } from './world.ts'

/** The parameters of a run; everything else follows from its seed. */
export interface Plan {
  readonly seed: number
  readonly steps?: number
  /** Whether the server implements [API 2]; false: a simpler server [API 19]. */
  readonly keys?: boolean
  readonly only?: readonly number[]
  /** Kinds of happenings and faults that do not occur. */
  readonly without?: readonly string[]
  readonly calls?: boolean
}

export interface Result {
  readonly wrongs: readonly string[]
  /** Number of messages and listings on the server. */
  readonly sent: number
  readonly log: readonly string[]
  readonly queued: ReadonlyMap<string, number>
  readonly happened: ReadonlyMap<string, number>
}

const HOUR = 3_600_000
/** Every read is given up by then. */
const GIVEN_UP_MS = 16_000
/** More leads than this mean that tabs steal the lead from each other in turns. */
const MOST_LEADS = 200
export const STEPS = 50

/** Without keys no client prevents these duplicates: made by the network, or after a timeout. */
const unpreventable: readonly Trouble[] = ['late', 'twice', 'slow', 'hang after']

/** Happenings beside the owner's commands. */
const happenings = [
  'publish again',
  'cancel',
  'elsewhere',
  'choose',
  'amend',
  'change intent',
  'seller writes',
  'sign in',
  'sign out',
  'revoke',
  'open',
  'release',
  'kill',
  'freeze',
  'show',
  'network',
  'sockets',
  'outage',
  'disk',
  'forget uploads',
  'clock',
  'clear',
  'background',
] as const
type Happening = (typeof happenings)[number]
/** Conditions of a whole run, or of its end. */
const conditions = [
  'memory',
  'blocked sockets',
  'deaf sockets',
  'small pages',
  'siege',
  'golden',
] as const
/** All faults that a run can leave out. */
export const faults: readonly string[] = [...troubles, ...conditions]
export const kinds: readonly string[] = [...happenings, ...Object.keys(commands), ...faults]

/** Calls that can be made to fail for an hour. */
const failingCalls = [
  'POST conversations messages',
  'POST conversations start',
  'POST uploads',
  'POST listings',
  'PATCH listings',
  'POST listings quick-toggle',
  'POST favorites',
  'POST conversations mark-read',
  'GET conversations',
  'GET notifications',
  'GET auth',
  'GET favorites',
  'POST follow toggle',
  'POST blocks',
  'PATCH auth',
  'POST preferences',
  'POST reviews',
  'POST reports',
  'POST saved-searches',
  'POST events track',
] as const
/** A refusal of these is shown, and the command can be given again. */
const refusable: readonly string[] = [
  'POST follow toggle',
  'POST blocks',
  'PATCH auth',
  'POST preferences',
  'POST reviews',
  'POST reports',
  'POST saved-searches',
]

/**
 * One run: people, tabs, accounts, bad networks, deaths. Then the network heals, then everything
 * does, and the ledger is judged.
 */
export async function live({
  seed,
  steps = STEPS,
  keys = true,
  only,
  without = [],
  calls = false,
}: Plan): Promise<Result> {
  const world = new World(mixed(seed, 0))
  const is = (condition: string, probability: number): boolean =>
    world.maybe(probability) && !without.includes(condition)
  // The device reads five pages of conversations, and here knows up to eleven.
  const page = is('small pages', 0.5) ? (world.pick([3, 5, 10]) ?? 10) : 50
  const server = new ModelServer(world, { keys, additions: keys || world.maybe(0.5), page })
  const possible = troubles.filter(
    (one) => (keys || !unpreventable.includes(one)) && !without.includes(one),
  )
  const trouble = world.pick([0, 0.1, 0.3, 0.6]) ?? 0
  const network = new ModelNetwork(world, server, {
    trouble: possible.length === 0 ? 0 : trouble,
    troubles: possible,
  })
  const device = new Device(world, network, is('memory', 0.04))
  const ledger = new Ledger(server, device.documents, keys)
  const life = new Life(world, server, network, device, ledger, keys, new Set(without))
  if (calls) network.onAnswer = (what) => life.person.note(what)
  life.begin(
    is('blocked sockets', 0.06) ? 'blocked' : is('deaf sockets', 0.04) ? 'deaf' : 'there',
    keys && !device.memoryOnly && is('golden', 0.05),
  )
  for (let step = 0; step < steps && ledger.wrongs.length === 0; step++) {
    world.reseed(mixed(seed, step + 1))
    const wait = world.pick([0, 1, 3, 10, 50, 400, 3000, 20_000, 90_000]) ?? 0
    if (only?.includes(step) !== false) life.act()
    await world.run(wait)
  }
  world.reseed(mixed(seed, STEPS + 1))
  const siege = is('siege', 0.2)
  if (siege && ledger.wrongs.length === 0) await life.siege()
  if (ledger.wrongs.length === 0) await life.living()
  if (ledger.wrongs.length === 0) await life.heal()
  if (calls) life.tellOutbox()
  const sent = [...server.threads.values()].reduce(
    (sum, { messages }) => sum + messages.length,
    server.listings.size,
  )
  return {
    wrongs: ledger.wrongs,
    sent,
    log: life.person.log,
    queued: life.person.queued,
    happened: life.happened,
  }
}

function uploadsOf({ payload: { photos } }: Entry): readonly string[] {
  return Array.isArray(photos)
    ? photos.map((photo) => text(members(photo)['upload'])).filter((upload) => upload !== null)
    : []
}

function mixed(seed: number, step: number): number {
  return (Math.imul(seed, 0x9e3779b1) ^ Math.imul(step + 1, 0x85ebca6b)) >>> 0
}

type Deeds = Readonly<Record<CommandName | Happening, readonly [weight: number, deed: () => void]>>

class Life {
  readonly person: Person
  readonly happened = new Map<string, number>()
  readonly #world: World
  readonly #server: ModelServer
  readonly #network: ModelNetwork
  readonly #device: Device
  readonly #ledger: Ledger
  readonly #exact: boolean
  readonly #without: ReadonlySet<string>
  readonly #presence: Presence
  readonly #buying: Buying
  readonly #selling: Selling
  readonly #intents: Intents
  readonly #deeds: Deeds
  /** The cache was cleared, so visible data is fetched again. */
  #cleared = false
  /** Lanes are judged at the next proof that our server answers. */
  #judging = false

  constructor(
    world: World,
    server: ModelServer,
    network: ModelNetwork,
    device: Device,
    ledger: Ledger,
    exact: boolean,
    without: ReadonlySet<string>,
  ) {
    this.#exact = exact
    this.#world = world
    this.#server = server
    this.#network = network
    this.#device = device
    this.#ledger = ledger
    this.#without = without
    this.person = new Person(world, device, (what) => ledger.wrong(what))
    this.#buying = new Buying(world, server, device, ledger, this.person, exact)
    this.#selling = new Selling(world, server, device, ledger, this.person)
    this.#intents = new Intents(world, server, device, ledger, this.person, exact)
    this.#presence = new Presence(world, server, device, ledger, this.person, (tab) =>
      this.#died(tab),
    )
    this.#deeds = this.#allDeeds()
    device.disk.stuck = (what) => ledger.wrong(what)
    device.disk.adopted = (owner, entry) => ledger.adopted(owner, entry)
    network.answered = (realm) => this.#answered(realm)
  }

  begin(sockets: Sockets, golden: boolean): void {
    this.#network.sockets = sockets
    this.person.note(
      `sockets ${sockets}${this.#device.memoryOnly ? ', in memory' : ''}` +
        (golden ? ', with what an earlier release left' : ''),
    )
    if (golden) {
      const { token, user } = leave({
        world: this.#world,
        server: this.#server,
        device: this.#device,
        ledger: this.#ledger,
        buying: this.#buying,
        selling: this.#selling,
        intents: this.#intents,
      })
      this.person.token = token
      this.person.user = user
      this.happened.set('golden', 1)
      // Only the outbox is left, no cache.
      this.#cleared = true
      return this.#presence.open()
    }
    this.#presence.open()
    if (this.#world.maybe(0.8)) this.#presence.signIn()
  }

  act(): void {
    let left =
      this.#world.random() * Object.values(this.#deeds).reduce((sum, [weight]) => sum + weight, 0)
    for (const [name, [weight, deed]] of Object.entries(this.#deeds)) {
      left -= weight
      if (left >= 0) continue
      if (this.#without.has(name)) return
      this.happened.set(name, (this.happened.get(name) ?? 0) + 1)
      return deed()
    }
  }

  tellOutbox(): void {
    const now = EPOCH + this.#world.now + this.#device.skew
    for (const {
      owner,
      name,
      state,
      why,
      uncertain,
      tries,
      notBefore,
      retryAt = 0,
      lane,
      after,
      spent,
      payload,
    } of this.#device.disk.state.entries) {
      const seconds = (at: number): string => `${Math.round((at - now) / 1000)} s`
      const waits = seconds(notBefore) + (retryAt > now ? `, asked for ${seconds(retryAt)}` : '')
      this.person.note(
        `left of ${owner}: ${name} ${state} ${why ?? ''}${uncertain ? ', in doubt' : ''}, ${tries} tries` +
          (spent ? `, the last ${Math.round((now - spent.at) / 1000)} s ago` : '') +
          `, waits ${waits}, in ${lane}${after === null ? '' : ` after ${after.slice(-4)}`} ` +
          JSON.stringify(payload),
      )
    }
  }

  /** The type requires every command here, so a missing one does not compile. */
  #allDeeds(): Deeds {
    const [buying, selling, intents, presence] = [
      this.#buying,
      this.#selling,
      this.#intents,
      this.#presence,
    ]
    return {
      'message.send': [20, () => buying.write(false)],
      'conversation.start': [1.5, () => buying.write(true)],
      'conversation.read': [2, () => buying.readUpTo()],
      'listing.save': [4, () => buying.save()],
      'listing.viewed': [1, () => intents.view()],
      'notification.read': [0.7, () => intents.readNotice()],
      'notification.readAll': [0.5, () => intents.readNotices()],
      'preferences.change': [0.8, () => intents.preferences()],
      'account.edit': [1, () => intents.profile()],
      'report.send': [0.8, () => intents.report()],
      'user.block': [1.2, () => intents.block()],
      'user.follow': [2, () => intents.follow()],
      'review.write': [0.8, () => intents.review()],
      'search.save': [0.8, () => intents.saveSearch()],
      'search.remove': [0.5, () => intents.removeSearch()],
      'listing.publish': [2.5, () => selling.publish()],
      'listing.edit': [2.5, () => selling.edit()],
      'listing.state': [2.2, () => selling.mark()],
      'listing.reactivate': [0.5, () => selling.reactivate()],
      'listing.delete': [0.5, () => selling.delete()],
      'publish again': [1, () => selling.publishAgain()],
      cancel: [1, () => selling.cancel()],
      elsewhere: [1.2, () => selling.elsewhere()],
      choose: [1, () => selling.choose()],
      amend: [this.#exact ? 5 : 2, () => buying.amend()],
      'change intent': [1.5, () => this.#changeIntent()],
      'seller writes': [2, () => buying.sellerWrites()],
      'sign in': [2, () => presence.signIn()],
      'sign out': [0.7, () => presence.signOut()],
      revoke: [0.5, () => presence.revoke()],
      open: [1, () => presence.open()],
      release: [0.3, () => presence.release()],
      kill: [1.5, () => presence.kill()],
      // A frozen tab can send a request long after its timeout: without keys a duplicate.
      freeze: [this.#exact ? 1 : 0, () => presence.freeze()],
      show: [1, () => presence.show()],
      network: [2, () => this.#changeNetwork()],
      sockets: [0.4, () => this.#sockets()],
      outage: [1, () => this.#outage()],
      disk: [0.6, () => this.#disk()],
      'forget uploads': [0.3, () => this.#server.forgetUploads()],
      clock: [0.5, () => this.#clock()],
      clear: [0.3, () => this.#clear()],
      background: [0.7, () => this.#background()],
    }
  }

  #changeNetwork(): void {
    const state = this.#world.pick(['there', 'there', 'gone', 'portal'] as const) ?? 'there'
    this.person.note(`network ${state}`)
    this.#network.become(state)
    if (this.#world.maybe(0.5))
      for (const tab of this.#device.tabs) this.#device.show(tab, tab.visible)
  }

  #sockets(): void {
    this.#network.sockets =
      this.#world.pick(['there', 'there', 'blocked', 'deaf'] as const) ?? 'there'
    this.#network.cut()
    this.person.note(`sockets ${this.#network.sockets}`)
  }

  #outage(): void {
    const call = this.#world.pick(failingCalls) ?? 'GET auth'
    const answer = this.#failing(call)
    this.person.note(`for an hour ${call} answers ${answer.status}`)
    this.#network.outages.set(call, answer)
    this.#world.after(
      HOUR,
      () => void (this.#network.outages.get(call) === answer && this.#network.outages.delete(call)),
    )
  }

  #failing(call: string): Answer {
    const many: Answer = {
      status: 429,
      body: { detail: 'wait', code: 'rate_limited', retry_after: 60 },
      headers: { 'retry-after': '60' },
    }
    const refused: Answer = { status: 403, body: { detail: 'no', code: 'not_allowed' } }
    return (
      this.#world.pick([
        { status: 500, body: '<html>500</html>' },
        { status: 503, body: { detail: 'no', code: 'service_unavailable' } },
        many,
        ...(refusable.includes(call) ? [refused, refused] : []),
      ]) ?? many
    )
  }

  #disk(): void {
    const { disk, documents } = this.#device
    if (this.#world.maybe(0.5)) disk.full = !disk.full
    else disk.flaky = this.#world.pick([0, 0.05, 0.2]) ?? 0
    documents.full = disk.full && this.#world.maybe(0.5) ? 0.5 : 0
    this.person.note(`disk full ${disk.full} flaky ${disk.flaky}, cache full ${documents.full}`)
  }

  #clock(): void {
    this.#device.skew = Math.round((this.#world.random() - 0.5) * 20 * 24 * HOUR)
    this.#intents.clockJumped = true
    this.person.note('clock')
  }

  #clear(): void {
    const tab = this.person.front()
    if (!tab) return
    this.person.note('clear')
    this.#cleared = true
    void tab.engine.ask({ name: 'data.clear', params: {} })
  }

  /** Wakes the service worker, which may be killed at any step. */
  #background(): void {
    if (this.#device.memoryOnly) return
    const realm = new Realm(this.#world)
    this.person.note('background')
    const outside = this.#device.outside(realm)
    void deliverInBackground(
      outside,
      tableOf(this.#world, this.#device.disk, realm),
      commands,
      (id) => this.#device.photo(realm, id),
      createMeter(outside, { meter: () => Promise.resolve(null) }),
    ).catch(() => undefined)
    this.#world.after(this.#world.below(40_000), () => this.#device.end(realm))
  }

  #changeIntent(): void {
    const tab = this.person.front()
    const { user, busy } = this.person
    const entry = this.#world.pick(
      this.#device.disk.state.entries.filter(
        ({ owner, id, state }) =>
          owner === user &&
          state !== 'sending' &&
          state !== 'acknowledged' &&
          this.#intents.knows(id),
      ),
    )
    if (tab && entry && !busy) this.#mendIntent(tab, entry)
  }

  #mendIntent(tab: Tab, { id, name, state }: Entry): void {
    const how =
      this.#world.pick(
        state === 'refused'
          ? (['retry', 'again', 'again', 'remove'] as const)
          : (['retry', 'remove'] as const),
      ) ?? 'retry'
    this.person.note(`${how} ${name}`)
    if (how === 'again' && this.#intents.again(tab, id)) return
    if (how !== 'remove') return void tab.engine.ask({ name: 'outbox.retry', params: { id } })
    this.#intents.removed(id)
    void tab.engine.ask({ name: 'outbox.remove', params: { id } })
  }

  #died(tab: Tab): void {
    this.#ledger.settleTaps(this.#device.disk)
    this.#selling.settle(tab)
    this.#buying.settle(tab)
    this.#intents.settle()
    if (!this.#device.memoryOnly) return
    this.#device.forget()
    this.#ledger.lost()
    this.#intents.lost()
  }

  /** One fault for an idle hour: checks what the device costs meanwhile. */
  async siege(): Promise<void> {
    const tab = this.#somebodyLooks()
    if (!tab) return
    this.#thaw()
    this.#network.become('there')
    this.#network.faults = { trouble: 0, troubles: [] }
    this.#room()
    const what =
      this.#world.pick([
        'outage',
        'outage',
        'outage',
        'blocked',
        'deaf',
        'gone',
        'portal',
      ] as const) ?? 'outage'
    if (what === 'outage') this.#outage()
    else if (what === 'blocked' || what === 'deaf') this.#network.sockets = what
    else this.#network.become(what)
    this.#network.cut()
    // The last taps are answered first, and their entries count too.
    await this.#world.run(GIVEN_UP_MS, () => !this.person.busy && !this.#selling.busy)
    await this.#world.run(1000)
    this.person.note(`for an hour nobody does anything: ${what}`)
    this.happened.set(`siege ${what}`, 1)
    const waiting = this.#device.disk.state.entries.filter(
      ({ state }) => state === 'waiting' || state === 'sending' || state === 'signed-out',
    )
    // The device learns only from a refusal that the server has forgotten an upload.
    const forgotten = (entry: Entry): number =>
      PHOTO_BYTES * uploadsOf(entry).filter((upload) => this.#server.lacks(upload)).length
    this.#network.count()
    await this.#world.run(HOUR)
    const over = overBudget(this.#network.traffic, {
      lanes: new Set(waiting.map(({ lane }) => lane)).size,
      bytes: waiting.reduce((sum, entry) => sum + entry.bytes + forgotten(entry), 0),
      online: what !== 'gone' && what !== 'portal',
      looks: this.#device.tabs.filter(({ visible }) => visible).length,
    })
    if (over !== '') this.#ledger.wrong(over)
  }

  /** Only the network heals: the live tabs must settle everything by themselves. */
  async living(): Promise<void> {
    const tab = this.#somebodyLooks()
    if (!tab) return
    const sockets =
      this.#world.pick<Sockets>(['there', 'there', 'there', this.#network.sockets]) ?? 'there'
    this.#thaw()
    this.#room()
    this.person.note(`the network heals, sockets ${sockets}`)
    this.#network.heal(sockets)
    if (this.#world.maybe(0.5))
      for (const one of this.#device.tabs)
        this.#device.show(one, one.visible, one.visible && this.#world.maybe(0.3))
    // With messages in front and no socket, other data refreshes only while shown [S4.11].
    const reads =
      this.#cleared || (sockets !== 'there' && this.#device.tabs.some(({ messages }) => messages))
    if (reads)
      for (const name of ['conversations.list', 'saved.ids', 'notifications.latest'] as const)
        void tab.engine.watch(name, {
          name,
          params:
            name === 'notifications.latest'
              ? { limit: 6 }
              : name === 'conversations.list'
                ? { search: '' }
                : {},
        })
    // Whoever was signed out signs in again, in the same tab.
    this.#judging = true
    const until = this.#world.now + LIVING_MS
    let sentAt = 0
    const isFinished = (): boolean => {
      if (!this.#idle(this.person.user)) sentAt = this.#world.now
      return this.#unfinished(sockets) === ''
    }
    // Calls that hung when the network healed time out by then, and a pending sign-in is done.
    await this.#world.run(GIVEN_UP_MS)
    do {
      if (this.person.user === '') await this.#comesBack(tab)
      await this.#world.run(
        until - this.#world.now,
        () => this.#ledger.wrongs.length > 0 || this.person.user === '' || isFinished(),
      )
      // A session that ended meanwhile is noticed only now.
    } while (this.person.user === '' && this.#world.now < until)
    this.#judging = false
    // A failing entry may wait up to the longest backoff; its next try succeeds.
    if (this.#ledger.wrongs.length === 0 && this.#allPersist(this.person.user))
      await this.#world.run(RETRY_ENTRY_MAX_MS, isFinished)
    // What is under way at the end of that time is finished.
    if (this.#ledger.wrongs.length === 0) await this.#world.run(GIVEN_UP_MS, isFinished)
    // Without a socket, what was sent last shows with the next poll.
    if (this.#ledger.wrongs.length === 0 && sockets !== 'there')
      await this.#world.run(sentAt + POLLED_MS - this.#world.now, isFinished)
    const left = this.#unfinished(sockets)
    if (left !== '' && this.#ledger.wrongs.length === 0)
      return this.#ledger.wrong(`${LIVING_MS / 60_000} minutes after the network healed: ${left}`)
    if (this.#ledger.wrongs.length === 0) await this.#messageArrives(sockets)
  }

  async #comesBack(tab: Tab): Promise<void> {
    const user = this.#world.pick(USERS) ?? ''
    for (let again = 0; again < 4 && this.person.user === ''; again++) {
      void this.#presence.enterAs(tab, user)
      await this.#world.run(30_000, () => this.person.user !== '')
    }
  }

  #somebodyLooks(): Tab | null {
    const tab = this.#device.tabs.find(({ visible }) => visible) ?? this.#device.tabs[0]
    // An old release asks its user to reload.
    if (tab?.old) {
      this.#presence.end(tab)
      this.#presence.open()
      return this.#device.tabs.find(({ old, visible }) => visible && !old) ?? null
    }
    if (tab && !tab.visible) this.#device.show(tab, true)
    return tab ?? null
  }

  #thaw(): void {
    for (const { realm } of this.#device.tabs) realm.thaw()
  }

  #room(): void {
    this.#device.disk.full = false
    this.#device.disk.flaky = 0
    this.#device.documents.full = 0
  }

  /** Our server answered: if this tab leads, each waiting lane must retry soon. */
  #answered(realm: Realm): void {
    const tab = this.#device.tabs.find((one) => one.realm === realm)
    const { user } = this.person
    if (!tab?.engine.line.facts.value.leader || tab.engine.session.who.value.me !== user) return
    this.#device.disk.failing.proved(EPOCH + this.#world.now + this.#device.skew)
    if (!this.#judging) return
    this.#judging = false
    const waited = new Map(
      this.#device.disk.state.entries
        .filter(({ owner, state }) => owner === user && state === 'waiting')
        .map((entry) => [entry.id, entry]),
    )
    this.#world.after(
      STILL_MS,
      () =>
        tab.engine.line.facts.value.leader &&
        this.person.user === user &&
        this.#judgeLanes(user, waited),
    )
  }

  #judgeLanes(user: string, waited: ReadonlyMap<string, Entry>): void {
    const now = EPOCH + this.#world.now + this.#device.skew
    const seen = new Set<string>()
    for (const entry of this.#device.disk.state.entries) {
      const {
        id,
        owner,
        lane,
        state,
        why,
        after,
        low,
        notBefore,
        payload,
        name,
        spent,
        retryAt = 0,
      } = entry
      if (owner !== user || (state !== 'waiting' && state !== 'sending') || seen.has(lane)) continue
      seen.add(lane)
      // It was retried since the proof, or the server asked for this wait.
      if (
        state !== 'waiting' ||
        waited.get(id)?.spent !== spent ||
        this.#waitsBehind(after) ||
        low ||
        retryAt > now
      )
        continue
      if (this.#persists(entry)) continue
      if (notBefore > now && notBefore <= now + LONGEST_WAIT_MS)
        this.#ledger.wrong(
          `stands still for ${Math.round((notBefore - now) / 1000)} s more, ${STILL_MS / 1000} s ` +
            `after our server had answered (${why}): ${name} ${JSON.stringify(payload)}`,
        )
    }
  }

  /** It failed repeatedly though the server answered others, so its backoff may have grown. */
  #persists(entry: Entry): boolean {
    const { state, failing } = this.#device.disk
    return (
      entry.spent !== undefined &&
      entry.notBefore <= entry.spent.at + failing.patience(entry, state) + RECOVERY_SPREAD_MS
    )
  }

  #waitsBehind(after: string | null): boolean {
    return (
      after !== null &&
      this.#device.disk.state.entries.some(
        ({ id, state }) => id === after && state !== 'acknowledged',
      )
    )
  }

  /** True if every remaining lane waits for a first entry that keeps failing, or is in flight again. */
  #allPersist(user: string): boolean {
    const left = this.#device.disk.state.entries.filter(
      ({ owner, state }) => owner === user && state !== 'refused',
    )
    const heads = left.filter(
      ({ lane, after }, place) =>
        !this.#waitsBehind(after) && left.findIndex((one) => one.lane === lane) === place,
    )
    return heads.length > 0 && heads.every((head) => isUnsent(head) && this.#persists(head))
  }

  /** Describes what is not settled yet; empty: nothing. */
  #unfinished(sockets: Sockets): string {
    const { user } = this.person
    const left = this.#device.disk.state.entries.filter(
      ({ owner, state }) => owner === user && state !== 'refused',
    )
    if (left.length > 0)
      return `still in the outbox: ${left
        .map(
          ({ name, state, why, payload }) =>
            `${name} ${state} ${why ?? ''} ${JSON.stringify(payload)}`,
        )
        .join(', ')}`
    const leader = this.#device.tabs.find(
      ({ engine }) => engine.line.facts.value.leader && engine.session.who.value.me === user,
    )
    if (!leader) return 'no tab leads'
    if (this.person.token !== null && !this.#server.knows(this.person.token))
      return 'nobody noticed that the session ended'
    if (sockets === 'there' && leader.engine.line.facts.value.socket !== 'open')
      return `the socket is ${leader.engine.line.facts.value.socket}`
    return this.#differs(user)
  }

  /** Describes where the device and the server differ. */
  #differs(user: string): string {
    const here = this.#device.documents.of(`of ${user}`)
    for (const thread of this.#server.threads.values()) {
      // A conversation without a message creates no event yet.
      if (thread.buyer !== user || thread.messages.length === 0) continue
      const known = here.conversations.get(thread.id)
      if (!known) return `the device does not know ${thread.id}`
      if (known.last_seq !== thread.messages.length)
        return `${thread.id} ends with ${known.last_seq} on the device, and with ${thread.messages.length}`
      const last = thread.messages.at(-1)
      // Of unpreventable duplicates one is shown.
      if (
        last &&
        ![...here.messages.values()].some(
          ({ id, serverId }) => serverId === last.id || (!this.#exact && id === last.key),
        )
      )
        return `the device has not got "${last.content}"`
      if (known.my_read_until < (thread.read.get(user) ?? 0))
        return `${thread.id} is read up to ${thread.read.get(user)}, on the device to ${known.my_read_until}`
    }
    for (const { id, read } of this.#server.social.of(user).notices)
      if (read && here.notifications.get(id)?.read === false)
        return `the device shows ${id} as unread`
    // A request of a device without a disk may arrive after its tab has died.
    const isSure = (id: string): boolean => !this.#ledger.unsure.has(id)
    const all = [...here.saved.values()].filter((one) => one.saved).map(({ id }) => id)
    const saved = all.filter(isSure)
    const favourites = [...(this.#server.favourites.get(user) ?? [])].filter(isSure)
    return saved.toSorted().join() === favourites.toSorted().join()
      ? ''
      : `saved on the device: ${saved.join()}; on the server: ${favourites.join()}`
  }

  /** The seller writes, and the device must show it in time. */
  async #messageArrives(sockets: Sockets): Promise<void> {
    const { user } = this.person
    const thread = [...this.#server.threads.values()].find(({ buyer }) => buyer === user)
    if (!thread) return
    const content = `seller ${this.person.next()}`
    this.#server.sellerWrites(thread, content)
    this.person.note(`the seller writes "${content}"`)
    const within = sockets === 'there' ? HEARD_MS : POLLED_MS
    const arrived = (): boolean =>
      [...this.#device.documents.of(`of ${user}`).messages.values()].some(
        (one) => one.content === content,
      )
    await this.#world.run(within, arrived)
    if (!arrived())
      this.#ledger.wrong(
        `not shown within ${within / 1000} s, sockets ${sockets}, messages in front ` +
          `${this.#device.tabs.some(({ visible, messages }) => visible && messages)}: "${content}"`,
      )
  }

  /** All faults end, and everybody signs in once: nothing may be left. */
  async heal(): Promise<void> {
    this.person.note('heal')
    this.#network.heal('there')
    this.#room()
    this.#device.skew = 0
    await this.#world.run(20_000)
    for (const tab of this.#device.tabs.slice()) this.#presence.end(tab)
    // The last is a visitor: entries refused to visitors are visible to them only.
    for (const user of [...USERS, '']) {
      this.#presence.open()
      const [tab] = this.#device.tabs
      if (!tab) return
      await this.#world.run(1000)
      if (user === '') this.#presence.signOut()
      else void this.#presence.enterAs(tab, user)
      await this.#world.run(30_000, () => this.person.user === user)
      await this.#world.run(5000)
      for (let again = 0; again < 12; again++) {
        // A failing entry may wait up to the longest backoff.
        await this.#world.run(RETRY_ENTRY_MAX_MS + GIVEN_UP_MS, () => this.#idle(user))
        if (!(await this.#mend(tab, user))) break
      }
      this.#judge(user)
      this.#presence.end(tab)
    }
    this.#ledger.judge()
    this.#selling.judge(this.#exact)
    this.#intents.judge()
    const leads = Math.max(0, ...Object.values(this.#device.disk.state.meta.fences))
    if (leads > MOST_LEADS) this.#ledger.wrong(`the lead changed hands ${leads} times`)
  }

  #idle(user: string): boolean {
    return this.#device.disk.state.entries.every(
      ({ owner, state }) => owner !== user || state === 'refused',
    )
  }

  /** The person corrects refused entries; returns whether there were any. */
  async #mend(tab: Tab, user: string): Promise<boolean> {
    const refused = this.#device.disk.state.entries.filter(
      ({ owner, state, why }) => owner === user && state === 'refused' && why !== 'behind',
    )
    for (const entry of refused) {
      // "Continuer"; the own list of an unpublished listing offers only "Corriger".
      if (isAskedAbout(entry) && (entry.name !== 'listing.publish' || this.#world.maybe(0.5)))
        this.#buying.goOn(tab, entry)
      else if (this.#intents.knows(entry.id)) this.#mendIntent(tab, entry)
      else if (entry.name.startsWith('listing.')) this.#selling.mend(tab, entry)
      else this.#buying.mend(tab, entry)
      await this.#world.run(5000)
    }
    return refused.length > 0
  }

  /** Checks the device once everything was sent. */
  #judge(user: string): void {
    const left = this.#device.disk.state.entries.filter(({ owner }) => owner === user)
    if (left.length > 0)
      this.#ledger.wrong(
        `left over: ${JSON.stringify(
          left.map(({ name, payload, state, why, problem, after }) => ({
            name,
            payload,
            state,
            why,
            problem,
            after,
          })),
        )}`,
      )
    const photos = this.#ledger.messages.filter(
      ({ id, owner, state }) =>
        owner === user && state === 'kept' && this.#device.disk.photos.has(id),
    )
    if (photos.length > 0)
      this.#ledger.wrong(
        `the device still keeps the photos of ${photos.map(({ content }) => content).join(', ')}`,
      )
    const messages = [...this.#device.documents.of(`of ${user}`).messages.values()]
    const unsure = messages.filter(
      ({ sender_id: sender, state }) => sender === user && state !== 'sent',
    )
    if (unsure.length > 0)
      this.#ledger.wrong(
        `shown as waiting, and is sent: ${unsure.map(({ content }) => content).join(', ')}`,
      )
    const ids = new Map<string, number>()
    for (const { serverId } of messages) ids.set(serverId, (ids.get(serverId) ?? 0) + 1)
    if ([...ids.values()].some((times) => times > 1))
      this.#ledger.wrong('one message in two bubbles')
  }
}
