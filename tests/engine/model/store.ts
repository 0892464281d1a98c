import type { CollectionName, Documents } from '#schema/disk/documents'
import { collections } from '#schema/disk/documents'
import type { IndexQuery, Store } from '#sync/noun'
import { type ManagedStore, Left } from '#sync/store/store'
import { BehaviorSubject, distinctUntilChanged, map, type Observable, Subject } from 'rxjs'
import type { Realm } from './realm.ts'

type Collection<C extends CollectionName> = Map<string, Documents[C]>
type Collections = { [C in CollectionName]: Collection<C> }

interface State {
  owner: string
  epoch: number
  readonly changed: BehaviorSubject<number>
}

/** The documents of a device, by owner; shared ones under the empty name. */
export class DocumentDisk {
  readonly #owners = new Map<string, Collections>()
  full = 0
  /** Emits every write; the simulation judges each. */
  readonly written = new Subject<{
    readonly owner: string
    readonly collection: CollectionName
    readonly documents: readonly unknown[]
  }>()

  of(owner: string): Collections {
    const known = this.#owners.get(owner) ?? emptyCollections()
    this.#owners.set(owner, known)
    return known
  }

  forget(owner: string): void {
    this.#owners.delete(owner)
  }

  clear(): void {
    this.#owners.clear()
  }
}

function emptyCollections(): Collections {
  return {
    listings: new Map(),
    lists: new Map(),
    shops: new Map(),
    catalogue: new Map(),
    ownLists: new Map(),
    ownListings: new Map(),
    conversations: new Map(),
    messages: new Map(),
    notifications: new Map(),
    saved: new Map(),
    account: new Map(),
  }
}

/** The store of one tab, like RxDB: upserts by id, indexes, one account at a time. */
export class MemoryStore implements ManagedStore {
  readonly memoryOnly = false
  readonly outdated = false
  readonly #disk: DocumentDisk
  readonly #realm: Realm
  readonly #state: State
  readonly #epoch: number | null

  constructor(disk: DocumentDisk, realm: Realm, state?: State, epoch: number | null = null) {
    this.#disk = disk
    this.#realm = realm
    this.#state = state ?? { owner: '', epoch: 0, changed: new BehaviorSubject(0) }
    this.#epoch = epoch
    if (state) return
    // Writes of other tabs count too.
    const hearing = disk.written.subscribe(() =>
      realm.alive ? this.#state.changed.next(this.#state.changed.value + 1) : hearing.unsubscribe(),
    )
  }

  observeOne<C extends CollectionName>(collection: C, id: string): Observable<Documents[C] | null> {
    return this.#live(() => this.#rows(collection).get(id) ?? null)
  }

  observeMany<C extends CollectionName>(
    collection: C,
    ids: readonly string[],
  ): Observable<readonly Documents[C][]> {
    return this.#live(() => ids.flatMap((id) => this.#rows(collection).get(id) ?? []))
  }

  observe<C extends CollectionName>(
    collection: C,
    find: IndexQuery<Documents[C]>,
  ): Observable<readonly Documents[C][]> {
    return this.#live(() => this.#found(collection, find))
  }

