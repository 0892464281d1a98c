import type { DraftPhoto, ListingDraft } from '#schema/disk/draft'
import { OPEN_MS } from '#schema/limits'
import type { Traffic } from '#schema/port/service'
import { add, Dexie, type Table as Rows } from 'dexie'
import type { SeenDisk } from '../inbox/seen.ts'
import type { MeterDisk } from '../network/meter.ts'
import type { Outside } from '../outside.ts'
import { Turns } from '../turns.ts'
import { Late, within } from '../within.ts'
import { openDrafts } from './listingDrafts.ts'
import { currentNames, readState } from './state.ts'
import { type DatabaseCallbacks, type OpenedDb, storing, type Table, Unopened } from './table.ts'

interface Row {
  readonly id: string
}

export class Database extends Dexie {
  declare readonly entries: Rows<Row, string>
  declare readonly texts: Rows<Row, string>
  declare readonly meta: Rows<Row, string>
  declare readonly seen: Rows<Row & { readonly owner: string }, number>
  declare readonly bytes: Rows<Traffic & { readonly day: string }, string>
  declare readonly drafts: Rows<ListingDraft, string>
  declare readonly photos: Rows<DraftPhoto, string>

  constructor(
    name: string,
    { factory, ranges }: Pick<DatabaseNeeds, 'factory' | 'ranges'>,
    durability: 'strict' | 'relaxed' = 'strict',
  ) {
    super(name, {
      autoOpen: false,
      cache: 'disabled',
      chromeTransactionDurability: durability,
      indexedDB: ownVersions(factory),
      ...(ranges ? { IDBKeyRange: ranges } : {}),
    })
    // Releases without Dexie used IndexedDB's version 1, which is Dexie's 0.1.
    this.version(1)
      .stores({
        entries: 'id',
        texts: 'id',
        meta: 'id',
        seen: '++, owner',
        bytes: 'day',
        drafts: 'id, owner',
        photos: 'id, draft',
      })
      .upgrade(async (change) => {
        // Unknown members stay in their rows.
        if (change.db.backendDB().objectStoreNames.contains('desk'))
          for (const row of await change.table<unknown>('desk').toArray())
            await change.table('meta').put({ ...currentNames(row), id: META })
        await change
          .table<unknown>('entries')
          .toCollection()
          .modify((row, found) => {
            found.value = currentNames(row)
          })
      })
  }
}
const META = 'meta'

/** Dexie would open a newer version's database, and add missing stores there. */
function ownVersions(factory: IDBFactory) {
  return {
    open(name: string, version?: number): IDBOpenDBRequest {
      if (version === undefined) throw new Unopened('newer')
      return factory.open(name, version)
    },
    databases: () => factory.databases(),
  }
}

/** One after the other; resolves once it has ended. */
export type Transact = <T>(
  mode: 'r' | 'rw',
  stores: readonly Exclude<keyof Database, keyof Dexie>[],
  work: (database: Database) => PromiseLike<T>,
) => Promise<T>

export interface DatabaseNeeds extends Pick<Outside, 'setTimer' | 'freeSpace'> {
  readonly factory: IDBFactory
  readonly ranges?: typeof IDBKeyRange
}

/** Opens again after the browser closed it. */
function connect(
  name: string,
  needs: DatabaseNeeds,
  durability: 'strict' | 'relaxed',
  { newer, reopened, restart }: DatabaseCallbacks,
) {
  const database = new Database(name, needs, durability)
  const turns = new Turns(needs.setTimer)
  // Dexie then closes the database. `newVersion` null: it is being deleted.
  database.on('versionchange', ({ newVersion }) => (newVersion === null ? reopened : newer)?.())

  /** Dexie's `open` leaves a transaction open, which a read waits for. A write proves access. */
  async function opened() {
    await database.open()
    for (const mode of ['r', 'rw'] as const)
      // oxlint-disable-next-line no-await-in-loop -- one at a time
      await database.transaction(mode, database.tables, () => undefined)
  }

  async function open() {
    if (database.isOpen()) return
    const opening = opened()
    try {
      await within(needs.setTimer, OPEN_MS, opening)
    } catch (error) {
      if (!(error instanceof Late)) throw error
      void opening.then(() => (database.close(), restart?.())).catch(() => undefined)
      throw new Unopened('hangs')
    }
    database.backendDB().addEventListener('close', () => reopened?.())
  }

  const transact: Transact = async (mode, stores, work) => {
    try {
      return await turns.take(async () => {
        await open()
        return database.transaction(mode, stores, () => work(database))
      })
    } catch (error) {
      if (!(error instanceof Late) || !restart) throw error
      // The outcome is unknown: the page asks the next worker.
      restart()
      return new Promise(() => undefined)
    }
  }

  return { open, transact, close: () => database.close() }
}

