import { catchError, concatWith, defer, from, ignoreElements, NEVER, Observable, ReplaySubject, share, startWith, switchMap } from 'rxjs'
import { collections, type CollectionName, type Documents } from '#schema/disk/documents'
import type { Find, Store } from '../noun.ts'
import { Busy } from './busy.ts'
import { Vault, type Place } from './open.ts'
import type { Clock } from './pace.ts'
import { liveIds, liveRange, liveTable } from './read.ts'
import { Unserved } from './queries.ts'
import type { Shelf } from './shelf.ts'

/** The phone's documents as the engine keeps them; nouns see only `Store`. */
export interface Keeper extends Store {
  readonly memoryOnly: boolean
  /** A newer version of the app keeps its documents here: nothing is touched, and this one should be replaced. */
  readonly outdated: boolean
  /** An account comes in; empty: a visitor. */
  enter(owner: string): Promise<void>
  /** Deletes an account's documents (logout). */
  forget(owner: string): Promise<void>
  /** Throws the whole cache away [S2.48]. */
  clear(): Promise<void>
  /** The same store for work begun for the account that is in now: its writes fail once another came in. */
  bound(): Store
  /** The phone is full: the oldest rows of what can be fetched again go. */
  makeRoom(): Promise<void>
  /** Resolves when live answers have caught up with what was written, or a moment later at most. */
  quiet(): Promise<void>
  /** Documents per open collection. */
  counts(): Promise<Readonly<Record<string, number>>>
  close(): Promise<void>
}

/** What was begun for one account is not written for another. */
export class Left extends Error {
  override readonly name = 'Left'
}

const SPARE_ROWS = 500
/** After the first screens have what they need. */
const TRIM_MS = 60_000
/** How long a table outlives its last reader: building it anew costs a full read. */
const TABLE_KEPT_MS = 300_000

export async function openStore(place: Place & Clock, owner: string): Promise<Keeper> {
  const vault = await Vault.open(place, owner)
  const store = new VaultStore(place, vault, new Busy(place), null)
  place.later(TRIM_MS, () => void store.trim().catch(() => undefined))
  return store
}

class VaultStore implements Keeper {
  readonly #clock: Clock
  readonly #vault: Vault
  readonly #busy: Busy
  /** The account's turn this view belongs to; null: whoever is in. */
  readonly #epoch: number | null

  constructor(clock: Clock, vault: Vault, busy: Busy, epoch: number | null) {
    this.#clock = clock
    this.#vault = vault
    this.#busy = busy
    this.#epoch = epoch
  }

  get memoryOnly() {
    return this.#vault.memoryOnly
  }

  get outdated() {
    return this.#vault.outdated
  }

  liveOne<C extends CollectionName>(collection: C, id: string): Observable<Documents[C] | null> {
    return this.#live(collection, (shelf) => liveIds(shelf, [id]).pipe(switchMap(([row]) => [row ?? null])))
  }

  liveMany<C extends CollectionName>(collection: C, ids: readonly string[]): Observable<readonly Documents[C][]> {
    return this.#live(collection, (shelf) => liveIds(shelf, ids))
  }

  live<C extends CollectionName>(collection: C, find: Find<Documents[C]>): Observable<readonly Documents[C][]> {
    return this.#live(collection, (shelf) => liveRange(shelf, find, this.#clock, this.#busy))
  }

