import { OPEN_MS } from '#schema/limits'
import type { Held } from '#schema/port/outcome'
import { type DBSchema, type IDBPDatabase, openDB, unwrap } from 'idb'
import type { SeenDisk } from '../inbox/seen.ts'
import type { MeterDisk } from '../network/meter.ts'
import type { Drafts } from '../noun.ts'
import type { Outside } from '../outside.ts'
import { Late, within } from '../within.ts'
import { type Book, readBook } from './book.ts'
import { remembering } from './remembering.ts'
import { difference, Full, type Table, Unopened } from './table.ts'

/** What is truth on this phone, in one database of its own: it migrates with versions, and no clearing of caches touches it. */
export interface Phone {
  readonly table: Table
  readonly seen: SeenDisk
  readonly meter: MeterDisk
  /** Where nothing may be kept, they are in memory beside the rest (memory.ts); else on a disk of their own (drafts.ts). */
  readonly drafts?: Drafts
  /** The database is there, and not to be had: what is here in its place is empty. */
  readonly held?: Held
}

interface Rows extends DBSchema {
  entries: { key: string; value: { id: string } }
  texts: { key: string; value: { id: string } }
  desk: { key: string; value: { id: string } }
  seen: { key: number; value: { owner: string; id: string }; indexes: { owner: string } }
  bytes: { key: string; value: { day: string; sent: number; received: number } }
}

type Step = (database: IDBDatabase) => void

/** What each version of the database adds to the one before. Members of rows need none: they have defaults (book.ts). */
export const STEPS: readonly Step[] = [
  (fresh) => {
    fresh.createObjectStore('entries', { keyPath: 'id' })
    fresh.createObjectStore('texts', { keyPath: 'id' })
    fresh.createObjectStore('desk', { keyPath: 'id' })
    fresh.createObjectStore('seen', { autoIncrement: true }).createIndex('owner', 'owner')
    fresh.createObjectStore('bytes', { keyPath: 'day' })
  },
]
const DESK = 'desk'

export interface PhoneHears {
  /** A newer version of the app has the database from here on, and this one gets nothing of it. */
  newer(): void
  /** The browser closed it, as when a person clears the site's data: it is opened anew, and may be empty. */
  reopened(): void
  /** It had not opened in time, and could be opened now. */
  late(): void
}

type Open = () => Promise<IDBPDatabase<Rows>>
type Needs = Pick<Outside, 'later' | 'newId'>

const nobody: PhoneHears = { newer: () => undefined, reopened: () => undefined, late: () => undefined }

/** Rejects where IndexedDB is denied; with `Unopened` where a newer version has the database, or it does not answer. */
export async function openPhone(name: string, { later, newId }: Needs, hears: PhoneHears = nobody, steps = STEPS): Promise<Phone> {
  let current: Promise<IDBPDatabase<Rows>> | null = null
  const begin = async (): Promise<IDBPDatabase<Rows>> => {
    const opening = openDB<Rows>(name, steps.length, {
      upgrade(database, from) {
        for (const step of steps.slice(from)) step(unwrap(database))
      },
      blocking(_mine, wanted) {
        void opening.then((database) => database.close())
        current = null
        // Without a version it is being deleted.
        if (wanted === null) hears.reopened()
        else hears.newer()
      },
      terminated() {
        current = null
        hears.reopened()
      },
    })
    try {
      return await within(later, OPEN_MS, opening)
    } catch (error) {
      // Not for good: the next who asks tries again.
      current = null
      if (error instanceof Late) void opening.then((database) => (database.close(), hears.late())).catch(() => undefined)
      throw error instanceof Late ? new Unopened('hangs') : isNewer(error) ? new Unopened('newer') : error
    }
  }
  const open: Open = () => (current ??= begin())
  await open()
  return { table: remembering(new DiskTable(open), newId), seen: seenOn(open), meter: meterOn(open) }
}

class DiskTable implements Table {
  readonly #open: Open

  constructor(open: Open) {
    this.#open = open
  }

  async change<T>(work: (book: Book) => { readonly book: Book; readonly result: T }): Promise<T> {
    const transaction = (await this.#open()).transaction(['entries', 'texts', 'desk'], 'readwrite', { durability: 'strict' })
    // An abort is also told by the request that failed: once is enough.
    transaction.done.catch(() => undefined)
    const [entries, texts, desk] = [transaction.objectStore('entries'), transaction.objectStore('texts'), transaction.objectStore('desk')]
    try {
      const [oldEntries, oldTexts, oldDesk] = await Promise.all([entries.getAll(), texts.getAll(), desk.get(DESK)])
      const before = readBook({ entries: oldEntries, texts: oldTexts, desk: oldDesk })
      const { book, result } = work(before)
      await Promise.all([
        ...difference(before.entries, book.entries).map((write) => (write.kind === 'put' ? entries.put(write.row) : entries.delete(write.id))),
        ...difference(before.texts, book.texts).map((write) => (write.kind === 'put' ? texts.put(write.row) : texts.delete(write.id))),
        // They are never written; which store it was in, its id does not say.
        ...difference(before.unread, book.unread).flatMap(({ kind, id }) => (kind === 'delete' ? [entries.delete(id), texts.delete(id)] : [])),
        ...(book.desk === before.desk ? [] : [desk.put({ ...book.desk, id: DESK })]),
      ])
      await transaction.done
      return result
    } catch (error) {
      abort(transaction)
      throw isFull(error) ? new Full('the phone is full', { cause: error }) : error
    }
  }

  async read(): Promise<Book> {
    const transaction = (await this.#open()).transaction(['entries', 'texts', 'desk'], 'readonly')
    const [entries, texts, desk] = await Promise.all([
      transaction.objectStore('entries').getAll(),
      transaction.objectStore('texts').getAll(),
      transaction.objectStore('desk').get(DESK),
    ])
    return readBook({ entries, texts, desk })
  }

  close(): void {
    void this.#open().then((database) => database.close()).catch(() => undefined)
  }
}

function seenOn(open: Open): SeenDisk {
  return {
    read: async (owner) => (await (await open()).getAllFromIndex('seen', 'owner', owner)).map((row) => row.id),
    async add(owner, ids) {
      const transaction = (await open()).transaction('seen', 'readwrite')
      await Promise.all([...ids.map((id) => transaction.store.add({ owner, id })), transaction.done])
    },
    async trim(owner, kept) {
      const transaction = (await open()).transaction('seen', 'readwrite')
      const keys = await transaction.store.index('owner').getAllKeys(owner)
      await Promise.all([...keys.slice(0, Math.max(0, keys.length - kept)).map((key) => transaction.store.delete(key)), transaction.done])
    },
  }
}

function meterOn(open: Open): MeterDisk {
  return {
    async add(day, sent, received) {
      const transaction = (await open()).transaction('bytes', 'readwrite')
      const known = await transaction.store.get(day)
      await transaction.store.put({ day, sent: (known?.sent ?? 0) + sent, received: (known?.received ?? 0) + received })
      await transaction.done
    },
    read: async (from, to) => (await open()).getAll('bytes', IDBKeyRange.bound(from, to)),
  }
}

function abort(transaction: { abort(): void }): void {
  try {
    transaction.abort()
  } catch {
    // It ended by itself.
  }
}

function isNewer(error: unknown): boolean {
  return error instanceof Error && error.name === 'VersionError'
}

function isFull(error: unknown): boolean {
  return error instanceof Error && (error.name === 'QuotaExceededError' || error.name === 'AbortError')
}
