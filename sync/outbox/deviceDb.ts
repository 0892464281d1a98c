import { OPEN_MS } from '#schema/limits'
import type { DatabaseProblem } from '#schema/port/outcome'
import type { SeenDisk } from '../inbox/seen.ts'
import type { Bytes, MeterDisk } from '../network/meter.ts'
import type { DraftStore } from '../noun.ts'
import type { Outside } from '../outside.ts'
import { Late, within } from '../within.ts'
import { type OutboxState, readState } from './state.ts'
import { answered, committed, opened } from '../idb.ts'
import { remembering } from './remembering.ts'
import { difference, Full, type Table, Unopened } from './table.ts'

/**
 * The local database of user data. It is apart from the cache, so clearing the cache cannot delete
 * it, and it has migrations.
 */
export interface DeviceDb {
  readonly table: Table
  readonly seen: SeenDisk
  readonly meter: MeterDisk
  /**
   * Only where storage is not allowed: drafts are in memory too (memory.ts). Else they have a
   * database of their own (drafts.ts).
   */
  readonly drafts?: DraftStore
  /** The database exists but is not accessible: these stores are empty substitutes. */
  readonly held?: DatabaseProblem
}

type Step = (database: IDBDatabase) => void

/** Migration steps by version. New members of rows need no step: they have defaults (state.ts). */
export const STEPS: readonly Step[] = [
  (fresh) => {
    for (const store of STORES) fresh.createObjectStore(store, { keyPath: 'id' })
    fresh.createObjectStore(SEEN, { autoIncrement: true }).createIndex('owner', 'owner')
    fresh.createObjectStore(BYTES, { keyPath: 'day' })
  },
]
const ENTRIES = 'entries'
const TEXTS = 'texts'
/** The store has one row, with the store's name as its id. */
const META = 'desk'
const STORES = [ENTRIES, TEXTS, META]
const SEEN = 'seen'
const BYTES = 'bytes'

export interface DeviceDbCallbacks {
  /** A newer version of the app upgrades the database: this one can no longer use it. */
  newer(): void
  /**
   * The browser closed it, for example when the user cleared site data. It is opened again,
   * possibly empty.
   */
  reopened(): void
  /** Opening timed out earlier, and has succeeded now. */
  late(): void
}

type Open = () => Promise<IDBDatabase>

interface Needs extends Pick<Outside, 'setTimer' | 'newId'> {
  readonly factory: IDBFactory | undefined
}

const nobody: DeviceDbCallbacks = {
  newer: () => undefined,
  reopened: () => undefined,
  late: () => undefined,
}

/**
 * Rejects where IndexedDB is denied. Rejects with `Unopened` when a newer version uses the database
 * or it does not answer.
 */
export async function openDeviceDb(
  name: string,
  { factory, setTimer, newId }: Needs,
  callbacks: DeviceDbCallbacks = nobody,
  steps = STEPS,
): Promise<DeviceDb> {
  if (!factory) throw new Error('nothing may be kept here')
  let current: Promise<IDBDatabase> | null = null
  const begin = async (): Promise<IDBDatabase> => {
    const upgrade = (database: IDBDatabase, from: number): void => {
      for (const step of steps.slice(from)) step(database)
    }
    const opening = opened({ factory, name, version: steps.length, upgrade })
    try {
      const database = await within(setTimer, OPEN_MS, opening)
      database.addEventListener('versionchange', ({ newVersion }) => {
        database.close()
        current = null
        // No new version: the database is being deleted.
        if (newVersion === null) callbacks.reopened()
        else callbacks.newer()
      })
      database.addEventListener('close', () => {
        current = null
        callbacks.reopened()
      })
      return database
    } catch (error) {
      // Do not cache a failure: the next caller tries again.
      current = null
      if (error instanceof Late)
        void opening.then((database) => (database.close(), callbacks.late())).catch(() => undefined)
      throw error instanceof Late
        ? new Unopened('hangs')
        : isNewer(error)
          ? new Unopened('newer')
          : error
    }
  }
  const open: Open = () => (current ??= begin())
  await open()
  return {
    table: remembering(new DiskTable(open), newId),
    seen: seenOn(open),
    meter: meterOn(open),
  }
}