/** Rejects with `Unopened` when a newer version uses it, or it does not answer. */
export async function openDatabase(
  name: string,
  needs: DatabaseNeeds,
  callbacks: DatabaseCallbacks = {},
): Promise<OpenedDb> {
  const strict = connect(`${name}-phone`, needs, 'strict', callbacks)
  await strict.open()
  // Writes of `seen` and `meter` do not wait for the disk.
  const relaxed = connect(`${name}-phone`, needs, 'relaxed', callbacks)
  return {
    table: {
      ...tableIn(strict.transact),
      close() {
        strict.close()
        relaxed.close()
      },
    },
    seen: seenIn(relaxed.transact),
    meter: meterIn(relaxed.transact),
    drafts: openDrafts(strict.transact, `${name}-drafts`, needs),
  }
}

function tableIn(transact: Transact): Omit<Table, 'close'> {
  const stores = ['entries', 'texts', 'meta'] as const
  return {
    change: (work) =>
      storing(() =>
        transact('rw', stores, async (database) => {
          const { entries, texts, meta } = database
          const before = await readIn(database)
          const { state, result } = work(before)
          await Promise.all([
            write(entries, before.entries, state.entries),
            write(texts, before.texts, state.texts),
            // Unread rows are only deleted, from both: their store is unknown.
            write(entries, before.unread, state.unread),
            write(texts, before.unread, state.unread),
            state.meta === before.meta ? null : meta.put({ ...state.meta, id: META }),
          ])
          return result
        }),
      ),
    read: () => transact('r', stores, readIn),
  }
}

async function readIn(database: Database) {
  const [entries, texts, meta] = await Promise.all([
    database.entries.toArray(),
    database.texts.toArray(),
    database.meta.get(META),
  ])
  return readState({ entries, texts, meta })
}

/** A row that is the same object is unchanged. */
async function write<R extends { readonly id: string }>(
  rows: Rows<R, string>,
  before: readonly R[],
  after: readonly R[],
) {
  const known = new Set(before)
  const kept = new Set(after.map(({ id }) => id))
  await Promise.all([
    ...after.filter((row) => !known.has(row)).map((row) => rows.put(row)),
    ...before.filter(({ id }) => !kept.has(id)).map(({ id }) => rows.delete(id)),
  ])
}

function seenIn(transact: Transact): SeenDisk {
  const stores = ['seen'] as const
  return {
    read: (owner) =>
      transact('r', stores, async ({ seen }) =>
        (await seen.where({ owner }).toArray()).map(({ id }) => id),
      ),
    add: (owner, id) => transact('rw', stores, ({ seen }) => seen.add({ owner, id })),
    trim: (owner, kept) =>
      transact('rw', stores, async ({ seen }) => {
        const keys = await seen.where({ owner }).primaryKeys()
        await seen.bulkDelete(keys.slice(0, -kept))
      }),
  }
}

function meterIn(transact: Transact): MeterDisk {
  const stores = ['bytes'] as const
  return {
    add: (day, sent, received) =>
      transact('rw', stores, ({ bytes }) =>
        bytes.upsert(day, { sent: add(sent), received: add(received) }),
      ),
    read: (from, to) =>
      transact('r', stores, ({ bytes }) =>
        bytes.where('day').between(from, to, true, true).toArray(),
      ),
  }
}
