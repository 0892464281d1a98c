import {
  catchError,
  finalize,
  from,
  ignoreElements,
  map,
  ReplaySubject,
  share,
  startWith,
  switchMap,
  type Observable,
} from 'rxjs'
import type { RxQuery } from 'rxdb/plugins/core'
import { collections, type CollectionName as Name, type Documents } from '#schema/disk/documents'
import type { Collection, Collections, Query, Store } from '../noun.ts'
import { isFull } from '../full.ts'
import { openDatabases, type StoreConfig } from './open.ts'
import { after, within } from '../within.ts'
import { plain } from './rows.ts'
import { Unserved } from './storage.ts'
import type { StoredCollection } from './collection.ts'

/** Nouns only get `Store`. */
export type ManagedStore = Awaited<ReturnType<typeof openStore>>

export class Left extends Error {
  override readonly name = 'Left'
}

/** Maximum delay of a status under a flood of writes. */
const QUIET_MS = 300
const SPARE_ROWS = 500
/** Trimmed once the first screens have their data, so that a search reads few rows. */
const TRIM_MS = 60_000
/** Building a projection needs a full read. */
const TABLE_KEPT_MS = 300_000

export function collectionsOf(
  make: <C extends Name>(name: C) => Collection<Documents[C]>,
): Collections
export function collectionsOf(make: (name: Name) => unknown): object {
  const names = Object.keys(collections).filter((name): name is Name => name in collections)
  return Object.fromEntries(names.map((name) => [name, make(name)]))
}

export function orderOf(name: Name) {
  return [{ [collections[name].indexes[0]?.at(-1) ?? 'id']: 'asc' }]
}

export async function openStore(config: StoreConfig, owner: string) {
  const { setTimer } = config
  const databases = await openDatabases(config, owner)
  const { enter, forget, clear, close, state } = databases
  const watched = new Set<Promise<{ exec(): Promise<unknown> }>>()
  const makeRoom = () => evict(() => SPARE_ROWS)
  setTimer(TRIM_MS, () => void evict((count, most) => count - most).catch(() => undefined))

  return {
    ...view(null),
    enter,
    forget,
    clear,
    close,
    state,
    /** A view for the current account: its writes fail after an account switch. */
    bound: () => view(state().epoch),
    makeRoom,
    /** Resolves when live queries show all writes, or after a short timeout. */
    quiet: () => within(setTimer, QUIET_MS, settled()).catch(() => undefined),
    async counts() {
      const counts: Record<string, number> = {}
      for (const { name } of await databases.used())
        counts[name] = await work(name, null, ({ documents }) => documents.count().exec())
      return counts
    },
  }

  /** `epoch`: of the account that it is bound to; null: of the current one. */
  function view(epoch: number | null): Store {
    return { ...collectionsOf((name) => collection(name, epoch)), observeProjection }
  }

  function collection<C extends Name>(name: C, epoch: number | null): Collection<Documents[C]> {
    const query = <A, T>(
      ask: (stored: StoredCollection<Documents[C]>) => RxQuery<Documents[C], A>,
      rows: (answer: A) => T,
    ): Query<T> => {
      const watch = () => {
        const asked = databases.collection(name).then(ask)
        watched.add(asked)
        return from(asked).pipe(
          switchMap(({ $ }) => $),
          finalize(() => watched.delete(asked)),
        )
      }
      return {
        $: renewing(name, watch).pipe(map(rows)),
        exec: async () => rows(await work(name, epoch, (stored) => ask(stored).exec())),
      }
    }
    return {
      find: (wanted = {}) =>
        query(
          (stored) => stored.find({ sort: orderOf(name), ...wanted }),
          (found) => found.map(plain),
        ),
      findOne: (id) =>
        query(
          ({ documents }) => documents.findOne(id),
          (found) => found && plain(found),
        ),
      findByIds: (ids) =>
        query(
          // RxDB removes a repeated id from a cached answer only once.
          ({ documents }) => documents.findByIds([...new Set(ids)]),
          (found) => new Map([...found].map(([id, document]) => [id, plain(document)])),
        ),
      put: async (documents, merge) => {
        if (documents.length > 0) await work(name, epoch, (stored) => stored.put(documents, merge))
      },
      change: (id, change) => work(name, epoch, (stored) => stored.change(id, change)),
      remove: (ids) => work(name, epoch, (stored) => stored.remove(ids)),
    }
  }

  /** RxDB runs a query's reads in turn, so `exec` resolves after the emissions of earlier writes. */
  async function settled() {
    const before = new Set(watched)
    await Promise.allSettled([...before].map(async (asked) => (await asked).exec()))
    // An answer may ask for more.
    if ([...watched].some((asked) => !before.has(asked))) await settled()
  }

  function observeProjection<C extends Name, T>(name: C, project: (document: Documents[C]) => T) {
    const read = () =>
      from(databases.collection(name)).pipe(switchMap((stored) => stored.projection(project)))
    const connector = () => new ReplaySubject<ReadonlyMap<string, T>>(1)
    const resetOnRefCountZero = () => after(setTimer, TABLE_KEPT_MS)
    return renewing(name, read).pipe(share({ connector, resetOnRefCountZero }))
  }

  function renewing<T>(name: Name, read: () => Observable<T>) {
    return databases.renewed.pipe(
      startWith(null),
      switchMap(() =>
        read().pipe(
          catchError((error: unknown) => {
            if (isBug(error)) throw error
            // `renewed` then reads again.
            return from(databases.mend(name, null, error)).pipe(ignoreElements())
          }),
        ),
      ),
    )
  }

  async function work<C extends Name, T>(
    name: C,
    epoch: number | null,
    run: (stored: StoredCollection<Documents[C]>) => Promise<T>,
    tries = 3,
  ): Promise<T> {
    let stored: StoredCollection<Documents[C]> | null = null
    try {
      stored = await databases.collection(name)
      assertBound(name, epoch)
      return await run(stored)
    } catch (error) {
      assertBound(name, epoch)
      if (isBug(error) || tries === 0) throw error
      if (isFull(error)) await makeRoom()
      else await databases.mend(name, stored, error)
      return work(name, epoch, run, isFull(error) ? 0 : tries - 1)
    }
  }

  function assertBound(name: Name, epoch: number | null) {
    const isLeft = epoch !== null && epoch !== state().epoch
    if (isLeft && collections[name].scope === 'personal') throw new Left()
  }

  async function evict(excess: (count: number, most: number) => number) {
    for (const stored of await databases.used()) {
      const { eviction } = collections[stored.name]
      if (eviction === undefined) continue
      const over = excess(await stored.documents.count().exec(), eviction.most)
      if (over > 0) await stored.find({ sort: [{ [eviction.by]: 'asc' }], limit: over }).remove()
    }
  }
}

/** Renewed databases would not help. */
function isBug(error: unknown) {
  return error instanceof Unserved || error instanceof TypeError || error instanceof RangeError
}
