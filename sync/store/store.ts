import {
  catchError,
  concatWith,
  defer,
  from,
  ignoreElements,
  map,
  NEVER,
  Observable,
  ReplaySubject,
  share,
  startWith,
  switchMap,
} from 'rxjs'
import { collections, type Documents } from '#schema/disk/documents'
import type { Name, Store } from '../noun.ts'
import { PendingReads } from './pendingReads.ts'
import { Databases, type StoreConfig } from './open.ts'
import type { Clock } from './pace.ts'
import { liveIds, liveRange, liveTable } from './read.ts'
import { Unserved } from './queries.ts'
import type { Collection } from './collection.ts'

/** The engine's view of the store; nouns only get `Store`. */
export interface ManagedStore extends Store {
  readonly memoryOnly: boolean
  /** A newer version of the app has databases here: nothing is touched. */
  readonly outdated: boolean
  /** Empty: a visitor. */
  enter(owner: string): Promise<void>
  /** At sign-out. */
  forget(owner: string): Promise<void>
  /** [S2.48] */
  clear(): Promise<void>
  /** A view for the current account: its writes fail after an account switch. */
  bound(): Store
  /** Deletes the oldest rows that can be fetched again. */
  makeRoom(): Promise<void>
  /** Resolves when live queries show all writes, or after a short timeout. */
  quiet(): Promise<void>
  counts(): Promise<Readonly<Record<string, number>>>
  close(): Promise<void>
}

export class Left extends Error {
  override readonly name = 'Left'
}

const SPARE_ROWS = 500
/** The first screens have their data by then. */
const TRIM_MS = 60_000
/** Time that a projection stays without readers, since building it needs a full read. */
const TABLE_KEPT_MS = 300_000

export async function openStore(config: StoreConfig & Clock, owner: string): Promise<ManagedStore> {
  const databases = await Databases.open(config, owner)
  const store = new RxStore(config, databases, new PendingReads(config), null)
  config.setTimer(TRIM_MS, () => void store.trim().catch(() => undefined))
  return store
}

class RxStore implements ManagedStore {
  readonly #clock: Clock
  readonly #databases: Databases
  readonly #pending: PendingReads
  /** The account switch count that this view is bound to; null: the current account. */
  readonly #epoch: number | null

  constructor(clock: Clock, databases: Databases, pending: PendingReads, epoch: number | null) {
    this.#clock = clock
    this.#databases = databases
    this.#pending = pending
    this.#epoch = epoch
  }

  get memoryOnly() {
    return this.#databases.memoryOnly
  }

  get outdated() {
    return this.#databases.outdated
  }

  readonly observeOne: Store['observeOne'] = (collection, id) =>
    this.observeMany(collection, [id]).pipe(map(([row]) => row ?? null))

  readonly observeMany: Store['observeMany'] = (collection, ids) =>
    this.#live(collection, (handle) => liveIds(handle, ids))

  readonly observe: Store['observe'] = (collection, find) =>
    this.#live(collection, (handle) => liveRange(handle, find, this.#clock, this.#pending))

