import {
  createRxDatabase,
  defaultCacheReplacementPolicyMonad,
  type RxCollection,
  type RxDatabase,
} from 'rxdb/plugins/core'
import { Subject } from 'rxjs'
import { collections, type CollectionName, type Documents } from '#schema/disk/documents'
import { OPEN_MS } from '#schema/limits'
import { Late, within, type SetTimer } from '../within.ts'
import { StoredCollection } from './collection.ts'
import type { Disk, Storage } from './disk.ts'
import { schemaOf } from './queries.ts'

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
  setTimer: SetTimer
  outdated?(): void
}

/** Failures further apart than this are unrelated. */
const REPAIRS_MS = 60_000
/** Queries that RxDB keeps per collection, with their documents, beside the watched ones. */
export const QUERIES_KEPT = 16
const cacheReplacementPolicy = defaultCacheReplacementPolicyMonad(QUERIES_KEPT, 0)

/**
 * Two cache databases: one shared by all accounts, one of the current account. A broken one is
 * deleted and created again; if that fails, data is in memory.
 */
export class Databases {
  /** All documents may have changed. */
  readonly renewed = new Subject<void>()
  memoryOnly: boolean
  /** A newer version of the app has databases here, which this code must not touch. */
  outdated = false
  /** Incremented at each account switch: work of one account must not write to the next. */
  epoch = 0
  readonly #config: StoreConfig
  readonly #opened = new Map<Scope, Promise<RxDatabase<Collections>>>()
  /** Collections are added at first use: RxDB allows 16 in one realm. */
  readonly #added = new WeakMap<object, Map<CollectionName, Promise<unknown>>>()
  readonly #memory = new Map<string, Promise<Storage>>()
  #owner: string
  #repairs = 0
  #mending: Promise<void> | null = null

  private constructor(config: StoreConfig, owner: string) {
    this.#config = config
    this.#owner = owner
    this.memoryOnly = config.disk.storage === null
  }

  static async open(config: StoreConfig, owner: string): Promise<Databases> {
    const databases = new Databases(config, owner)
    await databases.#check()
    return databases
  }

  async collection<C extends CollectionName>(name: C): Promise<StoredCollection<Documents[C]>> {
    const database = await this.#database(collections[name].scope)
    await this.#add(database, name)
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
    const opened = await Promise.allSettled(this.#opened.values())
    return opened.flatMap((one) =>
      one.status === 'fulfilled'
        ? names.flatMap((name) => {
            const documents: Tended | undefined = one.value.collections[name]
            return documents === undefined ? [] : [{ name, documents }]
          })
        : [],
    )
  }

  /** Switches the account (empty: a visitor) and closes the previous account's database. */
  async enter(owner: string): Promise<void> {
    if (owner === this.#owner) return
    this.#owner = owner
    this.epoch++
    await this.#close('personal')
    this.renewed.next()
  }

  async forget(owner: string): Promise<void> {
    const name = `${this.#prefix()}of-${owner}`
    if (owner === this.#owner) {
      this.epoch++
      await this.#close('personal')
    }
    this.#memory.delete(name)
    await this.#remove((found) => found === name)
    this.renewed.next()
  }

  async clear(): Promise<void> {
    this.epoch++
    this.#memory.clear()
    await this.#reset()
    await this.#check()
    this.renewed.next()
  }

  /**
   * Recovers from a failure other than full storage. First reopens (another tab or cleared site
   * data closed it), then deletes and creates again, then uses memory. A failure of a collection
   * that was closed meanwhile needs nothing.
   */
  async mend(name: CollectionName, failed: object | null): Promise<void> {
    const current = await this.#opened.get(collections[name].scope)?.catch(() => null)
    if (failed !== null && failed !== current?.collections[name]) return
    this.#mending ??= this.#repair().finally(() => {
      this.#mending = null
    })
    await this.#mending
  }

