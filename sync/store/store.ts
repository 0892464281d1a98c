import {
  catchError,
  defer,
  from,
  map,
  NEVER,
  ReplaySubject,
  share,
  startWith,
  switchMap,
  type Observable,
} from 'rxjs'
import type { RxCollection, RxQuery } from 'rxdb/plugins/core'
import { collections, type Documents } from '#schema/disk/documents'
import type { Collection, Name, Query, Store } from '../noun.ts'
import { isFull } from '../full.ts'
import { StoreCollections } from './collections.ts'
import { openDatabases, type Databases, type StoreConfig } from './open.ts'
import { after, type SetTimer } from '../within.ts'
import { LiveQueries, liveTable } from './read.ts'
import { plain, queryOf } from './rows.ts'
import { Unserved } from './storage.ts'
import type { StoredCollection } from './collection.ts'

/** Nouns only get `Store`. */
export interface ManagedStore extends Store {
  readonly memoryOnly: boolean
  /** A newer version of the app has databases here: nothing is touched. */
  readonly outdated: boolean
  /** Empty: a visitor. */
  enter(owner: string): Promise<void>
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
/** Building a projection needs a full read. */
const TABLE_KEPT_MS = 300_000

export async function openStore(config: StoreConfig, owner: string): Promise<ManagedStore> {
  const databases = await openDatabases(config, owner)
  const { setTimer } = config
  const store = new RxStore({ databases, live: new LiveQueries(), setTimer }, null)
  setTimer(TRIM_MS, () => void store.trim().catch(() => undefined))
  return store
}

interface Shared {
  readonly databases: Databases
  readonly live: LiveQueries
  readonly setTimer: SetTimer
}

class RxStore extends StoreCollections implements ManagedStore {
  readonly #shared: Shared
  readonly #databases: Databases
  /** The account switch count that this view is bound to; null: the current account. */
  readonly #epoch: number | null

  constructor(shared: Shared, epoch: number | null) {
    super()
    this.#shared = shared
    this.#databases = shared.databases
    this.#epoch = epoch
  }

  get memoryOnly() {
    return this.#databases.state().memoryOnly
  }

  get outdated() {
    return this.#databases.state().outdated
  }

  readonly observeProjection: Store['observeProjection'] = (collection, project) => {
    const { setTimer } = this.#shared
    return this.#renewing(collection, () =>
      from(this.#databases.collection(collection)).pipe(
        switchMap(({ documents }) => liveTable(documents, project, setTimer)),
      ),
    ).pipe(
      share({
        connector: () => new ReplaySubject(1),
        resetOnRefCountZero: () => after(setTimer, TABLE_KEPT_MS),
      }),
    )
  }

  bound(): Store {
    return new RxStore(this.#shared, this.#databases.state().epoch)
  }

  readonly enter: ManagedStore['enter'] = (owner) => this.#databases.enter(owner)
  readonly forget: ManagedStore['forget'] = (owner) => this.#databases.forget(owner)
  readonly clear: ManagedStore['clear'] = () => this.#databases.clear()
  readonly close: ManagedStore['close'] = () => this.#databases.close()
  readonly quiet: ManagedStore['quiet'] = () => this.#shared.live.quiet(this.#shared.setTimer)

  async counts() {
    const counts: Record<string, number> = {}
    for (const { name } of await this.#databases.opened())
      counts[name] = await this.#work(name, ({ documents }) => documents.count().exec())
    return counts
  }

  protected override collection<C extends Name>(name: C): Collection<Documents[C]> {
    const query = <A, T>(
      ask: (documents: RxCollection<Documents[C]>) => RxQuery<Documents[C], A>,
      rows: (answer: A) => T,
    ): Query<T> => {
      const asked = async () => ask((await this.#databases.collection(name)).documents)
      return {
        $: this.#renewing(name, () => this.#shared.live.watch(asked)).pipe(map(rows)),
        exec: async () => rows(await this.#work(name, ({ documents }) => ask(documents).exec())),
      }
    }
    return {
      find: (wanted = {}) =>
        query(
          (documents) => documents.find(queryOf(wanted)),
          (found) => found.map(plain),
        ),
      findOne: (id) =>
        query(
          (documents) => documents.findOne(id),
          (found) => found && plain(found),
        ),
      findByIds: (ids) =>
        query(
          // RxDB removes a repeated id from a cached answer only once.
          (documents) => documents.findByIds([...new Set(ids)]),
          (found) => new Map([...found].map(([id, document]) => [id, plain(document)])),
        ),
      put: async (documents, merge) => {
        if (documents.length > 0) await this.#work(name, (stored) => stored.put(documents, merge))
      },
      change: (id, change) => this.#work(name, (stored) => stored.change(id, change)),
      remove: (ids) => this.#work(name, (stored) => stored.remove(ids)),
    }
  }

  /** Again when the databases were renewed. */
  #renewing<T>(name: Name, read: () => Observable<T>) {
    return this.#databases.renewed.pipe(
      startWith(null),
      switchMap(() =>
        defer(read).pipe(
          catchError((error: unknown) => {
            if (isBug(error)) throw error
            // `renewed` then reads again.
            return from(this.#databases.mend(name, null, error)).pipe(switchMap(() => NEVER))
          }),
        ),
      ),
    )
  }

  async #work<C extends Name, T>(
    collection: C,
    work: (handle: StoredCollection<Documents[C]>) => Promise<T>,
    tries = 3,
  ): Promise<T> {
    let handle: StoredCollection<Documents[C]> | null = null
    try {
      handle = await this.#databases.collection(collection)
      this.#assertBound(collection)
      return await work(handle)
    } catch (error) {
      this.#assertBound(collection)
      if (isBug(error) || tries === 0) throw error
      if (isFull(error)) await this.makeRoom()
      else await this.#databases.mend(collection, handle?.documents ?? null, error)
      return this.#work(collection, work, isFull(error) ? 0 : tries - 1)
    }
  }

  #assertBound(collection: Name) {
    const isLeft = this.#epoch !== null && this.#epoch !== this.#databases.state().epoch
    if (isLeft && collections[collection].scope === 'personal') throw new Left()
  }

  makeRoom() {
    return this.#evict(() => SPARE_ROWS)
  }

  /** Bounds the cache size, so that full scans for search stay fast. */
  trim() {
    return this.#evict((count, most) => count - most)
  }

  async #evict(excess: (count: number, most: number) => number) {
    for (const { name, documents } of await this.#databases.opened()) {
      const { eviction } = collections[name]
      if (eviction === undefined) continue
      const over = excess(await documents.count().exec(), eviction.most)
      if (over > 0) await documents.find({ sort: [{ [eviction.by]: 'asc' }], limit: over }).remove()
    }
  }
}

/** Renewed databases would not help. */
function isBug(error: unknown) {
  return error instanceof Unserved || error instanceof TypeError || error instanceof RangeError
}
