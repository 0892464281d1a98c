import { createRxDatabase, type RxCollection, type RxDatabase } from 'rxdb/plugins/core'
import { Subject, type Observable } from 'rxjs'
import { collections, type CollectionName, type Documents } from '#schema/disk/documents'
import { OPEN_MS } from '#schema/limits'
import { Late, within } from '../within.ts'
import type { Disk, Storage } from './disk.ts'
import type { Clock } from './pace.ts'
import { schemaOf } from './queries.ts'
import { Collection } from './collection.ts'

type Collections = { [C in CollectionName]: RxCollection<Documents[C]> }
type CollectionHandles = { readonly [C in CollectionName]: Once<Collection<Documents[C]>> }
type Scope = 'shared' | 'personal'
export type Tended = Pick<Collection<Documents[CollectionName]>, 'count' | 'dropLowest'>

export interface StoreConfig {
  /** Prefix of database names. */
  readonly name: string
  /**
   * Version of the document shapes. A new version starts with an empty cache, and the old databases
   * are deleted [SYNC 3].
   */
  readonly version: number
  readonly disk: Disk
  setTimer: Clock['setTimer']
  outdated?(): void
}

/** Failures further apart than this are unrelated. */
const REPAIRS_MS = 60_000
/** Opened as a probe: a database without a collection opens even where storage is denied. */
const PROBE = 'lists'

/**
 * Two cache databases: one shared by all accounts, one of the current account. A broken one is
 * deleted and created again; if that fails, data is in memory.
 */
export class Databases {
  readonly #config: StoreConfig
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
  readonly #memory = new Map<string, Promise<Storage>>()
  #owner: string
  /** Incremented at each account switch: work of one account must not write to the next. */
  #epoch = 0
  #inMemory: boolean
  #outdated = false
  #repairs = 0
  #mending: Promise<void> | null = null

  private constructor(config: StoreConfig, owner: string) {
    this.#config = config
    this.#owner = owner
    this.#inMemory = config.disk.storage === null
  }

  static async open(config: StoreConfig, owner: string): Promise<Databases> {
    const databases = new Databases(config, owner)
    await databases.#check()
    return databases
  }

  get memoryOnly(): boolean {
    return this.#inMemory
  }

  /** A newer version of the app has databases here, which this code must not touch. */
  get outdated(): boolean {
    return this.#outdated
  }

  get epoch(): number {
    return this.#epoch
  }

  /** All documents may have changed. */
  get renewed(): Observable<void> {
    return this.#renewed
  }

  handle<C extends CollectionName>(name: C): Promise<Collection<Documents[C]>> {
    return this.#handles[name].get()
  }

