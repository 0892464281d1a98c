import type { DraftPhoto, ListingDraft } from '#schema/disk/draft'
import { OPEN_MS } from '#schema/limits'
import type { Traffic } from '#schema/port/service'
import { Dexie, type Table as Rows } from 'dexie'
import { Turns } from '../turns.ts'
import { Late, within } from '../within.ts'
import type { Outside } from '../outside.ts'
import { currentNames } from './state.ts'
import { type DatabaseCallbacks, Unopened } from './table.ts'

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
export const META = 'meta'

/** Dexie would open a newer version's database, and add missing stores there. */
function ownVersions(factory: IDBFactory) {
  return {
    open(name: string, version?: number) {
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
export function connect(
  name: string,
  needs: DatabaseNeeds,
  durability: 'strict' | 'relaxed',
  { newer, reopened, restart }: DatabaseCallbacks,
) {
  const database = new Database(name, needs, durability)
  const turns = new Turns(needs.setTimer)
  // Dexie then closes the database. `newVersion` null: it is being deleted.
  database.on('versionchange', ({ newVersion }) => (newVersion === null ? reopened : newer)?.())

  /** A read waits for the transaction that Dexie's `open` leaves; a write shows that writes work. */
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
