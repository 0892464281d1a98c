import { type Command, commands } from '#schema/port/command'
import type { Entry } from '#schema/disk/entry'
import * as v from 'valibot'
import { Edits } from './edits.ts'
import type { Ledger, Published } from './ledger.ts'
import { isAccepted } from '#schema/port/outcome'
import type { OutboxState } from '#sync/outbox/state'
import type { ModelListing } from './listings.ts'
import { hasRow, type Person } from './person.ts'
import { type Device, PHOTO_BYTES, type Tab } from './device.ts'
import { FORBIDDEN, type ModelServer } from './server.ts'
import type { World } from './world.ts'

/** A seller's actions: publish drafts with photos, mark and edit own listings, on two devices. */
export class Selling {
  readonly #world: World
  readonly #server: ModelServer
  readonly #device: Device
  readonly #ledger: Ledger
  readonly #person: Person
  readonly #edits: Edits
  readonly #commands = new Map<string, Command<'listing.publish'>>()
  #prolonging: { readonly tab: Tab; readonly id: string; readonly not: () => void } | null = null
  #publishing: { readonly tab: Tab; readonly id: string; readonly keep: () => void } | null = null
  /** The other tab of a publication given twice, until it has answered. */
  #second: Tab | null = null

  constructor(world: World, server: ModelServer, device: Device, ledger: Ledger, person: Person) {
    this.#world = world
    this.#device = device
    this.#ledger = ledger
    this.#person = person
    this.#edits = new Edits(world, server, device, ledger, person)
    this.#server = server
  }

  get busy(): boolean {
    return this.#second?.realm.alive === true
  }

