import { commands } from '#schema/port/command'
import type { Entry } from '#schema/disk/entry'
import { isTaken } from '#schema/port/outcome'
import * as v from 'valibot'
import { Edits } from './edits.ts'
import type { Ledger } from './ledger.ts'
import type { Person } from './person.ts'
import type { Phone, Tab } from './phone.ts'
import { FORBIDDEN, type ModelServer } from './server.ts'
import type { World } from './world.ts'

/** What a seller does: publishes drafts with photos, marks and edits own listings, here and on another device. */
export class Selling {
  readonly #world: World
  readonly #phone: Phone
  readonly #ledger: Ledger
  readonly #person: Person
  readonly #edits: Edits
  #publishing: { readonly tab: Tab; readonly id: string; readonly keep: () => void } | null = null

  constructor(world: World, server: ModelServer, phone: Phone, ledger: Ledger, person: Person) {
    this.#world = world
    this.#phone = phone
    this.#ledger = ledger
    this.#person = person
    this.#edits = new Edits(world, server, phone, ledger)
  }

  /** A draft with photos, sent as one thing under its own id; sometimes twice, as from two tabs. */
  publish(): void {
    const person = this.#person
    const tab = person.front()
    if (!tab || person.user === '' || person.busy) return
    const id = this.#world.id()
    const owner = person.user
    const title = `listing ${person.next()}${this.#world.maybe(0.05) ? ` ${FORBIDDEN}` : ''}`
    const photos = Array.from({ length: this.#world.below(4) }, () => this.#world.id())
    for (const photo of photos) this.#phone.disk.photos.set(photo, { id: photo, draft: id, owner, file: new Blob(['x']), bytes: 250_000, width: 1600, height: 1200 })
    const fields = { title, description: 'd', category: 'other', price: 1000, negotiable: false, region: 'centre', town: null, neighbourhood: null, location_note: null, contact_phone: null, specs: {} }
    const command = { id, name: 'listing.publish', payload: { draft: id, fields, photos: photos.map((photo) => ({ id: photo, bytes: 250_000, upload: null, round: 0 })), wifiOnly: false } } as const
    person.say(`publish ${title} with ${photos.length}`)
    person.tapped(tab)
    const keep = (): void => void this.#ledger.published.set(id, { owner, title, photos: photos.map((photo) => `${photo}.jpg`), flags: new Map(), gone: null })
    void tab.engine.send(command).then((said) => {
      if (!tab.realm.alive) return
      person.answered()
      if (isTaken(said)) keep()
    })
    const other = this.#world.maybe(0.3) ? this.#world.pick(this.#phone.tabs) : undefined
    void other?.engine.send(command).then((said) => {
      if (isTaken(said) && !this.#ledger.published.has(id)) keep()
    })
    this.#publishing = { tab, id, keep }
  }

  /** Sold or not any more, as the own list shows it: under the phone's name or the server's. */
  mark(): void {
    const person = this.#person
    const tab = person.front()
    const listing = this.#world.pick([...this.#phone.documents.of(`of ${person.user}`).ownListings.values()])
    if (!tab || person.user === '' || person.busy || !listing) return
    const known = [...this.#ledger.published.values()].find((one) => one.owner === person.user && one.title === listing.title)
    if (!known || known.title.includes(FORBIDDEN)) return
    const desired = known.flags.get('sold') !== true
    person.say(`${desired ? 'sold' : 'not sold'} ${listing.title}`)
    person.tapped(tab)
    known.flags.delete('sold')
    void tab.engine.send({ id: this.#world.id(), name: 'listing.state', payload: { listing: listing.id, flag: 'sold', desired } }).then((said) => {
      if (!tab.realm.alive) return
      person.answered()
      if (isTaken(said)) known.flags.set('sold', desired)
    })
  }

  /** A price, a text or photos of an own listing. */
  edit(): void {
    const person = this.#person
    const tab = person.front()
    if (!tab || person.user === '' || person.busy) return
    const found = this.#edits.pick(person.user)
    if (!found) return
    person.say(`edit ${found.listing.title}`)
    person.tapped(tab)
    void this.#edits.write(tab, person.user, found).then((answered) => {
      if (answered) person.answered()
    })
  }

  elsewhere(): void {
    const what = this.#edits.elsewhere()
    if (what !== null) this.#person.say(`elsewhere: ${what}`)
  }

  /** Two devices met: the person chooses, sooner or later. */
  choose(): void {
    const person = this.#person
    const tab = person.front()
    const entry = this.#phone.disk.book.entries.find(({ owner, name, state }) => owner === person.user && name === 'listing.edit' && state === 'refused')
    if (!tab || !entry || person.user === '' || person.busy) return
    person.say('choose')
    person.tapped(tab)
    void this.#edits.choose(tab, entry.id).then(() => {
      if (tab.realm.alive) person.answered()
    })
  }

  /** "Corriger" or "Choisir"; false: there was nothing to mend. */
  mend(tab: Tab, { id, name }: Entry): boolean {
    if (name === 'listing.publish') return this.#correct(tab, id)
    void this.#edits.choose(tab, id)
    return true
  }

  /** The same draft, published again under its id. */
  #correct(tab: Tab, id: string): boolean {
    const entry = this.#phone.disk.book.entries.find((one) => one.id === id)
    const payload = entry && v.parse(commands['listing.publish'], entry.payload)
    const known = this.#ledger.published.get(id)
    if (!payload || !known) return false
    known.title = payload.fields.title.replaceAll(FORBIDDEN, 'allowed')
    void tab.engine.send({ id, name: 'listing.publish', payload: { ...payload, fields: { ...payload.fields, title: known.title }, photos: payload.photos.map((photo) => ({ ...photo, upload: null })) } })
    return true
  }

  /** The tab died before it answered: what is on disk was published, or written. */
  settle(tab: Tab): void {
    const one = this.#publishing
    const { book } = this.#phone.disk
    if (one?.tab === tab && !this.#ledger.published.has(one.id) && (book.entries.some(({ id }) => id === one.id) || book.desk.done.includes(one.id))) one.keep()
    this.#edits.settle()
  }

  judge(versions: boolean): void {
    this.#edits.judge(versions)
  }
}
