import { deliverInBackground } from '#sync/background'
import { commands as commandSchemas } from '#schema/port/command'
import { commands } from '#sync/nouns/commands'
import * as v from 'valibot'
import { Air, type Trouble, troubles } from './air.ts'
import { tableOf } from './disk.ts'
import { Edits } from './edits.ts'
import { isForbidden, Ledger } from './ledger.ts'
import { type Phone as PhoneType, Phone, type Tab } from './phone.ts'
import { Realm } from './realm.ts'
import { FORBIDDEN, ModelServer } from './server.ts'
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

const USERS = ['U-awa', 'U-issa']
const LISTINGS = ['L1', 'L2', 'L3']
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
  life.open()
  if (world.maybe(0.8)) life.signIn()
  for (let step = 0; step < steps && ledger.wrongs.length === 0; step++) {
    life.act()
    await world.run(world.pick([0, 1, 3, 10, 50, 400, 3000, 20_000, 90_000]) ?? 0)
  }
  if (ledger.wrongs.length === 0) await life.heal()
  const sent = [...server.threads.values()].reduce((sum, { messages }) => sum + messages.length, server.listings.size)
  return { wrongs: ledger.wrongs, sent, log: life.log }
}

class Life {
  readonly log: string[] = []
  readonly #world: World
  readonly #server: ModelServer
  readonly #air: Air
  readonly #phone: PhoneType
  readonly #ledger: Ledger
  readonly #exact: boolean
  readonly #edits: Edits
  /** Local storage: who is signed in. */
  #token: string | null = null
  #user = ''
  #count = 0
  /** A person taps again only when the app has answered; a tab that died never does. */
  #waits: Tab | null = null