  /** Records a command given under an earlier release. */
  had({ id, name, owner, payload }: Entry): void {
    const known = this.#ledger.published.get(String(payload['listing']))
    if (name === 'listing.publish') {
      const { fields, photos } = v.parse(commands[name], payload)
      this.#ledger.published.set(id, {
        owner,
        title: fields.title,
        photos: photos.map((photo) => `${photo.id}.jpg`),
        flags: new Map(),
        gone: null,
        reactivated: [],
      })
    } else if (known && name === 'listing.edit')
      this.#edits.had(owner, known, v.parse(commands[name], payload))
    else if (known && name === 'listing.state')
      known.flags.set(String(payload['flag']), payload['desired'] === true)
    else if (known && name === 'listing.reactivate') known.reactivated.push(Number(payload['days']))
    else if (known && name === 'listing.delete') known.gone = 'surely'
  }

  /** Publishes a draft with photos under its own id; sometimes twice, as from two tabs. */
  publish(): void {
    const person = this.#person
    const tab = person.front()
    if (!tab || person.user === '' || person.busy) return
    const id = this.#world.id()
    const owner = person.user
    const title = `listing ${person.next()}${this.#world.maybe(0.05) ? ` ${FORBIDDEN}` : ''}`
    const photos = Array.from({ length: this.#world.below(4) }, () => this.#world.id())
    for (const photo of photos) this.#device.keepPhoto(photo, id, owner)
    const fields = {
      title,
      description: 'd',
      category: 'other',
      price: 1000,
      negotiable: false,
      region: 'centre',
      town: null,
      neighbourhood: null,
      location_note: null,
      contact_phone: null,
      specs: {},
    }
    const command = {
      id,
      name: 'listing.publish',
      payload: {
        draft: id,
        fields,
        photos: photos.map((photo) => ({ id: photo, bytes: PHOTO_BYTES, upload: null, round: 0 })),
        wifiOnly: false,
      },
    } as const
    person.note(`publish ${title} with ${photos.length}`)
    const keep = (): void =>
      void this.#ledger.published.set(id, {
        owner,
        title,
        photos: photos.map((photo) => `${photo}.jpg`),
        flags: new Map(),
        gone: null,
        reactivated: [],
      })
    void person.send(tab, command).then((accepted) => {
      if (accepted) keep()
    })
    const other = this.#world.maybe(0.3) ? this.#world.pick(this.#device.tabs) : undefined
    this.#second = other ?? null
    void other?.engine.send(command).then((result) => {
      if (this.#second === other) this.#second = null
      if (isAccepted(result) && !this.#ledger.published.has(id)) keep()
    })
    this.#publishing = { tab, id, keep }
    this.#commands.set(id, command)
  }

  /** Cancels a waiting publication; its draft stays, and may be published again. */
  cancel(): void {
    const person = this.#person
    const tab = person.front()
    const entry = this.#world.pick(
      this.#device.disk.state.entries.filter(
        ({ owner, name, state }) =>
          owner === person.user &&
          name === 'listing.publish' &&
          (state === 'waiting' || state === 'refused'),
      ),
    )
    const known = entry && this.#ledger.published.get(entry.id)
    if (!tab || !entry || !known || person.user === '' || person.busy) return
    person.note(`cancel ${known.title}`)
    person.tapped(tab)
    const before = known.gone
    known.gone = 'perhaps'
    void tab.engine.ask({ name: 'outbox.remove', params: { id: entry.id } }).then((result) => {
      person.answered()
      if (result.kind !== 'done') known.gone = before
    })
  }

  publishAgain(): void {
    const person = this.#person
    const tab = person.front()
    const found = this.#world.pick(
      [...this.#ledger.published].filter(
        ([id, { owner, gone }]) =>
          owner === person.user &&
          gone === 'perhaps' &&
          !this.#device.disk.state.entries.some(
            (entry) => entry.id === id || entry.payload['listing'] === id,
          ),
      ),
    )
    const command = found && this.#commands.get(found[0])
    if (!tab || !found || !command || person.user === '' || person.busy) return
    const [id, known] = found
    if ([...this.#server.listings.values(), ...this.#server.deleted].some(({ key }) => key === id))
      return
    known.title = command.payload.fields.title
    person.note(`publish ${known.title} again`)
    // Cancelling also removed the commands about the listing.
    known.flags.clear()
    known.reactivated.length = 0
    for (const { id: photo } of command.payload.photos)
      this.#device.keepPhoto(photo, id, known.owner)
    const isSo = (): boolean =>
      [...this.#server.listings.values(), ...this.#server.deleted].some(({ key }) => key === id)
    void person.send(tab, command, isSo).then((accepted) => {
      if (accepted) known.gone = null
    })
  }

  delete(): void {
    this.#toOwn('listing.delete', (listing, known) => {
      const command = {
        id: this.#world.id(),
        name: 'listing.delete',
        payload: { listing },
      } as const
      const before = known.gone
      known.gone = 'perhaps'
      return {
        command,
        queued: () => void (known.gone = 'surely'),
        not: () => void (known.gone = before),
      }
    })
  }

  reactivate(): void {
    this.#toOwn('listing.reactivate', (listing, known, tab) => {
      const days = 1 + this.#world.below(90)
      const command = {
        id: this.#world.id(),
        name: 'listing.reactivate',
        payload: { listing, days },
      } as const
      known.reactivated.push(days)
      const queued = (): void => void (this.#prolonging = null)
      const not = (): void => {
        known.reactivated.pop()
        queued()
      }
      this.#prolonging = { tab, id: command.id, not }
      return { command, queued, not }
    })
  }

  #toOwn(
    what: string,
    make: (
      listing: string,
      known: Published,
      tab: Tab,
    ) => { readonly command: Command; readonly queued: () => void; readonly not: () => void },
  ): void {
    const person = this.#person
    const tab = person.front()
    const listing = this.#world.pick([
      ...this.#device.documents.of(`of ${person.user}`).ownListings.values(),
    ])
    if (!tab || person.user === '' || person.busy || !listing) return
    const known = [...this.#ledger.published.values()].find(
      (one) => one.owner === person.user && one.title === listing.title,
    )
    if (!known || known.gone !== null || known.title.includes(FORBIDDEN)) return
    person.note(`${what} ${listing.title}`)
    const { command, queued, not } = make(listing.id, known, tab)
    void person.send(tab, command).then((accepted) => {
      if (accepted === true) queued()
      else if (accepted === false) not()
    })
  }

  /** Marks a listing sold or unsold from the own list, by its local or its server id. */
  mark(): void {
    const person = this.#person
    const tab = person.front()
    const listing = this.#world.pick([
      ...this.#device.documents.of(`of ${person.user}`).ownListings.values(),
    ])
    if (!tab || person.user === '' || person.busy || !listing) return
    const known = [...this.#ledger.published.values()].find(
      (one) => one.owner === person.user && one.title === listing.title,
    )
    if (!known || known.gone !== null || known.title.includes(FORBIDDEN)) return
    const flag = this.#world.pick(['sold', 'reserved'] as const) ?? 'sold'
    const there = (): ModelListing | undefined =>
      [...this.#server.listings.values()].find(
        (one) => one.owner === person.user && one.title === listing.title,
      )
    const ids: readonly unknown[] = [listing.id, listing.client_id, there()?.id]
    const desired = !person.sees(
      ({ name, payload }) =>
        name === 'listing.state' && payload['flag'] === flag && ids.includes(payload['listing']),
      'desired',
      there()?.flags.get(flag) === true,
    )
    person.note(`${desired ? flag : `not ${flag}`} ${listing.title}`)
    known.flags.delete(flag)
    const payload = { listing: listing.id, flag, desired }
    const command = { id: this.#world.id(), name: 'listing.state', payload } as const
    const isSo = ({ entries }: OutboxState): boolean =>
      (there()?.flags.get(flag) === true) === desired ||
      entries.some(
        ({ name, payload: one, state }) =>
          name === command.name &&
          JSON.stringify(one) === JSON.stringify(payload) &&
          state !== 'refused',
      )
    void person.send(tab, command, isSo).then((accepted) => {
      if (accepted) known.flags.set(flag, desired)
    })
  }

  edit(): void {
    const person = this.#person
    const tab = person.front()
    if (!tab || person.user === '' || person.busy) return
    const found = this.#edits.pick(person.user)
    if (!found) return
    person.note(`edit ${found.listing.title}`)
    void this.#edits.write(tab, person.user, found)
  }

  elsewhere(): void {
    const what = this.#edits.elsewhere()
    if (what !== null) this.#person.note(`elsewhere: ${what}`)
  }

  /** After an edit conflict the person chooses, sooner or later. */
  choose(): void {
    const person = this.#person
    const tab = person.front()
    const entry = this.#device.disk.state.entries.find(
      ({ owner, name, state }) =>
        owner === person.user && name === 'listing.edit' && state === 'refused',
    )
    if (!tab || !entry || person.user === '' || person.busy) return
    person.note('choose')
    person.tapped(tab)
    void this.#edits.choose(tab, entry.id).then(() => {
      if (tab.realm.alive) person.answered()
    })
  }

  /** "Corriger" or "Choisir"; other refused entries are removed. */
  mend(tab: Tab, { id, name }: Entry): void {
    if (name === 'listing.publish') return this.#correct(tab, id)
    if (name === 'listing.edit') return void this.#edits.choose(tab, id)
    void tab.engine.ask({ name: 'outbox.remove', params: { id } })
  }

  #correct(tab: Tab, id: string): void {
    const entry = this.#device.disk.state.entries.find((one) => one.id === id)
    const payload = entry && v.parse(commands['listing.publish'], entry.payload)
    const known = this.#ledger.published.get(id)
    if (!payload || !known) return
    known.title = payload.fields.title.replaceAll(FORBIDDEN, 'allowed')
    void tab.engine.send({
      id,
      name: 'listing.publish',
      payload: {
        ...payload,
        fields: { ...payload.fields, title: known.title },
        photos: payload.photos.map((photo) => ({ ...photo, upload: null })),
      },
    })
  }

  /** Resolves a publication or edit whose tab died before it answered: what is on disk counts. */
  settle(tab: Tab): void {
    const one = this.#publishing
    const { state } = this.#device.disk
    if (one?.tab === tab && !this.#ledger.published.has(one.id) && hasRow(state, one.id)) one.keep()
    if (this.#prolonging?.tab === tab && !hasRow(state, this.#prolonging.id)) this.#prolonging.not()
    if (this.#prolonging?.tab === tab) this.#prolonging = null
    this.#edits.settle()
  }

  judge(versions: boolean): void {
    this.#edits.judge(versions)
  }
}