  async #repair(): Promise<void> {
    const before = this.#repairs++
    this.#config.setTimer(REPAIRS_MS, () => this.#repairs--)
    await this.#within(before === 1 ? this.#reset() : this.close()).catch(() => undefined)
    if (before < 2) await this.#check()
    else this.#useMemory()
    this.renewed.next()
  }

  async close(): Promise<void> {
    await Promise.all([this.#close('shared'), this.#close('personal')])
  }

  async #check(): Promise<void> {
    if (this.memoryOnly) return
    const opening = this.#opens()
    const found = await this.#within(this.#config.disk.names()).catch(() => null)
    this.outdated =
      found?.some((name) => (versionOf(this.#config, name) ?? 0) > this.#config.version) ?? false
    let opened = await opening
    if (!opened || this.outdated) await this.#reset()
    if (!opened && !this.outdated) opened = await this.#opens()
    if (this.outdated) this.#config.outdated?.()
    if (this.outdated || !opened) return this.#useMemory()
    void this.#remove((_, version) => version < this.#config.version)
  }

  #opens(): Promise<boolean> {
    return this.#database('shared').then(
      () => true,
      () => false,
    )
  }

  #within<T>(work: Promise<T>): Promise<T> {
    return within(this.#config.setTimer, OPEN_MS, work)
  }

  #useMemory(): void {
    void this.close()
    this.memoryOnly = true
  }

  #database(scope: Scope): Promise<RxDatabase<Collections>> {
    const opening = this.#opened.get(scope) ?? this.#open(scope)
    this.#opened.set(scope, opening)
    return opening
  }

  async #open(scope: Scope): Promise<RxDatabase<Collections>> {
    const name = this.#nameOf(scope)
    const opening = this.#create(name, scope)
    try {
      return await this.#within(opening)
    } catch (error) {
      void opening.then((database) => database.close()).catch(() => undefined)
      // A browser may never answer the opening of one database while the others work.
      if (!(error instanceof Late) || name !== this.#nameOf(scope)) throw error
      if (scope === 'shared') this.memoryOnly = true
      this.#memory.set(name, this.#config.disk.memory())
      return this.#create(name, scope)
    }
  }

  async #create(name: string, scope: Scope): Promise<RxDatabase<Collections>> {
    if (this.memoryOnly && !this.#memory.has(name))
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
    // RxDB writes at the first one: storage that is denied is noticed here.
    await this.#add(database, scope === 'shared' ? 'lists' : 'ownLists')
    return database
  }

  #add(database: RxDatabase<Collections>, name: CollectionName): Promise<unknown> {
    const added = this.#added.get(database) ?? new Map<CollectionName, Promise<unknown>>()
    const adding =
      added.get(name) ??
      database.addCollections({
        [name]: { schema: schemaOf(collections[name]), cacheReplacementPolicy },
      })
    this.#added.set(database, added.set(name, adding))
    return adding
  }

  async #close(scope: Scope): Promise<void> {
    const opened = this.#opened.get(scope)
    this.#opened.delete(scope)
    await opened?.then((database) => database.close()).catch(() => undefined)
  }

  async #reset(): Promise<void> {
    await this.close()
    await this.#remove((name) => name.startsWith(this.#prefix()))
  }

  #nameOf(scope: Scope): string {
    return this.#prefix() + (scope === 'shared' ? 'shared' : `of-${this.#owner}`)
  }

  #prefix(): string {
    return `${this.#config.name}-${this.#config.version}-`
  }

  async #remove(which: (name: string, version: number) => boolean): Promise<void> {
    const found = (await this.#config.disk.names().catch(() => null)) ?? []
    const gone = found.filter((name) =>
      which(name, versionOf(this.#config, name) ?? Number.POSITIVE_INFINITY),
    )
    await Promise.all(gone.map((name) => this.#config.disk.remove(name).catch(() => undefined)))
  }
}

const names = Object.keys(collections).filter((name): name is CollectionName => name in collections)

/** Database names: `NAME-VERSION-shared`, `NAME-VERSION-of-OWNER`; null: not one of this app. */
function versionOf({ name: app }: StoreConfig, name: string): number | null {
  const [, of, version] = /^([a-z]+)-(\d+)-(?:shared$|of-)/.exec(name) ?? []
  return of === app ? Number(version) : null
}