  get #busy(): boolean {
    return this.#waits?.realm.alive === true
  }

  constructor(world: World, server: ModelServer, air: Air, phone: PhoneType, ledger: Ledger, exact: boolean) {
    this.#exact = exact
    this.#world = world
    this.#server = server
    this.#air = air
    this.#phone = phone
    this.#ledger = ledger
    this.#edits = new Edits(world, server, phone, ledger)
  }

  /** One thing happens. */
  act(): void {
    const deeds: readonly (readonly [number, () => void])[] = [
      [20, () => this.#write()],
      [4, () => this.#save()],
      [2.5, () => this.#publish()],
      [2, () => this.#mark()],
      [2.5, () => this.#edit()],
      [1.2, () => this.#elsewhere()],
      [1, () => this.#choose()],
      [2, () => this.#readUpTo()],
      [this.#exact ? 5 : 2, () => this.#amend()],
      [2, () => this.#sellerWrites()],
      [2, () => this.signIn()],
      [0.7, () => this.#signOut()],
      [0.5, () => this.#revoke()],
      [1, () => this.open()],
      [1.5, () => this.#kill()],
      // A frozen tab lets a request go long after it was given up: without keys nobody can undo that.
      [this.#exact ? 1 : 0, () => this.#freeze()],
      [1, () => this.#show()],
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

  open(): void {
    if (this.#phone.tabs.length >= 3) return
    const tab = this.#phone.open(this.#token, (note) => {
      if (note.kind === 'session-ended' && note.token === this.#token) this.#become(null, '')
    })
    this.#phone.show(tab, true)
    this.#say(`open ${this.#phone.tabs.length}`)
  }

  /** Everything is well again, and everybody comes back once: nothing may be left over. */
  async heal(): Promise<void> {
    this.#say('heal')
    this.#air.become('there')
    this.#air.weather = { trouble: 0, troubles: [] }
    this.#phone.disk.full = false
    this.#phone.disk.flaky = 0
    this.#phone.skew = 0
    await this.#world.run(20_000)
    for (const tab of this.#phone.tabs.slice()) this.#end(tab)
    for (const user of USERS) {
      this.open()
      const [tab] = this.#phone.tabs
      if (!tab) return
      void this.#enterAs(tab, user)
      await this.#world.run(30_000, () => this.#user === user)
      await this.#world.run(5000)
      for (let again = 0; again < 12; again++) {
        await this.#world.run(HOUR / 4, () => this.#idle(user))
        if (!(await this.#mend(tab, user))) break
      }
      const left = this.#phone.disk.book.entries.filter(({ owner }) => owner === user)
      if (left.length > 0) this.#ledger.wrong(`left over: ${JSON.stringify(left.map(({ name, payload, state, why, problem, after }) => ({ name, payload, state, why, problem, after })))}`)
      const unsure = [...this.#phone.documents.of(`of ${user}`).messages.values()].filter(({ sender_id: sender, state }) => sender === user && state !== 'sent')
      if (unsure.length > 0) this.#ledger.wrong(`shown as waiting, and is sent: ${unsure.map(({ content }) => content).join(', ')}`)
      const ids = new Map<string, number>()
      for (const { serverId } of this.#phone.documents.of(`of ${user}`).messages.values()) ids.set(serverId, (ids.get(serverId) ?? 0) + 1)
      if ([...ids.values()].some((times) => times > 1)) this.#ledger.wrong('one message in two bubbles')
      this.#end(tab)
    }
    this.#ledger.judge()
    this.#edits.judge(this.#exact)
    const leads = Math.max(...Object.values(this.#phone.disk.book.desk.fences))
    if (leads > MOST_LEADS) this.#ledger.wrong(`the lead changed hands ${leads} times`)
  }

  /** The person changes what was refused; whether there was anything. */
  async #mend(tab: Tab, user: string): Promise<boolean> {
    const refused = this.#phone.disk.book.entries.filter(({ owner, state, why }) => owner === user && state === 'refused' && why !== 'behind')
    for (const { id, name, payload, problem } of refused) {
      if (name === 'listing.publish') {
        await this.#correct(tab, id)
        continue
      }
      if (name === 'listing.edit') {
        void this.#edits.choose(tab, id)
        await this.#world.run(5000)
        continue
      }
      const content = String(payload['content']).replaceAll(FORBIDDEN, 'allowed')
      this.#note(id, content)
      const overtaken = this.#ledger.messages.find((one) => one.content === payload['content'])
      if (overtaken) overtaken.asked ||= problem?.code === 'arrived_before_change'
      void tab.engine.ask({ name: 'outbox.edit', params: { id, content } })
      await this.#world.run(5000)
    }
    return refused.length > 0
  }

  /** "Corriger": the same draft, published again under its id. */
  async #correct(tab: Tab, id: string): Promise<void> {
    const entry = this.#phone.disk.book.entries.find((one) => one.id === id)
    const payload = entry && v.parse(commandSchemas['listing.publish'], entry.payload)
    const known = this.#ledger.published.get(id)
    if (!payload || !known) return
    known.title = payload.fields.title.replaceAll(FORBIDDEN, 'allowed')
    void tab.engine.send({ id, name: 'listing.publish', payload: { ...payload, fields: { ...payload.fields, title: known.title }, photos: payload.photos.map((photo) => ({ ...photo, upload: null })) } })
    await this.#world.run(5000)
  }

  #idle(user: string): boolean {
    return this.#phone.disk.book.entries.every(({ owner, state }) => owner !== user || state === 'refused')
  }

  #write(): void {
    const tab = this.#front()
    if (!tab || this.#user === '' || this.#busy) return
    const listing = this.#world.pick(LISTINGS) ?? 'L1'
    const content = `${this.#user} ${++this.#count}${this.#world.maybe(0.06) ? ` ${FORBIDDEN}` : ''}`
    const known = this.#conversation(listing)
    const id = this.#world.id()
    const command =
      known === null || this.#world.maybe(0.1)
        ? ({ id, name: 'conversation.start', payload: { listing, content } } as const)
        : ({ id, name: 'message.send', payload: { conversation: known, content } } as const)
    this.#ledger.messages.push({ id, owner: this.#user, listing, content, older: [], asked: false, state: 'tapped', alive: () => tab.realm.alive, moved: isForbidden(content) })
    this.#say(`${command.name} ${JSON.stringify(command.payload)}`)
    this.#tapped(tab, id, tab.engine.send(command))
  }

  /** What the app says to a tap; a tab that dies says nothing. */
  #tapped(tab: Tab, id: string, sent: ReturnType<Tab['engine']['send']>): void {
    this.#waits = tab
    void sent.then((said) => {
      if (!tab.realm.alive) return
      this.#waits = null
      this.#say(`said ${said.kind} ${id.slice(-4)}`)
      const one = this.#ledger.messages.find((message) => message.id === id)
      if (!one) return
      if (said.kind === 'queued') one.state = 'kept'
      else if (one.state === 'tapped') this.#ledger.messages.splice(this.#ledger.messages.indexOf(one), 1)
    })
  }

  /** As the screen sees it: the real conversation, else the one begun here, else none. */
  #conversation(listing: string): string | null {
    const here = [...this.#phone.documents.of(`of ${this.#user}`).conversations.values()].filter((one) => one.listing.id === listing && one.movedTo === null)
    return (here.find(({ id }) => !id.startsWith('new-')) ?? here[0])?.id ?? null
  }

  #save(): void {
    const tab = this.#front()
    if (!tab || this.#busy) return
    const listing = this.#world.pick(LISTINGS) ?? 'L1'
    const owner = this.#user
    const saved = this.#ledger.saved.get(owner)?.get(listing) !== true
    this.#waits = tab
    this.#say(`${saved ? 'save' : 'unsave'} ${listing} as ${owner}`)
    this.#wishing = { tab, owner, listing }
    void tab.engine.send({ id: this.#world.id(), name: 'listing.save', payload: { listing, saved } }).then((said) => {
      if (!tab.realm.alive) return
      this.#wishing = null
      this.#waits = null
      if (said.kind === 'queued') this.#ledger.wish(this.#user === owner || owner !== '' ? owner : this.#user, listing, saved)
    })
  }

  /** A draft with photos, sent as one thing under its own id; sometimes twice, as from two tabs. */
  #publish(): void {
    const tab = this.#front()
    if (!tab || this.#user === '' || this.#busy) return
    const id = this.#world.id()
    const owner = this.#user
    const title = `listing ${++this.#count}${this.#world.maybe(0.05) ? ` ${FORBIDDEN}` : ''}`
    const photos = Array.from({ length: this.#world.below(4) }, () => this.#world.id())
    for (const photo of photos) this.#phone.disk.photos.set(photo, { id: photo, draft: id, owner, file: new Blob(['x']), bytes: 250_000, width: 1600, height: 1200 })
    const fields = { title, description: 'd', category: 'other', price: 1000, negotiable: false, region: 'centre', town: null, neighbourhood: null, location_note: null, contact_phone: null, specs: {} }
    const command = { id, name: 'listing.publish', payload: { draft: id, fields, photos: photos.map((photo) => ({ id: photo, bytes: 250_000, upload: null, round: 0 })), wifiOnly: false } } as const
    this.#say(`publish ${title} with ${photos.length}`)
    this.#waits = tab
    const keep = (): void => void this.#ledger.published.set(id, { owner, title, photos: photos.map((photo) => `${photo}.jpg`), flags: new Map(), gone: null })
    void tab.engine.send(command).then((said) => {
      if (!tab.realm.alive) return
      this.#waits = null
      if (said.kind === 'queued') keep()
    })
    const other = this.#world.maybe(0.3) ? this.#world.pick(this.#phone.tabs) : undefined
    void other?.engine.send(command).then((said) => {
      if (said.kind === 'queued' && !this.#ledger.published.has(id)) keep()
    })
    this.#publishing = { tab, id, keep }
  }

  #publishing: { readonly tab: Tab; readonly id: string; readonly keep: () => void } | null = null

  /** The tab died: what is on disk was published. */
  #settlePublishing(tab: Tab): void {
    const one = this.#publishing
    if (one?.tab !== tab || this.#ledger.published.has(one.id)) return
    const { book } = this.#phone.disk
    if (book.entries.some(({ id }) => id === one.id) || book.desk.done.includes(one.id)) one.keep()
  }

  /** Sold or not any more, as the own list shows it: under the phone's name or the server's. */
  #mark(): void {
    const tab = this.#front()
    const listing = this.#world.pick([...this.#phone.documents.of(`of ${this.#user}`).ownListings.values()])
    if (!tab || this.#user === '' || this.#busy || !listing) return
    const known = [...this.#ledger.published.values()].find((one) => one.owner === this.#user && one.title === listing.title)
    if (!known || known.title.includes(FORBIDDEN)) return
    const desired = known.flags.get('sold') !== true
    this.#say(`${desired ? 'sold' : 'not sold'} ${listing.title}`)
    this.#waits = tab
    known.flags.delete('sold')
    void tab.engine.send({ id: this.#world.id(), name: 'listing.state', payload: { listing: listing.id, flag: 'sold', desired } }).then((said) => {
      if (!tab.realm.alive) return
      this.#waits = null
      if (said.kind === 'queued') known.flags.set('sold', desired)
    })
  }

  /** A price, a text or photos of an own listing. */
  #edit(): void {
    const tab = this.#front()
    if (!tab || this.#user === '' || this.#busy) return
    const found = this.#edits.pick(this.#user)
    if (!found) return
    this.#say(`edit ${found.listing.title}`)
    this.#waits = tab
    void this.#edits.write(tab, this.#user, found).then((answered) => {
      if (answered) this.#waits = null
    })
  }

  #elsewhere(): void {
    const what = this.#edits.elsewhere()
    if (what !== null) this.#say(`elsewhere: ${what}`)
  }

  /** Two devices met: the person chooses, sooner or later. */
  #choose(): void {
    const tab = this.#front()
    const entry = this.#phone.disk.book.entries.find(({ owner, name, state }) => owner === this.#user && name === 'listing.edit' && state === 'refused')
    if (!tab || !entry || this.#user === '' || this.#busy) return
    this.#say('choose')
    this.#waits = tab
    void this.#edits.choose(tab, entry.id).then(() => {
      if (tab.realm.alive) this.#waits = null
    })
  }

  #wishing: { readonly tab: Tab; readonly owner: string; readonly listing: string } | null = null

  #readUpTo(): void {
    const tab = this.#front()
    const thread = this.#world.pick([...this.#phone.documents.of(`of ${this.#user}`).conversations.values()])
    if (!tab || this.#user === '' || !thread || thread.last_seq === 0) return
    void tab.engine.send({ id: this.#world.id(), name: 'conversation.read', payload: { conversation: thread.id, upTo: thread.last_seq } })
  }

  /** Takes away, changes or retries something that waits. */
  #amend(): void {
    const tab = this.#front()
    const waiting = this.#phone.disk.book.entries.filter(({ owner, name, state }) => owner === this.#user && (name === 'message.send' || name === 'conversation.start') && (state === 'waiting' || state === 'refused'))
    // Where keys are kept, what is in doubt can be changed too: the hardest case is the one to look for.
    const doubtful = this.#exact ? waiting.filter(({ doubt }) => doubt) : []
    const entry = this.#world.pick(doubtful.length > 0 ? doubtful : waiting)
    if (!tab || !entry || this.#user === '' || this.#busy) return
    const one = this.#ledger.messages.find(({ id }) => id === entry.id)
    if (!one || one.state !== 'kept') return
    const how = this.#world.pick(doubtful.length > 0 ? (['remove', 'edit', 'edit', 'edit', 'retry'] as const) : (['remove', 'edit', 'retry'] as const))
    this.#say(`${how} ${one.content}`)
    if (how === 'retry') return void tab.engine.ask({ name: 'outbox.retry', params: { id: entry.id } })
    this.#waits = tab
    if (how === 'edit') {
      const content = `${this.#user} ${++this.#count}`
      const old = one.content
      this.#editing = { tab, id: entry.id, old, content }
      void tab.engine.ask({ name: 'outbox.edit', params: { id: entry.id, content } }).then((said) => {
        this.#waits = null
        this.#editing = null
        if (said.kind !== 'done') one.content = old
      })
      // From here on either may be what is on disk; the edit is known when it is answered.
      one.older.push(old)
      one.content = content
      one.moved = true
      return
    }
    const doubt = one.state
    one.state = 'perhaps gone'
    void tab.engine.ask({ name: 'outbox.remove', params: { id: entry.id } }).then((said) => {
      this.#waits = null
      if (said.kind !== 'done') one.state = doubt
      else if (!entry.doubt && entry.triedAt === 0) one.state = 'perhaps gone'
    })
  }

  #editing: { readonly tab: Tab; readonly id: string; readonly old: string; readonly content: string } | null = null

  /** The tab died: the edit is what the disk says, or what has gone out. */
  #settleEdit(tab: Tab): void {
    const edit = this.#editing
    if (edit?.tab !== tab) return
    const kept = this.#phone.disk.book.entries.find(({ id }) => id === edit.id)?.payload['content']
    const sent = [...this.#server.threads.values()].some(({ messages }) => messages.some(({ content }) => content === edit.old))
    this.#note(edit.id, kept === edit.old || (kept === undefined && sent) ? edit.old : edit.content)
    this.#editing = null
  }

  #note(id: string, content: string): void {
    const one = this.#ledger.messages.find((message) => message.id === id)
    if (one) {
      one.content = content
      one.moved = true
    }
  }

  #sellerWrites(): void {
    const thread = this.#world.pick([...this.#server.threads.values()])
    if (thread) this.#server.sellerWrites(thread, `seller ${++this.#count}`)
  }

  signIn(): void {
    const tab = this.#front()
    const user = this.#world.pick(USERS) ?? ''
    if (tab && !this.#busy && (this.#user === '' || this.#world.maybe(0.3))) void this.#enterAs(tab, user)
  }

  async #enterAs(tab: Tab, user: string): Promise<void> {
    this.#say(`sign in ${user}`)
    const said = await tab.engine.ask({ name: 'account.login', params: { username: user, password: 'x' } })
    if (said.kind === 'done' && tab.realm.alive && !this.#busy) this.#become(said.answer.token, user)
  }

  #signOut(): void {
    const tab = this.#front()
    if (!tab || this.#user === '' || this.#busy) return
    this.#say('sign out')
    void tab.engine.ask({ name: 'account.logout', params: {} })
    this.#become(null, '')
  }

  /** What local storage says, every tab hears. */
  #become(token: string | null, user: string): void {
    if (user !== '') this.#ledger.adopt(user)
    this.#token = token
    this.#user = user
    for (const tab of this.#phone.tabs) void tab.engine.enter({ token, language: 'fr', sessionId: 'visitor-1' })
  }

  #revoke(): void {
    const user = this.#world.pick(USERS) ?? ''
    this.#say(`revoke ${user}`)
    this.#server.revoke(user)
  }

  #kill(): void {
    const tab = this.#world.pick(this.#phone.tabs)
    if (!tab) return
    this.#say('kill')
    this.#end(tab)
    if (this.#phone.tabs.length === 0 && this.#world.maybe(0.7)) this.open()
  }

  #end(tab: Tab): void {
    this.#phone.kill(tab)
    this.#ledger.settleTaps(this.#phone.disk)
    this.#settlePublishing(tab)
    this.#settleEdit(tab)
    this.#edits.settle()
    if (this.#wishing?.tab === tab) this.#ledger.forgetWish(this.#wishing.owner, this.#wishing.listing)
  }

  #freeze(): void {
    const tab = this.#world.pick(this.#phone.tabs)
    if (!tab || this.#busy) return
    this.#say('freeze')
    tab.realm.freeze()
    this.#world.after(this.#world.below(120_000), () => tab.realm.thaw())
  }

  #show(): void {
    const tab = this.#world.pick(this.#phone.tabs)
    if (tab) this.#phone.show(tab, !tab.visible)
  }

  #network(): void {
    const state = this.#world.pick(['there', 'there', 'gone', 'portal'] as const) ?? 'there'
    this.#say(`network ${state}`)
    this.#air.become(state)
    if (this.#world.maybe(0.5)) for (const tab of this.#phone.tabs) this.#phone.show(tab, tab.visible)
  }

  #disk(): void {
    const { disk } = this.#phone
    if (this.#world.maybe(0.5)) disk.full = !disk.full
    else disk.flaky = this.#world.pick([0, 0.05, 0.2]) ?? 0
    this.#say(`disk full ${disk.full} flaky ${disk.flaky}`)
  }

  #clock(): void {
    this.#phone.skew = (this.#world.random() - 0.5) * 20 * 24 * HOUR
    this.#say('clock')
  }

  #clear(): void {
    const tab = this.#front()
    if (!tab) return
    this.#say('clear')
    void tab.engine.ask({ name: 'data.clear', params: {} })
  }

  /** The service worker is woken, and may be killed at any step. */
  #background(): void {
    const realm = new Realm(this.#world)
    this.#say('background')
    void deliverInBackground(this.#phone.outside(realm), tableOf(this.#world, this.#phone.disk, realm), commands, (id) => this.#phone.photo(realm, id)).catch(() => undefined)
    this.#world.after(this.#world.below(40_000), () => this.#phone.end(realm))
  }

  #front(): Tab | undefined {
    return this.#world.pick(this.#phone.tabs.filter(({ realm, visible }) => visible && !realm.frozen))
  }

  #say(what: string): void {
    this.log.push(`${String(this.#world.now).padStart(9)} ${what}`)
  }
}