class DiskTable implements Table {
  readonly #open: Open

  constructor(open: Open) {
    this.#open = open
  }

  async change<T>(
    work: (state: OutboxState) => { readonly state: OutboxState; readonly result: T },
  ): Promise<T> {
    const transaction = (await this.#open()).transaction(STORES, 'readwrite', {
      durability: 'strict',
    })
    const done = committed(transaction)
    try {
      const before = await readIn(transaction)
      const { state, result } = work(before)
      write(transaction.objectStore(ENTRIES), before.entries, state.entries)
      write(transaction.objectStore(TEXTS), before.texts, state.texts)
      // Unreadable rows are only ever deleted. A row does not tell its store, so delete from both.
      for (const store of [ENTRIES, TEXTS])
        write(transaction.objectStore(store), before.unread, state.unread)
      if (state.meta !== before.meta) transaction.objectStore(META).put({ ...state.meta, id: META })
      await done
      return result
    } catch (error) {
      abort(transaction)
      throw isFull(error) ? new Full('the device is full', { cause: error }) : error
    }
  }

  async read(): Promise<OutboxState> {
    return readIn((await this.#open()).transaction(STORES))
  }

  close(): void {
    void this.#open()
      .then((database) => database.close())
      .catch(() => undefined)
  }
}

async function readIn(transaction: IDBTransaction): Promise<OutboxState> {
  const [entries = [], texts = [], meta = []] = await Promise.all(
    STORES.map((store): Promise<unknown[]> => answered(transaction.objectStore(store).getAll())),
  )
  return readState({ entries, texts, meta: meta[0] })
}

function write(
  store: IDBObjectStore,
  before: readonly { readonly id: string }[],
  after: readonly { readonly id: string }[],
): void {
  for (const one of difference(before, after)) {
    if (one.kind === 'put') store.put(one.row)
    else store.delete(one.id)
  }
}

function seenOn(open: Open): SeenDisk {
  return {
    async read(owner) {
      const rows: readonly unknown[] = await answered(
        (await open()).transaction(SEEN).objectStore(SEEN).index('owner').getAll(owner),
      )
      return rows.map((row) => String(memberOf(row, 'id')))
    },
    async add(owner, ids) {
      const transaction = (await open()).transaction(SEEN, 'readwrite')
      for (const id of ids) transaction.objectStore(SEEN).add({ owner, id })
      await committed(transaction)
    },
    async trim(owner, kept) {
      const transaction = (await open()).transaction(SEEN, 'readwrite')
      const done = committed(transaction)
      const store = transaction.objectStore(SEEN)
      const keys = await answered(store.index('owner').getAllKeys(owner))
      for (const key of keys.slice(0, Math.max(0, keys.length - kept))) store.delete(key)
      await done
    },
  }
}

function meterOn(open: Open): MeterDisk {
  return {
    async add(day, sent, received) {
      const transaction = (await open()).transaction(BYTES, 'readwrite')
      const done = committed(transaction)
      const store = transaction.objectStore(BYTES)
      const known: unknown = await answered(store.get(day))
      const more = (name: keyof Bytes, bytes: number): number =>
        Number(memberOf(known, name) ?? 0) + bytes
      store.put({ day, sent: more('sent', sent), received: more('received', received) })
      await done
    },
    read: async (from, to) =>
      answered(
        (await open()).transaction(BYTES).objectStore(BYTES).getAll(IDBKeyRange.bound(from, to)),
      ),
  }
}

function memberOf(row: unknown, name: string): unknown {
  return typeof row === 'object' && row !== null ? Reflect.get(row, name) : undefined
}

function abort(transaction: { abort(): void }): void {
  try {
    transaction.abort()
  } catch {
    // The transaction had already ended.
  }
}

function isNewer(error: unknown): boolean {
  return error instanceof Error && error.name === 'VersionError'
}

function isFull(error: unknown): boolean {
  return (
    error instanceof Error && (error.name === 'QuotaExceededError' || error.name === 'AbortError')
  )
}
