import type { OwnListingDocument } from '#schema/disk/documents'
import { clashes, currentOf, type Edit, rebase } from '#schema/edit'
import { commands, type Payload } from '#schema/port/command'
import { withOptimisticState } from '#sync/nouns/listing/optimistic'
import * as v from 'valibot'
import type { Ledger, Published } from './ledger.ts'
import type { Field, ModelListing } from './listings.ts'
import { iso, type ModelServer } from './server.ts'
import { isAskedAbout, type Person } from './person.ts'
import { type Device, PHOTO_BYTES, type Tab } from './device.ts'
import type { World } from './world.ts'

type P = Payload<'listing.edit'>

/** A value written over the values that the person had seen. */
interface Written {
  readonly owner: string
  readonly title: string
  readonly field: Field
  readonly value: string
  readonly seen: Set<string>
  /** tapped: no answer yet · kept: answered "queued" · let go: the other device's value won. */
  state: 'tapped' | 'kept' | 'let go'
  readonly draft: string
  readonly alive: () => boolean
}

/** Edits on two devices, and their judge: none is lost, and none overwrites an unseen value. */
export class Edits {
  readonly #world: World
  readonly #server: ModelServer
  readonly #device: Device
  readonly #ledger: Ledger
  readonly #person: Person
  readonly #written: Written[] = []
  /** By draft: the photos that the listing should have. */
  readonly #photos = new Map<
    string,
    { readonly known: Published; readonly names: readonly string[] }
  >()
  #count = 0

  constructor(world: World, server: ModelServer, device: Device, ledger: Ledger, person: Person) {
    this.#world = world
    this.#server = server
    this.#device = device
    this.#ledger = ledger
    this.#person = person
  }

  /** An own listing that is on the server, as the screen shows it. */
  pick(user: string): { readonly listing: OwnListingDocument; readonly known: Published } | null {
    const entries = this.#device.disk.state.entries.filter(({ owner }) => owner === user)
    const shown = [...this.#device.documents.of(`of ${user}`).ownListings.values()].flatMap(
      (one) => withOptimisticState(one, entries, Date.parse(iso(this.#world.now))) ?? [],
    )
    const listing = this.#world.pick(
      shown.filter(({ id, client_id: local, more }) => id !== local && more !== null),
    )
    const known =
      listing &&
      [...this.#ledger.published.values()].find(
        (one) => one.owner === user && one.title === listing.title,
      )
    return listing && known && this.#server.listings.has(listing.id) ? { listing, known } : null
  }

  /** Records an edit made under an earlier release. */
  had(owner: string, known: Published, { draft, fields, base, images }: P): void {
    for (const field of ['price', 'description'] as const) {
      if (fields[field] === undefined) continue
      this.#written.push({
        owner,
        title: known.title,
        field,
        value: String(fields[field]),
        seen: new Set([String(base[field])]),
        state: 'kept',
        draft,
        alive: () => true,
      })
    }
    if (images) known.photos = images.order.map((id) => `${id}.jpg`)
  }