  table<C extends CollectionName, T>(collection: C, project: (document: Documents[C]) => T): Observable<ReadonlyMap<string, T>> {
    return this.#live(collection, (shelf) => liveTable(shelf, project, this.#clock)).pipe(
      share({ connector: () => new ReplaySubject(1), resetOnRefCountZero: () => this.#pause(TABLE_KEPT_MS) }),
    )
  }

  async one<C extends CollectionName>(collection: C, id: string): Promise<Documents[C] | null> {
    return (await this.many(collection, [id]))[0] ?? null
  }

  async many<C extends CollectionName>(collection: C, ids: readonly string[]): Promise<readonly Documents[C][]> {
    const found = await this.#work(collection, (shelf) => shelf.byIds(ids))
    const byId = new Map(found.map((row) => [row.id, row]))
    return ids.flatMap((id) => byId.get(id) ?? [])
  }

  find<C extends CollectionName>(collection: C, find: Find<Documents[C]>): Promise<readonly Documents[C][]> {
    return this.#work(collection, (shelf) => shelf.find(find))
  }

  put<C extends CollectionName>(
    collection: C,
    documents: readonly Documents[C][],
    merge?: (here: Documents[C], coming: Documents[C]) => Documents[C],
  ): Promise<void> {
    return documents.length === 0 ? Promise.resolve() : this.#work(collection, (shelf) => shelf.put(documents, merge))
  }

  change<C extends CollectionName>(collection: C, id: string, change: (document: Documents[C]) => Documents[C] | null): Promise<void> {
    return this.#work(collection, (shelf) => shelf.change(id, change))
  }

  remove(collection: CollectionName, ids: readonly string[]): Promise<void> {
    return this.#work(collection, (shelf) => shelf.remove(ids))
  }

  bound(): Store {
    return new VaultStore(this.#clock, this.#vault, this.#busy, this.#vault.epoch)
  }

  enter(owner: string) {
    return this.#vault.enter(owner)
  }

  forget(owner: string) {
    return this.#vault.forget(owner)
  }

  clear() {
    return this.#vault.clear()
  }

  close() {
    return this.#vault.close()
  }

  quiet() {
    return this.#busy.quiet()
  }

  async counts() {
    const open = await this.#vault.opened()
    return Object.fromEntries(await Promise.all(open.map(async ({ name }): Promise<[string, number]> => [name, await this.#work(name, (shelf) => shelf.count())])))
  }

  #pause(ms: number): Observable<void> {
    return new Observable((reader) => this.#clock.later(ms, () => reader.next()))
  }

  /** Live answers begin anew when the store does, and when it was closed under them. */
  #live<C extends CollectionName, T>(collection: C, read: (shelf: Shelf<Documents[C]>) => Observable<T>): Observable<T> {
    const attempt = defer(() => from(this.#vault.shelf(collection))).pipe(
      switchMap(read),
      catchError((error: unknown) => {
        if (isBug(error)) throw error
        return from(this.#vault.mend()).pipe(ignoreElements(), concatWith(NEVER))
      }),
    )
    const live = this.#vault.renewed.pipe(
      startWith(null),
      switchMap(() => attempt),
    )
    return new Observable((reader) => {
      const done = this.#busy.begin()
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

  async #work<C extends CollectionName, T>(collection: C, work: (shelf: Shelf<Documents[C]>) => Promise<T>, tries = 3): Promise<T> {
    let shelf: Shelf<Documents[C]> | null = null
    try {
      shelf = await this.#vault.shelf(collection)
      this.#stay(collection)
      return await work(shelf)
    } catch (error) {
      this.#stay(collection)
      if (isBug(error) || tries === 0) throw error
      if (isFull(error)) await this.makeRoom()
      else if (shelf === null || (await this.#vault.holds(collection, shelf))) await this.#vault.mend()
      return this.#work(collection, work, isFull(error) ? 0 : tries - 1)
    }
  }

  #stay(collection: CollectionName): void {
    if (this.#epoch !== null && this.#epoch !== this.#vault.epoch && collections[collection].whose === 'personal') throw new Left()
  }

  async makeRoom(): Promise<void> {
    for (const { name, shelf } of await this.#vault.opened()) {
      const { spare } = collections[name]
      if (spare !== undefined) await shelf.dropLowest(spare.by, SPARE_ROWS)
    }
  }

  /** The cache stays within bounds, so that search over all of it stays quick. */
  async trim(): Promise<void> {
    for (const { name, shelf } of await this.#vault.opened()) {
      const { spare } = collections[name]
      const over = spare === undefined ? 0 : (await shelf.count()) - spare.most
      if (spare !== undefined && over > 0) await shelf.dropLowest(spare.by, over)
    }
  }
}

/** Making the store anew would not help. */
function isBug(error: unknown): boolean {
  return error instanceof Unserved || error instanceof TypeError || error instanceof RangeError
}

/** RxDB and Dexie wrap the browser's error. */
function isFull(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const name: unknown = Reflect.get(error, 'name')
  return name === 'QuotaExceededError' || name === 'AbortError' || isFull(Reflect.get(error, 'inner'))
}
