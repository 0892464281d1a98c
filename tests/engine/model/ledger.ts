import type { MessageDocument } from '#schema/disk/documents'
import type { Entry } from '#schema/disk/entry'
import type { DocumentDisk } from './store.ts'
import type { DeviceDisk } from './disk.ts'
import type { ModelListing } from './listings.ts'
import { FORBIDDEN, type ModelServer, SELLER } from './server.ts'

export interface Published {
  readonly owner: string
  title: string
  photos: readonly string[]
  readonly flags: Map<string, boolean>
  gone: null | 'surely' | 'perhaps'
  readonly reactivated: number[]
}

export interface Written {
  readonly id: string
  readonly owner: string
  readonly listing: string
  content: string
  /** Name of its photo on the server; null: none. */
  readonly photo: string | null
  /** Earlier contents: one may have arrived, and then the writer decides about the newest. */
  readonly older: string[]
  /** Its writer dropped the newest content because an older one had arrived. */
  asked: boolean
  /** tapped: no answer yet · kept: answered "queued" · gone: removed, surely or perhaps unsent. */
  state: 'tapped' | 'kept' | 'gone' | 'perhaps gone'
  readonly alive: () => boolean
  /** Refused once and sent again later, so its order is not checked. */
  moved: boolean
}

/** What people did and what the app answered: the server and the device are judged against it. */
export class Ledger {
  readonly messages: Written[] = []
  /** By owner (empty: visitors): the last desired state of each listing. */
  readonly saved = new Map<string, Map<string, boolean>>()
  readonly reads: {
    readonly owner: string
    readonly conversation: string
    readonly upTo: number
  }[] = []
  readonly wrongs: string[] = []
  readonly unsure = new Set<string>()
  /** By listing: who signed in since a visitor saved it; one of them must get it. */
  readonly #heirs = new Map<string, ReadonlySet<string>>()
  readonly #server: ModelServer
  /** Without keys no client can prevent duplicates [SYNC 5]: then only losses count. */
  readonly #exact: boolean

  constructor(server: ModelServer, documents: DocumentDisk, exact: boolean) {
    this.#server = server
    this.#exact = exact
    documents.written.subscribe(({ owner, collection, documents: rows }) => {
      if (collection === 'messages')
        for (const row of rows) if (isMessage(row)) this.#seen(owner, row)
    })
  }

  wrong(what: string): void {
    this.wrongs.push(what)
  }

  setSaved(owner: string, listing: string, saved: boolean): void {
    const intents = this.saved.get(owner) ?? new Map<string, boolean>()
    this.saved.set(owner, intents.set(listing, saved))
    // A visitor who undoes a save leaves nothing to whoever signs in.
    if (owner !== '' || saved) return
    intents.delete(listing)
    this.#heirs.delete(listing)
  }

  /** The tab died before it answered: both outcomes are allowed. */
  forgetSaved(owner: string, listing: string): void {
    this.saved.get(owner)?.delete(listing)
    this.unsure.add(listing)
  }

  /** A visitor's saves go to the first account that signs in while the disk works. */
  cameIn(owner: string): void {
    for (const listing of this.saved.get('')?.keys() ?? [])
      this.#heirs.set(listing, new Set([...(this.#heirs.get(listing) ?? []), owner]))
  }