  async opened(): Promise<readonly { readonly name: CollectionName; readonly handle: Tended }[]> {
    const found = await Promise.all(
      names.map(async (name) => ({ name, handle: await this.#handles[name].peek() })),
    )
    return found.flatMap(({ name, handle }) => (handle === null ? [] : [{ name, handle }]))
  }

  /** Whether the handle is current; an older one was closed. */
  async holds(name: CollectionName, handle: Tended): Promise<boolean> {
    return (await this.#handles[name].peek()?.catch(() => null)) === handle
  }

  /** Switches the account (empty: a visitor) and closes the previous account's database. */
  async enter(owner: string): Promise<void> {
    if (owner === this.#owner) return
    this.#owner = owner
    this.#epoch++
    await this.#close('personal')
    this.#renewed.next()
  }

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

  async clear(): Promise<void> {
    this.#epoch++
    await this.close()
    this.#memory.clear()
    await this.#remove((name) => name.startsWith(this.#prefix()))
    await this.#check()
    this.#renewed.next()
  }

  /**
   * Recovers from a failure other than full storage. First reopens (another tab or cleared site
   * data closed it), then deletes and creates again, then uses memory.
   */
  mend(): Promise<void> {
    this.#mending ??= this.#repair().finally(() => {
      this.#mending = null
    })
    return this.#mending
  }

  async #repair(): Promise<void> {
    const before = this.#repairs++
    this.#config.setTimer(REPAIRS_MS, () => this.#repairs--)
    await this.#within(this.close()).catch(() => this.#forgetHandles())
    if (before === 1) await this.#remove((name) => name.startsWith(this.#prefix()))
    if (before < 2) await this.#check()
    else this.#useMemory()
    this.#renewed.next()
  }

  async close(): Promise<void> {
    await this.#close('shared')
    await this.#close('personal')
  }

  async #check(): Promise<void> {
    if (this.#inMemory) return
    const opening = this.#opens()
    const found = await this.#within(this.#config.disk.names()).catch(() => null)
    this.#outdated = (found ?? []).some(
      (name) => (this.#versionOf(name) ?? 0) > this.#config.version,
    )
    let opened = await opening
    if (opened === 'broken' || this.#outdated) {
      await this.close()
      await this.#remove((name) => name.startsWith(this.#prefix()))
      if (!this.#outdated) opened = await this.#opens()
    }
    if (this.#outdated) this.#config.outdated?.()
    if (this.#outdated || opened !== 'open') return this.#useMemory()
    void this.#remove((_, version) => version < this.#config.version)
  }

  #opens(): Promise<'open' | 'broken' | 'late'> {
    return this.#within(this.handle(PROBE).then((handle) => handle.count())).then(
      () => 'open',
      (error: unknown) => (error instanceof Late ? 'late' : 'broken'),
    )
  }

  #within<T>(work: Promise<T>): Promise<T> {
    return within((ms, what) => this.#config.setTimer(ms, what), OPEN_MS, work)
  }

  #useMemory(): void {
    this.#forgetHandles()
    this.#inMemory = true
  }

  async #openCollection<C extends CollectionName>(name: C): Promise<Collection<Documents[C]>> {
    const { scope } = collections[name]
    const database = this.#database(scope)
    const opening = this.#addCollection(name, database)
    // The shared database was proved at the start.
    if (scope === 'shared') return opening
    const epoch = this.#epoch
    try {
      return await this.#within(opening)
    } catch (error) {
      if (!(error instanceof Late) || epoch !== this.#epoch) throw error
      if (this.#databases[scope] === database) this.#replaceByMemory(scope)
      return this.#addCollection(name, this.#database(scope))
    }
  }

  /** A browser may never answer the opening of one database while the others work. */
  #replaceByMemory(scope: Scope): void {
    delete this.#databases[scope]
    this.#memory.set(this.#nameOf(scope), this.#config.disk.memory())
  }

  async #addCollection<C extends CollectionName>(
    name: C,
    opening: Promise<RxDatabase<Collections>>,
  ): Promise<Collection<Documents[C]>> {
    const database = await opening
    await database.addCollections(
      Object.fromEntries([[name, { schema: schemaOf(collections[name]) }]]),
    )
    const collection: RxCollection<Documents[C]> = database.collections[name]
    return new Collection<Documents[C]>(
      collection,
      () => new Promise((resolve) => this.#config.setTimer(0, resolve)),
    )
  }

  #database(whose: Scope): Promise<RxDatabase<Collections>> {
    const known = this.#databases[whose]
    if (known !== undefined) return known
    const opening = this.#openDatabase(this.#nameOf(whose))
    this.#databases[whose] = opening
    return opening
  }

  async #openDatabase(name: string): Promise<RxDatabase<Collections>> {
    if (this.#inMemory && !this.#memory.has(name))
      this.#memory.set(name, this.#config.disk.memory())
    const storage = (await this.#memory.get(name)) ?? this.#config.disk.storage
    if (storage === null) throw new Error('Nothing may be kept here')
    // `closeDuplicates`: hot reload or a restarted worker may open it before the old one is closed.
    // The storage itself notifies other tabs.
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

  #nameOf(scope: Scope): string {
    return this.#prefix() + (scope === 'shared' ? 'shared' : `of-${this.#owner}`)
  }

  #prefix(): string {
    return `${this.#config.name}-${this.#config.version}-`
  }

  /** null: not a database of this app. */
  #versionOf(name: string): number | null {
    const found = PATTERN.exec(name)
    return found?.[1] === this.#config.name ? Number(found[2]) : null
  }

  async #remove(which: (name: string, version: number) => boolean): Promise<void> {
    const found = (await this.#config.disk.names().catch(() => null)) ?? []
    const gone = found.filter((name) =>
      which(name, this.#versionOf(name) ?? Number.POSITIVE_INFINITY),
    )
    await Promise.all(gone.map((name) => this.#config.disk.remove(name).catch(() => undefined)))
  }
}

const names = Object.keys(collections).filter((name): name is CollectionName => name in collections)

/** Database names: `NAME-VERSION-shared`, `NAME-VERSION-of-OWNER`. */
const PATTERN = /^([a-z]+)-(\d+)-(?:shared$|of-)/

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
