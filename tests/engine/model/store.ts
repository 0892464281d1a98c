import type { CollectionName, Documents } from '#schema/disk/documents'
import { collections } from '#schema/disk/documents'
import type { Collection, Find, Query, Store } from '#sync/noun'
import { StoreCollections } from '#sync/store/collections'
import { type ManagedStore, Left } from '#sync/store/store'
import { BehaviorSubject, defer, distinctUntilChanged, map, type Observable, Subject } from 'rxjs'
import type { Realm } from './realm.ts'

type Rows<C extends CollectionName> = Map<string, Documents[C]>
type Disk = { [C in CollectionName]: Rows<C> }

interface State {
  owner: string
  epoch: number
  readonly changed: BehaviorSubject<number>
}

/** The documents of a device, by owner; shared ones under the empty name. */
export class DocumentDisk {
  readonly #owners = new Map<string, Disk>()
  full = 0
  /** Emits every write; the simulation judges each. */
  readonly written = new Subject<{
    readonly owner: string
    readonly collection: CollectionName
    readonly documents: readonly unknown[]
  }>()

  of(owner: string): Disk {
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

function emptyCollections(): Disk {
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
export class MemoryStore extends StoreCollections implements ManagedStore {
  readonly memoryOnly = false
  readonly outdated = false
  readonly #disk: DocumentDisk
  readonly #realm: Realm
  readonly #state: State
  readonly #epoch: number | null

  constructor(disk: DocumentDisk, realm: Realm, state?: State, epoch: number | null = null) {
    super()
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

  observeProjection<C extends CollectionName, T>(
    collection: C,
    project: (document: Documents[C]) => T,
  ): Observable<ReadonlyMap<string, T>> {
    return this.#live(
      () => new Map([...this.#rows(collection)].map(([id, document]) => [id, project(document)])),
    )
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

  #rows<C extends CollectionName>(collection: C): Rows<C> {
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
    return defer(() => this.#state.changed).pipe(
      map(look),
      distinctUntilChanged((a, b) => a === b || textOf(a) === textOf(b)),
    )
  }

  protected override collection<C extends CollectionName>(collection: C): Collection<Documents[C]> {
    const query = <T>(look: (rows: Rows<C>) => T): Query<T> => ({
      $: this.#live(() => look(this.#rows(collection))),
      exec: async () => {
        await this.#step()
        return look(this.#rows(collection))
      },
    })
    return {
      find: (wanted = {}) => query((rows) => found([...rows.values()], wanted)),
      findOne: (id) => query((rows) => rows.get(id) ?? null),
      findByIds: (ids) =>
        query(
          (rows) =>
            new Map(
              ids.flatMap((id): [string, Documents[C]][] => {
                const row = rows.get(id)
                return row === undefined ? [] : [[id, row]]
              }),
            ),
        ),
      put: async (documents, merge) => {
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
      },
      change: async (id, change) => {
        await this.#room()
        const rows = this.#rows(collection)
        const here = rows.get(id)
        const next = here && change(here)
        if (!next) return
        rows.set(id, next)
        await this.#wrote(collection, [next])
      },
      remove: async (ids) => {
        await this.#step()
        for (const id of ids) this.#rows(collection).delete(id)
        await this.#wrote(collection, [])
      },
    }
  }
}

const textOf = (answer: unknown): string =>
  JSON.stringify(answer, (_, value: unknown) => (value instanceof Map ? [...value] : value))

function found<D>(rows: readonly D[], { selector = {}, sort = [], limit }: Find<D>): readonly D[] {
  const value = (row: D, field: string): unknown => Reflect.get(Object(row), field)
  const order = sort.flatMap((part) => Object.keys(part))
  return rows
    .filter((row) =>
      Object.entries(selector).every(([field, wanted]) => matches(value(row, field), wanted)),
    )
    .toSorted((a, b) =>
      order.reduce((sum, field) => sum || Number(value(a, field)) - Number(value(b, field)), 0),
    )
    .slice(0, limit)
}

function matches(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return value === wanted
  const number = Number(value)
  return Object.entries(wanted).every(([operator, bound]) => {
    switch (operator) {
      case '$gt':
        return number > Number(bound)
      case '$gte':
        return number >= Number(bound)
      case '$lt':
        return number < Number(bound)
      case '$lte':
        return number <= Number(bound)
      default:
        throw new Error(operator)
    }
  })
}
