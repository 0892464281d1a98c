import type { CollectionName, Documents } from '#schema/disk/documents'
import { collections } from '#schema/disk/documents'
import type { Collection, Find, Query, Store } from '#sync/noun'
import { collectionsOf, orderOf, type ManagedStore, Left } from '#sync/store/store'
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
export function memoryStore(disk: DocumentDisk, realm: Realm): ManagedStore {
  const state: State = { owner: '', epoch: 0, changed: new BehaviorSubject(0) }
  // Writes of other tabs count too.
  const hearing = disk.written.subscribe(() => (realm.alive ? poke() : hearing.unsubscribe()))

  return {
    ...view(null),
    state: () => ({ memoryOnly: false, outdated: false, epoch: state.epoch }),
    bound: () => view(state.epoch),

    async enter(owner) {
      if (owner === state.owner) return
      state.owner = owner
      state.epoch += 1
      await realm.step()
      poke()
    },

    async forget(owner) {
      await realm.step()
      disk.forget(`of ${owner}`)
      poke()
    },

    async clear() {
      await realm.step()
      state.epoch += 1
      disk.clear()
      poke()
    },

    counts: () => Promise.resolve({ messages: rowsOf('messages').size }),
    quiet: () => Promise.resolve(),

    async makeRoom() {
      await realm.step()
      rowsOf('listings').clear()
    },

    close: () => Promise.resolve(),
  }

  function view(epoch: number | null): Store {
    return {
      ...collectionsOf((name) => collection(name, epoch)),
      observeProjection: (name, project) =>
        live(() => new Map([...rowsOf(name)].map(([id, document]) => [id, project(document)]))),
    }
  }

  async function step(epoch: number | null): Promise<void> {
    await realm.step()
    if (epoch !== null && epoch !== state.epoch) throw new Left('another account came in')
  }

  async function room(epoch: number | null): Promise<void> {
    await step(epoch)
    if (disk.full > 0 && realm.maybe(disk.full))
      throw new DOMException('full', 'QuotaExceededError')
  }

  function rowsOf<C extends CollectionName>(name: C): Rows<C> {
    return disk.of(collections[name].scope === 'shared' ? '' : `of ${state.owner}`)[name]
  }

  async function wrote(collection: CollectionName, documents: readonly unknown[]): Promise<void> {
    disk.written.next({ owner: state.owner, collection, documents })
    await realm.step()
  }

  function poke(): void {
    state.changed.next(state.changed.value + 1)
  }

  function live<T>(look: () => T): Observable<T> {
    return defer(() => state.changed).pipe(
      map(look),
      distinctUntilChanged((a, b) => a === b || textOf(a) === textOf(b)),
    )
  }

  function collection<C extends CollectionName>(
    name: C,
    epoch: number | null,
  ): Collection<Documents[C]> {
    const query = <T>(look: (rows: Rows<C>) => T): Query<T> => ({
      $: live(() => look(rowsOf(name))),
      exec: async () => {
        await step(epoch)
        return look(rowsOf(name))
      },
    })
    return {
      find: (wanted = {}) => query((rows) => found([...rows.values()], wanted, orderOf(name))),
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
        await room(epoch)
        const rows = rowsOf(name)
        for (const document of documents) {
          const here = rows.get(document.id)
          rows.set(document.id, here && merge ? merge(here, document) : document)
        }
        await wrote(
          name,
          documents.flatMap(({ id }) => rows.get(id) ?? []),
        )
      },
      change: async (id, change) => {
        await room(epoch)
        const rows = rowsOf(name)
        const here = rows.get(id)
        const next = here && change(here)
        if (!next) return
        rows.set(id, next)
        await wrote(name, [next])
      },
      remove: async (ids) => {
        await step(epoch)
        for (const id of ids) rowsOf(name).delete(id)
        await wrote(name, [])
      },
    }
  }
}

const textOf = (answer: unknown): string =>
  JSON.stringify(answer, (_, value: unknown) => (value instanceof Map ? [...value] : value))

function found<D>(
  rows: readonly D[],
  { selector = {}, sort, limit }: Find<D>,
  natural: readonly object[],
): readonly D[] {
  const value = (row: D, field: string): unknown => Reflect.get(Object(row), field)
  const order = (sort ?? natural).flatMap((part) => Object.keys(part))
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