  /** Edits a price or a description, and perhaps the photos if no entry of the listing waits. */
  write(
    tab: Tab,
    user: string,
    { listing, known }: { readonly listing: OwnListingDocument; readonly known: Published },
  ): Promise<void> {
    const draft = this.#world.id()
    const field = this.#world.pick(['price', 'description'] as const) ?? 'price'
    const shown = field === 'price' ? String(listing.price) : (listing.more?.description ?? '')
    const value = field === 'price' ? String(10_000 + ++this.#count) : `text ${++this.#count}`
    const one: Written = {
      owner: user,
      title: listing.title,
      field,
      value,
      seen: this.#seenUnder(listing.title, user, field, shown),
      state: 'tapped',
      draft,
      alive: () => tab.realm.alive,
    }
    this.#written.push(one)
    const fields = field === 'price' ? { price: Number(value) } : { description: value }
    const base = field === 'price' ? { price: listing.price } : { description: shown }
    const photos = this.#rearranged(user, draft, listing, known)
    const payload: P = {
      listing: listing.id,
      draft,
      fields,
      base,
      ...photos,
      baseVersion: listing.more?.version ?? null,
      wifiOnly: false,
    }
    return this.#sent(tab, payload)
  }

  /** An own value that is shown while it waits stands over what its writer had seen. */
  #seenUnder(title: string, user: string, field: Field, shown: string): Set<string> {
    const own = this.#written.find(
      (one) =>
        one.owner === user && one.title === title && one.field === field && one.value === shown,
    )
    return new Set([shown, ...(own?.seen ?? [])])
  }

  async #sent(tab: Tab, payload: P): Promise<void> {
    const accepted = await this.#person.send(tab, {
      id: this.#world.id(),
      name: 'listing.edit',
      payload,
    })
    if (accepted === true) this.#keep(payload.draft)
    else if (accepted === false) this.#forget(payload.draft)
  }

  /** Adds, removes or reorders photos; only if the screen shows all of them. */
  #rearranged(
    user: string,
    draft: string,
    listing: OwnListingDocument,
    known: Published,
  ): Pick<P, 'photos' | 'images'> {
    const busy = this.#device.disk.state.entries.some(
      ({ owner, name, payload }) =>
        owner === user && name === 'listing.edit' && payload['listing'] === listing.id,
    )
    const there = this.#server.listings.get(listing.id)
    const before = (listing.more?.images ?? []).map(({ id }) => id)
    if (
      busy ||
      !there ||
      this.#world.maybe(0.5) ||
      before.join() !== there.images.map(({ id }) => id).join()
    )
      return { photos: [], images: null }
    const fresh = before.length < 4 && this.#world.maybe(0.6) ? [this.#world.id()] : []
    for (const id of fresh) this.#device.keepPhoto(id, draft, user)
    const order = [...fresh, ...before.slice(this.#world.below(2)).toReversed()]
    const names = order.map((id) => there.images.find((one) => one.id === id)?.photo ?? `${id}.jpg`)
    this.#photos.set(draft, { known, names })
    return {
      photos: fresh.map((id) => ({ id, bytes: PHOTO_BYTES, upload: null, round: 0 })),
      images: { order, before },
    }
  }

  #keep(draft: string): void {
    for (const one of this.#written)
      if (one.draft === draft && one.state === 'tapped') one.state = 'kept'
    const photos = this.#photos.get(draft)
    if (photos) photos.known.photos = photos.names
    this.#photos.delete(draft)
  }

  #forget(draft: string): void {
    const left = this.#written.filter((one) => one.draft !== draft || one.state !== 'tapped')
    this.#written.splice(0, this.#written.length, ...left)
    this.#photos.delete(draft)
  }

  /** Resolves edits whose tab died before it answered: an edit on disk was written. */
  settle(): void {
    const { entries } = this.#device.disk.state
    for (const draft of new Set(
      this.#written
        .filter(({ state, alive }) => state === 'tapped' && !alive())
        .map((one) => one.draft),
    )) {
      const waits = entries.some(({ payload }) => payload['draft'] === draft)
      const arrived = this.#written.some(
        (one) => one.draft === draft && this.#steps(one).some(({ to }) => to === one.value),
      )
      if (waits || arrived) this.#keep(draft)
      else this.#forget(draft)
    }
  }

  /** The same person edits a listing on another device, based on the server's values. */
  elsewhere(): string | null {
    const listing = this.#world.pick([...this.#server.listings.values()])
    if (!listing) return null
    const field = this.#world.pick(['price', 'description'] as const) ?? 'price'
    this.#server.editElsewhere(
      listing,
      field === 'price'
        ? { price: 900_000 + ++this.#count }
        : { description: `elsewhere ${++this.#count}` },
    )
    return `${field} of ${listing.title}`
  }

  /** After a 409 the person compares both values of each field and picks one. */
  async choose(tab: Tab, id: string): Promise<void> {
    const entry = this.#device.disk.state.entries.find((one) => one.id === id)
    if (entry && isAskedAbout(entry))
      return void (await tab.engine.ask({ name: 'outbox.retry', params: { id } }))
    const now = currentOf(entry?.problem ?? null)
    if (!entry) return
    if (!now) {
      // The owner deleted the listing meanwhile, or the call is made to fail.
      const id = entry.payload['listing']
      const goes =
        entry.problem?.code === 'listing_not_found' &&
        this.#server.deleted.some((one) => one.id === id)
      if (!goes) return this.#ledger.wrong(`an edit was refused: ${JSON.stringify(entry.problem)}`)
      for (const one of this.#written)
        if (one.draft === entry.payload['draft']) one.state = 'let go'
      return void (await tab.engine.ask({ name: 'outbox.remove', params: { id: entry.id } }))
    }
    const payload = v.parse(commands['listing.edit'], entry.payload)
    const names = clashes(payload, now)
    // The other device edits only descriptions and prices.
    if (names.includes('images'))
      this.#ledger.wrong(
        `an edit of photos clashes with itself: ${JSON.stringify(payload.images)}, there are ${now.images.join()}`,
      )
    const mine = new Set(names.filter(() => this.#world.maybe(0.5)))
    const next = rebase(payload, now, (name) => mine.has(name))
    for (const one of this.#written.filter(({ draft }) => draft === payload.draft)) {
      if (names.includes(one.field) && !mine.has(one.field)) one.state = 'let go'
      else one.seen.add(String(now.fields[one.field]))
    }
    if (isEmpty(next)) await tab.engine.ask({ name: 'outbox.remove', params: { id } })
    else
      await tab.engine.send({
        id: this.#world.id(),
        name: 'listing.edit',
        payload: { ...payload, ...next, baseVersion: now.version },
      })
  }

  /** `versions`: the server checks `base_version`, so no edit may overwrite an unseen value. */
  judge(versions: boolean): void {
    for (const one of this.#written) {
      const steps = this.#steps(one)
      const times = steps.filter(({ to }) => to === one.value).length
      const gone = [...this.#ledger.published.values()].some(
        ({ owner, title, gone }) => owner === one.owner && title === one.title && gone !== null,
      )
      if (one.state === 'kept' && times === 0 && !gone)
        this.#ledger.wrong(`an edit was lost: ${one.field} ${one.value} of ${one.title}`)
      if (versions && times > 1) this.#ledger.wrong(`an edit was made ${times} times: ${one.value}`)
    }
    if (versions) for (const listing of this.#server.listings.values()) this.#judgeSteps(listing)
  }

  #judgeSteps({ title, owner, steps }: ModelListing): void {
    for (const { field, from, to, by } of steps) {
      if (by !== 'device') continue
      const one = this.#written.find(
        (written) => written.owner === owner && written.title === title && written.value === to,
      )
      if (!one) this.#ledger.wrong(`nobody wrote ${field} ${to} of ${title}`)
      else if (!one.seen.has(from))
        this.#ledger.wrong(
          `${field} ${to} of ${title} was laid over ${from}, which its writer never saw`,
        )
    }
  }

  #steps({ owner, title, field }: Written) {
    return [...this.#server.listings.values(), ...this.#server.deleted]
      .filter((one) => one.owner === owner && one.title === title)
      .flatMap(({ steps }) => steps.filter((step) => step.field === field))
  }
}

function isEmpty({ fields, images }: Edit): boolean {
  return Object.keys(fields).length === 0 && images === null
}
