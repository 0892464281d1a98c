import { createRxDatabase, type RxCollection, type RxDatabase } from 'rxdb/plugins/core'
import { Subject, type Observable } from 'rxjs'
import { collections, type CollectionName, type Documents } from '#schema/disk/documents'
import { OPEN_MS } from '#schema/limits'
import { Late, within } from '../within.ts'
import type { Disk, Storage } from './disk.ts'
import { schemaOf } from './queries.ts'
import { Collection } from './collection.ts'

type Collections = { [C in CollectionName]: RxCollection<Documents[C]> }
type CollectionHandles = { readonly [C in CollectionName]: Once<Collection<Documents[C]>> }
type Scope = 'shared' | 'personal'
export type Tended = Pick<Collection<Documents[CollectionName]>, 'count' | 'dropLowest'>

export interface StoreConfig {
  /** Of the app; the store's names begin with it. */
  readonly name: string
  /** Of the documents' shapes. A new one opens a new store and fetches again; the old one is deleted after [SYNC 3]. */
  readonly version: number
  readonly disk: Disk
  /** Calls back after so many ms; the answer cancels. */
  setTimer(ms: number, what: () => void): () => void
  /** A newer version of the app has its store here. */
  outdated?(): void
}

/** Failures further apart than this are separate. */
const REPAIRS_MS = 60_000
/** A collection to probe the disk with: a database alone opens even where nothing can be kept. */
const PROBE = 'lists'

/**
 * The databases: one that all accounts of the phone share, one of the account that is in. A store that does not open is
 * deleted and made anew; where that fails too, or nothing may be kept, it lives in memory. All of it is a cache.
 */