  readonly observeProjection: Store['observeProjection'] = (collection, project) =>
    this.#live(collection, (handle) => liveTable(handle, project, this.#clock)).pipe(
      share({
        connector: () => new ReplaySubject(1),
        resetOnRefCountZero: () => this.#pause(TABLE_KEPT_MS),
      }),
    )

  readonly one: Store['one'] = async (collection, id) =>
    (await this.many(collection, [id]))[0] ?? null

  readonly many: Store['many'] = async (collection, ids) => {
    const found = await this.#work(collection, (handle) => handle.byIds(ids))
    const byId = new Map(found.map((row) => [row.id, row]))
    return ids.flatMap((id) => byId.get(id) ?? [])
  }

  readonly find: Store['find'] = (collection, find) =>
    this.#work(collection, (handle) => handle.find(find))

  readonly put: Store['put'] = async (collection, documents, merge) => {
    if (documents.length > 0) await this.#work(collection, (handle) => handle.put(documents, merge))
  }

  readonly change: Store['change'] = (collection, id, change) =>
    this.#work(collection, (handle) => handle.change(id, change))

  readonly remove: Store['remove'] = (collection, ids) =>
    this.#work(collection, (handle) => handle.remove(ids))

  bound(): Store {
    return new RxStore(this.#clock, this.#databases, this.#pending, this.#databases.epoch)
  }

  enter(owner: string) {
    return this.#databases.enter(owner)
  }

  forget(owner: string) {
    return this.#databases.forget(owner)
  }

  clear() {
    return this.#databases.clear()
  }

  close() {
    return this.#databases.close()
  }

  quiet() {
    return this.#pending.quiet()
  }

  async counts() {
    const open = await this.#databases.opened()
    return Object.fromEntries(
      await Promise.all(
        open.map(async ({ name }): Promise<[string, number]> => [
          name,
          await this.#work(name, (handle) => handle.count()),
        ]),
      ),
    )
  }

  #pause(ms: number): Observable<void> {
    return new Observable((reader) => this.#clock.setTimer(ms, () => reader.next()))
  }

  /** Restarts live queries when the databases are created again or were closed. */
  #live<C extends Name, T>(
    collection: C,
    read: (handle: Collection<Documents[C]>) => Observable<T>,
  ): Observable<T> {
    const attempt = defer(() => from(this.#databases.handle(collection))).pipe(
      switchMap(read),
      catchError((error: unknown) => {
        if (isBug(error)) throw error
        return from(this.#databases.mend()).pipe(ignoreElements(), concatWith(NEVER))
      }),
    )
    const live = this.#databases.renewed.pipe(
      startWith(null),
      switchMap(() => attempt),
    )
    return new Observable((reader) => {
      const done = this.#pending.begin()
      const reading = live.subscribe({
        next: (answer) => {
          reader.next(answer)
          done()
        },
        error: (error: unknown) => reader.error(error),
      })
      return () => {
        reading.unsubscribe()
        done()
      }
    })
  }

  async #work<C extends Name, T>(
    collection: C,
    work: (handle: Collection<Documents[C]>) => Promise<T>,
    tries = 3,
  ): Promise<T> {
    let handle: Collection<Documents[C]> | null = null
    try {
      handle = await this.#databases.handle(collection)
      this.#assertBound(collection)
      return await work(handle)
    } catch (error) {
      this.#assertBound(collection)
      if (isBug(error) || tries === 0) throw error
      if (isFull(error)) await this.makeRoom()
      else if (handle === null || (await this.#databases.holds(collection, handle)))
        await this.#databases.mend()
      return this.#work(collection, work, isFull(error) ? 0 : tries - 1)
    }
  }

  #assertBound(collection: Name): void {
    if (
      this.#epoch !== null &&
      this.#epoch !== this.#databases.epoch &&
      collections[collection].scope === 'personal'
    )
      throw new Left()
  }

  async makeRoom(): Promise<void> {
    for (const { name, handle } of await this.#databases.opened()) {
      const { eviction } = collections[name]
      if (eviction !== undefined) await handle.dropLowest(eviction.by, SPARE_ROWS)
    }
  }

  /** Bounds the cache size, so that full scans for search stay fast. */
  async trim(): Promise<void> {
    for (const { name, handle } of await this.#databases.opened()) {
      const { eviction } = collections[name]
      const over = eviction === undefined ? 0 : (await handle.count()) - eviction.most
      if (eviction !== undefined && over > 0) await handle.dropLowest(eviction.by, over)
    }
  }
}

/** Creating the databases again would not help. */
function isBug(error: unknown): boolean {
  return error instanceof Unserved || error instanceof TypeError || error instanceof RangeError
}

/** RxDB and Dexie wrap the browser's error in `inner`. */
function isFull(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const name: unknown = Reflect.get(error, 'name')
  return (
    name === 'QuotaExceededError' || name === 'AbortError' || isFull(Reflect.get(error, 'inner'))
  )
}