  /** The device assigned a visitor's entry to an account. */
  adopted(owner: string, { name, payload }: Entry): void {
    const listing = String(payload['listing'])
    const saved = this.saved.get('')?.get(listing)
    if (name !== 'listing.save' || this.unsure.has(listing)) return
    if (saved === undefined || this.#heirs.get(listing)?.has(owner) !== true)
      return this.wrong(`${owner} has what a visitor saved, and did not come in for it: ${listing}`)
    this.saved.get('')?.delete(listing)
    this.#heirs.delete(listing)
    this.setSaved(owner, listing, saved)
  }

  readonly published = new Map<string, Published>()

  /** A tab died before it answered: only what is on disk counts. */
  settleTaps(disk: DeviceDisk): void {
    for (const one of this.messages.slice()) {
      if (one.state !== 'tapped' || one.alive()) continue
      const kept =
        disk.state.entries.some(({ id }) => id === one.id) || disk.state.meta.done.includes(one.id)
      if (kept) one.state = 'kept'
      else this.messages.splice(this.messages.indexOf(one), 1)
    }
  }

  /** The device lost its data: whatever had not arrived is visibly lost. */
  lost(): void {
    for (const one of this.messages)
      if (!this.#sent(one.owner, one.listing).includes(one.content)) one.state = 'perhaps gone'
    for (const one of this.published.values()) one.gone = 'perhaps'
    for (const intents of this.saved.values())
      for (const listing of intents.keys()) this.unsure.add(listing)
    // The device reloads its data from the server, where a visitor has none.
    this.saved.clear()
    this.reads.length = 0
  }

  hasArrived({ owner, listing, content, older }: Written): boolean {
    return this.#sent(owner, listing).some((text) => text === content || older.includes(text))
  }

  /** A message shown as sent was sent, and nobody sees another person's messages. */
  #seen(owner: string, row: MessageDocument): void {
    if (row.sender_id !== owner && row.sender_id !== SELLER)
      this.wrong(`${owner} sees a message of ${row.sender_id}`)
    if (row.state !== 'sent') return
    const there = [...this.#server.threads.values()].some(({ messages }) =>
      messages.some(({ id, content }) => id === row.serverId && content === row.content),
    )
    if (!there) this.wrong(`shown as sent, and is not: ${row.content}`)
  }

  /** After all faults end: nothing is lost, doubled, reordered or mixed. */
  judge(): void {
    for (const { id, buyer, listing, messages } of this.#server.threads.values()) {
      const sent = messages.filter(({ sender }) => sender !== SELLER)
      for (const { sender, content, photo } of sent) {
        if (sender !== buyer) this.wrong(`${sender} writes in a conversation of ${buyer}`)
        const mine = this.messages.find(
          (one) =>
            one.owner === sender &&
            one.listing === listing &&
            (one.content === content || one.older.includes(content)),
        )
        if (!mine) this.wrong(`nobody wrote "${content}" as ${sender} in ${id}`)
        else if (mine.state === 'gone') this.wrong(`was taken away, and sent: ${content}`)
        else if (photo !== null && photo !== mine.photo)
          this.wrong(`with another one’s photo: ${content}`)
      }
    }
    for (const one of this.messages) if (one.state === 'kept') this.#counts(one)
    for (const { owner, conversation, upTo } of this.reads) {
      const read = this.#server.threads.get(conversation)?.read.get(owner) ?? 0
      if (read < upTo)
        this.wrong(`${owner} read ${conversation} up to ${upTo}; the server knows of ${read}`)
    }
    this.#order()
    this.#intents()
    for (const one of this.published.values()) this.#judgeListing(one)
    for (const { title, owner } of this.#server.listings.values()) {
      if (![...this.published.values()].some((one) => one.title === title && one.owner === owner))
        this.wrong(`nobody published "${title}" as ${owner}`)
    }
  }

  #judgeListing({ owner, title, photos, flags, gone, reactivated }: Published): void {
    const made = [...this.#server.listings.values()].filter(
      (one) => one.owner === owner && one.title === title,
    )
    if (gone) {
      if (made.length > 0 && gone === 'surely' && this.#exact)
        this.wrong(`was deleted, and is there: ${title}`)
      return
    }
    const should = (one: ModelListing): readonly string[] =>
      [...flags]
        .filter(([flag, desired]) => (one.flags.get(flag) ?? flag === 'active') !== desired)
        .map(([flag, desired]) => `${flag}: ${desired}`)
    // Of unpreventable duplicates one is the device's; later commands applied to that one.
    const hasPhotos = (one: ModelListing): boolean =>
      one.images.map(({ photo }) => photo).join() === photos.join()
    const listing = made.find((one) => should(one).length === 0 && hasPhotos(one)) ?? made[0]
    if (!listing) return this.wrong(`not published: ${title}`)
    const twice = photos.filter(
      (photo) => this.#server.uploaded.filter((one) => one === photo).length > 1,
    )
    if (twice.length > 0 && this.#exact && !this.#server.forgot)
      this.wrong(`uploaded twice: ${twice.join()}`)
    if (made.length > 1 && this.#exact) this.wrong(`published ${made.length} times: ${title}`)
    if (!hasPhotos(listing))
      this.wrong(
        `${title} has the photos ${listing.images.map(({ photo }) => photo).join()} instead of ${photos.join()}`,
      )
    const [days, wanted] = [listing.reactivated.at(-1), reactivated.at(-1)]
    if (wanted !== undefined && made.length === 1 && days !== wanted)
      this.wrong(`${title} should be shown for ${wanted} days more, and is for ${days}`)
    if (listing.reactivated.length > reactivated.length && this.#exact)
      this.wrong(
        `${title} was prolonged ${listing.reactivated.length} times instead of ${reactivated.length}`,
      )
    for (const state of should(listing)) this.wrong(`${title} should be ${state}`)
  }

  #counts({ owner, listing, content, photo, older, asked }: Written): void {
    const sent = this.#sent(owner, listing)
    const times = sent.filter((text) => text === content).length
    const before = sent.filter((text) => text !== content && older.includes(text)).length
    if (before > 0 && times > 0 && !asked && this.#exact)
      this.wrong(`changed, and sent both ways unasked: "${content}" of ${owner}`)
    if (before > 1 && this.#exact)
      this.wrong(`sent in ${before} older versions: "${content}" of ${owner}`)
    if (times === 0) this.wrong(`lost: "${content}" of ${owner}`)
    const pictures = photo === null ? 1 : this.#pictures(photo)
    if (pictures === 0) this.wrong(`sent without its photo: "${content}" of ${owner}`)
    if (pictures > 1 && this.#exact)
      this.wrong(`its photo was sent ${pictures} times: "${content}" of ${owner}`)
    if (times > 1 && this.#exact) this.wrong(`sent ${times} times: "${content}" of ${owner}`)
  }

  #order(): void {
    const groups = new Map<string, Written[]>()
    for (const one of this.messages) {
      if (one.state !== 'kept' || one.moved) continue
      const key = `${one.owner} ${one.listing}`
      groups.set(key, [...(groups.get(key) ?? []), one])
    }
    for (const group of groups.values()) {
      const [first] = group
      if (!first) continue
      const sent = this.#sent(first.owner, first.listing)
      const places = group.map(({ content }) => sent.indexOf(content))
      if (places.some((place, at) => at > 0 && place < (places[at - 1] ?? 0)))
        this.wrong(
          `out of order: ${group.map(({ content }) => content).join(', ')} came as ${sent.join(', ')}`,
        )
    }
  }

  #intents(): void {
    for (const [owner, intents] of this.saved) {
      for (const [listing, saved] of intents) {
        if (this.unsure.has(listing)) continue
        // Every account has signed in since.
        if (owner === '') this.wrong(`nobody has what a visitor saved: ${listing}`)
        else if (
          this.#server.favourites.get(owner)?.has(listing) !== saved &&
          (saved || this.#server.favourites.get(owner)?.has(listing) === true)
        ) {
          this.wrong(`${owner} asked for ${listing} ${saved ? 'saved' : 'not saved'}`)
        }
      }
    }
  }

  #pictures(name: string): number {
    return [...this.#server.threads.values()].flatMap(({ messages }) =>
      messages.filter(({ photo }) => photo === name),
    ).length
  }

  #sent(owner: string, listing: string): string[] {
    return [...this.#server.threads.values()]
      .filter((thread) => thread.buyer === owner && thread.listing === listing)
      .flatMap(({ messages }) =>
        messages.filter(({ sender }) => sender === owner).map(({ content }) => content),
      )
  }
}

function isMessage(row: unknown): row is MessageDocument {
  return typeof row === 'object' && row !== null && 'serverId' in row
}

export function isForbidden(content: string): boolean {
  return content.includes(FORBIDDEN)
}