export class Databases {
  readonly #place: StoreConfig
  readonly #renewed = new Subject<void>()
  readonly #databases: { [W in Scope]?: Promise<RxDatabase<Collections>> } = {}
  readonly #handles: CollectionHandles = {
    listings: new Once(() => this.#openCollection('listings')),
    lists: new Once(() => this.#openCollection('lists')),
    shops: new Once(() => this.#openCollection('shops')),
    catalogue: new Once(() => this.#openCollection('catalogue')),
    ownLists: new Once(() => this.#openCollection('ownLists')),
    ownListings: new Once(() => this.#openCollection('ownListings')),
    conversations: new Once(() => this.#openCollection('conversations')),
    messages: new Once(() => this.#openCollection('messages')),
    notifications: new Once(() => this.#openCollection('notifications')),
    saved: new Once(() => this.#openCollection('saved')),
    account: new Once(() => this.#openCollection('account')),
  }
  /** What is kept in memory alone, by the database's name. */
  readonly #memory = new Map<string, Storage>()
  #owner: string
  /** Counts the accounts that came in: what was begun for one must not be written for the next. */
  #epoch = 0
  #inMemory: boolean
  #outdated = false
  #repairs = 0
  #mending: Promise<void> | null = null

  private constructor(place: StoreConfig, owner: string) {
    this.#place = place
    this.#owner = owner
    this.#inMemory = place.disk.storage === null
  }

  static async open(place: StoreConfig, owner: string): Promise<Databases> {
    const databases = new Databases(place, owner)
    await databases.#prove()
    return databases
  }

  get memoryOnly(): boolean {
    return this.#inMemory
  }

  /** A newer version of the app has its store here: this code touches nothing and should be replaced. */
  get outdated(): boolean {
    return this.#outdated
  }

  get epoch(): number {
    return this.#epoch
  }

  /** All documents may have changed: another account came in, or the store was made anew. */
  get renewed(): Observable<void> {
    return this.#renewed
  }

  handle<C extends CollectionName>(name: C): Promise<Collection<Documents[C]>> {
    return this.#handles[name].get()
  }

  /** Every collection that is open, for work that does not look into documents. */
  async opened(): Promise<readonly { readonly name: CollectionName; readonly handle: Tended }[]> {
    const found = await Promise.all(
      names.map(async (name) => ({ name, handle: await this.#handles[name].peek() })),
    )
    return found.flatMap(({ name, handle }) => (handle === null ? [] : [{ name, handle }]))
  }

  /** Whether this is still the handle to use: an older one was closed. */
  async holds(name: CollectionName, handle: Tended): Promise<boolean> {
    return (await this.#handles[name].peek()?.catch(() => null)) === handle
  }

  /** Another account (empty: a visitor) comes in; the one before closes its documents. */
  async enter(owner: string): Promise<void> {
    if (owner === this.#owner) return
    this.#owner = owner
    this.#epoch++
    await this.#close('personal')
    this.#renewed.next()
  }

  /** Deletes an account's documents. */
  async forget(owner: string): Promise<void> {
    const name = `${this.#prefix()}of-${owner}`
    if (owner === this.#owner) {
      this.#epoch++
      await this.#close('personal')
    }
    this.#memory.delete(name)
    await this.#remove((found) => found === name)
    this.#renewed.next()
  }

  /** Deletes all documents of this version, and opens anew. */
  async clear(): Promise<void> {
    this.#epoch++
    await this.close()
    this.#memory.clear()
    await this.#remove((name) => name.startsWith(this.#prefix()))
    await this.#prove()
    this.#renewed.next()
  }

  /**
   * After a failure that is no lack of space. First opens again what was closed from outside, by a newer app or a cleared
   * site; if that does not hold, deletes the store and makes it anew; then goes on in memory.
   */
  mend(): Promise<void> {
    this.#mending ??= this.#repair().finally(() => {
      this.#mending = null
    })
    return this.#mending
  }

  async #repair(): Promise<void> {
    const before = this.#repairs++
    this.#place.setTimer(REPAIRS_MS, () => this.#repairs--)
    await this.#within(this.close()).catch(() => this.#forgetHandles())
    if (before === 1) await this.#remove((name) => name.startsWith(this.#prefix()))
    if (before < 2) await this.#prove()
    else this.#goToMemory()
    this.#renewed.next()
  }

  async close(): Promise<void> {
    await this.#close('shared')
    await this.#close('personal')
  }

  async #prove(): Promise<void> {
    if (this.#inMemory) return
    // Side by side: each of them is a trip to the disk before the first answer.
    const opening = this.#opens()
    const found = await this.#within(this.#place.disk.names()).catch(() => null)
    this.#outdated = (found ?? []).some(
      (name) => (this.#versionOf(name) ?? 0) > this.#place.version,
    )
    let opened = await opening
    if (opened === 'broken' || this.#outdated) {
      await this.close()
      await this.#remove((name) => name.startsWith(this.#prefix()))
      if (!this.#outdated) opened = await this.#opens()
    }
    if (this.#outdated) this.#place.outdated?.()
    if (this.#outdated || opened !== 'open') return this.#goToMemory()
    // Nobody waits for that.
    void this.#remove((_, version) => version < this.#place.version)
  }

  /** What hangs once hangs again: it is not tried a second time. */
  #opens(): Promise<'open' | 'broken' | 'late'> {
    return this.#within(this.handle(PROBE).then((handle) => handle.count())).then(
      () => 'open',
      (error: unknown) => (error instanceof Late ? 'late' : 'broken'),
    )
  }

  #within<T>(work: Promise<T>): Promise<T> {
    return within((ms, what) => this.#place.setTimer(ms, what), OPEN_MS, work)
  }

  #goToMemory(): void {
    this.#forgetHandles()
    this.#inMemory = true
  }

  async #openCollection<C extends CollectionName>(name: C): Promise<Collection<Documents[C]>> {
    const database = await this.#database(collections[name].scope)
    await database.addCollections(
      Object.fromEntries([[name, { schema: schemaOf(collections[name]) }]]),
    )
    const collection: RxCollection<Documents[C]> = database.collections[name]
    return new Collection<Documents[C]>(
      collection,
      () => new Promise((resolve) => this.#place.setTimer(0, resolve)),
    )
  }

  #database(whose: Scope): Promise<RxDatabase<Collections>> {
    const known = this.#databases[whose]
    if (known !== undefined) return known
    const opening = this.#openDatabase(
      this.#prefix() + (whose === 'shared' ? 'shared' : `of-${this.#owner}`),
    )
    this.#databases[whose] = opening
    return opening
  }

  async #openDatabase(name: string): Promise<RxDatabase<Collections>> {
    const storage = this.#inMemory
      ? (this.#memory.get(name) ?? (await this.#place.disk.memory()))
      : this.#place.disk.storage
    if (storage === null) throw new Error('Nothing may be kept here')
    if (this.#inMemory) this.#memory.set(name, storage)
    // Hot reload and a worker's replacement may open it before the last one has let go. Tabs hear of each other through the storage.
    return createRxDatabase<Collections>({
      name,
      storage,
      multiInstance: false,
      closeDuplicates: true,
      eventReduce: false,
    })
  }

  async #close(whose: Scope): Promise<void> {
    const database = this.#databases[whose]
    delete this.#databases[whose]
    for (const name of names) if (collections[name].scope === whose) this.#handles[name].reset()
    await database?.then((open) => open.close()).catch(() => undefined)
  }

  #forgetHandles(): void {
    delete this.#databases.shared
    delete this.#databases.personal
    for (const name of names) this.#handles[name].reset()
  }

  #prefix(): string {
    return `${this.#place.name}-${this.#place.version}-`
  }

  /** The version in the name of a database of this app; null: not ours. */
  #versionOf(name: string): number | null {
    const found = PATTERN.exec(name)
    return found?.[1] === this.#place.name ? Number(found[2]) : null
  }

  async #remove(which: (name: string, version: number) => boolean): Promise<void> {
    const found = (await this.#place.disk.names().catch(() => null)) ?? []
    const gone = found.filter((name) =>
      which(name, this.#versionOf(name) ?? Number.POSITIVE_INFINITY),
    )
    await Promise.all(gone.map((name) => this.#place.disk.remove(name).catch(() => undefined)))
  }
}

/** Databases of the store: `NAME-VERSION-shared`, `NAME-VERSION-of-OWNER`. */
const PATTERN = /^([a-z]+)-(\d+)-(?:shared$|of-)/

/** Something that is made at first use and can be let go of. */
class Once<T> {
  readonly #make: () => Promise<T>
  #made: Promise<T> | null = null

  constructor(make: () => Promise<T>) {
    this.#make = make
  }

  get(): Promise<T> {
    this.#made ??= this.#make()
    return this.#made
  }

  peek(): Promise<T> | null {
    return this.#made
  }

  reset(): void {
    this.#made = null
  }
}

const names: readonly CollectionName[] = [
  'listings',
  'lists',
  'shops',
  'catalogue',
  'ownLists',
  'ownListings',
  'conversations',
  'messages',
  'notifications',
  'saved',
  'account',
]