  observeProjection<C extends CollectionName, T>(
    collection: C,
    project: (document: Documents[C]) => T,
  ): Observable<ReadonlyMap<string, T>> {
    return this.#live(
      () => new Map([...this.#rows(collection)].map(([id, document]) => [id, project(document)])),
    )
  }

  async one<C extends CollectionName>(collection: C, id: string): Promise<Documents[C] | null> {
    await this.#step()
    return this.#rows(collection).get(id) ?? null
  }

  async many<C extends CollectionName>(
    collection: C,
    ids: readonly string[],
  ): Promise<readonly Documents[C][]> {
    await this.#step()
    return ids.flatMap((id) => this.#rows(collection).get(id) ?? [])
  }

  async find<C extends CollectionName>(
    collection: C,
    find: IndexQuery<Documents[C]>,
  ): Promise<readonly Documents[C][]> {
    await this.#step()
    return this.#found(collection, find)
  }

  async put<C extends CollectionName>(
    collection: C,
    documents: readonly Documents[C][],
    merge?: (here: Documents[C], coming: Documents[C]) => Documents[C],
  ): Promise<void> {
    if (documents.length === 0) return
    await this.#room()
    const rows = this.#rows(collection)
    for (const document of documents) {
      const here = rows.get(document.id)
      rows.set(document.id, here && merge ? merge(here, document) : document)
    }
    await this.#wrote(
      collection,
      documents.flatMap(({ id }) => rows.get(id) ?? []),
    )
  }

  async change<C extends CollectionName>(
    collection: C,
    id: string,
    change: (document: Documents[C]) => Documents[C] | null,
  ): Promise<void> {
    await this.#room()
    const rows = this.#rows(collection)
    const here = rows.get(id)
    const next = here && change(here)
    if (!next) return
    rows.set(id, next)
    await this.#wrote(collection, [next])
  }

  async remove(collection: CollectionName, ids: readonly string[]): Promise<void> {
    await this.#step()
    for (const id of ids) this.#rows(collection).delete(id)
    await this.#wrote(collection, [])
  }

  bound(): Store {
    return new MemoryStore(this.#disk, this.#realm, this.#state, this.#state.epoch)
  }

  async enter(owner: string): Promise<void> {
    if (owner === this.#state.owner) return
    this.#state.owner = owner
    this.#state.epoch += 1
    await this.#realm.step()
    this.#poke()
  }

  async forget(owner: string): Promise<void> {
    await this.#realm.step()
    this.#disk.forget(`of ${owner}`)
    this.#poke()
  }

  async clear(): Promise<void> {
    await this.#realm.step()
    this.#state.epoch += 1
    this.#disk.clear()
    this.#poke()
  }

  counts(): Promise<Readonly<Record<string, number>>> {
    return Promise.resolve({ messages: this.#rows('messages').size })
  }

  quiet(): Promise<void> {
    return Promise.resolve()
  }

  async makeRoom(): Promise<void> {
    await this.#realm.step()
    this.#rows('listings').clear()
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  async #step(): Promise<void> {
    await this.#realm.step()
    if (this.#epoch !== null && this.#epoch !== this.#state.epoch)
      throw new Left('another account came in')
  }

  async #room(): Promise<void> {
    await this.#step()
    if (this.#disk.full > 0 && this.#realm.maybe(this.#disk.full))
      throw new DOMException('full', 'QuotaExceededError')
  }

  #rows<C extends CollectionName>(collection: C): Collection<C> {
    return this.#disk.of(
      collections[collection].scope === 'shared' ? '' : `of ${this.#state.owner}`,
    )[collection]
  }

  async #wrote(collection: CollectionName, documents: readonly unknown[]): Promise<void> {
    this.#disk.written.next({ owner: this.#state.owner, collection, documents })
    await this.#realm.step()
  }

  #poke(): void {
    this.#state.changed.next(this.#state.changed.value + 1)
  }

  #live<T>(look: () => T): Observable<T> {
    return this.#state.changed.pipe(
      map(look),
      distinctUntilChanged((a, b) => a === b || JSON.stringify(a) === JSON.stringify(b)),
    )
  }

  #found<C extends CollectionName>(
    collection: C,
    find: IndexQuery<Documents[C]>,
  ): readonly Documents[C][] {
    const {
      index,
      equals = {},
      after = Number.NEGATIVE_INFINITY,
      upTo = Number.POSITIVE_INFINITY,
      limit = Number.POSITIVE_INFINITY,
    } = find
    const last = index.at(-1)
    const key = (document: Documents[C]): number =>
      Number(last === undefined ? 0 : Reflect.get(document, last))
    return [...this.#rows(collection).values()]
      .filter((document) =>
        Object.entries(equals).every(([field, value]) => Reflect.get(document, field) === value),
      )
      .filter((document) => key(document) > after && key(document) <= upTo)
      .toSorted((a, b) => key(a) - key(b))
      .slice(0, limit)
  }
}
