import {
  createRxDatabase,
  defaultCacheReplacementPolicyMonad,
  type RxCollection,
  type RxDatabase,
} from 'rxdb/plugins/core'
import { Subject, type Observable } from 'rxjs'
import { collections, type CollectionName, type Documents } from '#schema/disk/documents'
import { OPEN_MS } from '#schema/limits'
import { Late, within } from '../within.ts'
import type { Disk, Storage } from './disk.ts'
import type { Clock } from './pace.ts'
import { schemaOf } from './queries.ts'
import { StoredCollection } from './collection.ts'

type Collections = { [C in CollectionName]: RxCollection<Documents[C]> }
type Scope = 'shared' | 'personal'

/** The part of any collection that bounds its size. */
interface Tended {
  count(): { exec(): Promise<number> }
  find(query: object): { remove(): Promise<unknown> }
}

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
/** Queries that RxDB keeps per collection, with their documents, beside the watched ones. */
const QUERIES_KEPT = 16
const cacheReplacementPolicy = defaultCacheReplacementPolicyMonad(QUERIES_KEPT, 0)

/**
 * Two cache databases: one shared by all accounts, one of the current account. A broken one is
 * deleted and created again; if that fails, data is in memory.
 */
export class Databases {
  readonly #config: StoreConfig
  readonly #renewed = new Subject<void>()
  readonly #databases: { [S in Scope]?: Promise<RxDatabase<Collections>> } = {}
  /** Collections are added at first use: RxDB allows 16 at a time. */
  readonly #added = new WeakMap<object, Map<CollectionName, Promise<unknown>>>()
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

  async collection<C extends CollectionName>(name: C): Promise<StoredCollection<Documents[C]>> {
    const { scope } = collections[name]
    this.#databases[scope] ??= this.#open(scope)
    const database = await this.#databases[scope]
    const added = this.#added.get(database)
    const adding =
      added?.get(name) ??
      database.addCollections({
        [name]: { schema: schemaOf(collections[name]), cacheReplacementPolicy },
      })
    added?.set(name, adding)
    await adding
    const documents: RxCollection<Documents[C]> = database.collections[name]
    return new StoredCollection(
      documents,
      () => new Promise((resolve) => this.#config.setTimer(0, resolve)),
    )
  }

  /** The collections of the databases that are open. */
  async opened(): Promise<
    readonly { readonly name: CollectionName; readonly documents: Tended }[]
  > {
    const databases = await Promise.all(
      Object.values(this.#databases).map((opening) => opening.catch(() => null)),
    )
    return names.flatMap((name) =>
      databases.flatMap((database) => {
        const documents = database?.collections[name]
        return documents === undefined ? [] : [{ name, documents }]
      }),
    )
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
   * data closed it), then deletes and creates again, then uses memory. A failure of a collection
   * that was closed meanwhile needs nothing.
   */
  async mend(name: CollectionName, failed: object | null): Promise<void> {
    const current = await this.#databases[collections[name].scope]?.catch(() => null)
    if (failed !== null && failed !== current?.collections[name]) return
    this.#mending ??= this.#repair().finally(() => {
      this.#mending = null
    })
    await this.#mending
  }

  async #repair(): Promise<void> {
    const before = this.#repairs++
    this.#config.setTimer(REPAIRS_MS, () => this.#repairs--)
    await this.#within(this.close()).catch(() => this.#leaveAll())
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
    // Counting is the proof: a database opens even where storage is denied.
    return this.#within(
      this.collection('lists').then((lists) => lists.documents.count().exec()),
    ).then(
      () => 'open',
      (error: unknown) => (error instanceof Late ? 'late' : 'broken'),
    )
  }

  #within<T>(work: Promise<T>): Promise<T> {
    return within((ms, what) => this.#config.setTimer(ms, what), OPEN_MS, work)
  }

  #useMemory(): void {
    this.#leaveAll()
    this.#inMemory = true
  }

  async #open(scope: Scope): Promise<RxDatabase<Collections>> {
    const name = this.#nameOf(scope)
    const opening = this.#openDatabase(name)
    // The shared database was proved at the start.
    if (scope === 'shared') return opening
    try {
      return await this.#within(opening)
    } catch (error) {
      void opening.then((late) => late.close()).catch(() => undefined)
      // A browser may never answer the opening of one database while the others work.
      if (!(error instanceof Late) || name !== this.#nameOf(scope)) throw error
      this.#memory.set(name, this.#config.disk.memory())
      return this.#openDatabase(name)
    }
  }

  async #openDatabase(name: string): Promise<RxDatabase<Collections>> {
    if (this.#inMemory && !this.#memory.has(name))
      this.#memory.set(name, this.#config.disk.memory())
    const storage = (await this.#memory.get(name)) ?? this.#config.disk.storage
    if (storage === null) throw new Error('Nothing may be kept here')
    // `closeDuplicates`: hot reload or a restarted worker may open it before the old one is closed.
    // The storage itself notifies other tabs.
    const database = await createRxDatabase<Collections>({
      name,
      storage,
      multiInstance: false,
      closeDuplicates: true,
    })
    this.#added.set(database, new Map())
    return database
  }

  async #close(scope: Scope): Promise<void> {
    const database = this.#databases[scope]
    delete this.#databases[scope]
    await database?.then((open) => open.close()).catch(() => undefined)
  }

  #leaveAll(): void {
    delete this.#databases.shared
    delete this.#databases.personal
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
