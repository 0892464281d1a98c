import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { SeenDisk } from '../inbox/seen.ts'
import type { MeterDisk } from '../network/meter.ts'
import type { Drafts } from '../noun.ts'
import { type Book, readBook } from './book.ts'
import { difference, Full, type Table } from './table.ts'

/** What is truth on this phone, in one database of its own: it migrates with versions, and no clearing of caches touches it. */
export interface Phone {
  readonly table: Table
  readonly seen: SeenDisk
  readonly meter: MeterDisk
  /** Where nothing may be kept, they are in memory beside the rest (memory.ts); else on a disk of their own (drafts.ts). */
  readonly drafts?: Drafts
}

interface Rows extends DBSchema {
  entries: { key: string; value: { id: string } }
  texts: { key: string; value: { id: string } }
  desk: { key: string; value: { id: string } }
  seen: { key: number; value: { owner: string; id: string }; indexes: { owner: string } }
  bytes: { key: string; value: { day: string; sent: number; received: number } }
}

const VERSION = 1
const DESK = 'desk'

type Open = () => Promise<IDBPDatabase<Rows>>

/** Rejects where IndexedDB is denied; `outdated` is called when a newer version of the app asks for the database. One that the browser closed, as when a person clears the site's data, is opened anew, and may be empty: `reopened` is called. */
export async function openPhone(name: string, outdated: () => void, reopened: () => void = () => undefined): Promise<Phone> {
  let current: Promise<IDBPDatabase<Rows>> | null = null
  const open: Open = () => {
    current ??= openDB<Rows>(name, VERSION, {
      upgrade(fresh) {
        fresh.createObjectStore('entries', { keyPath: 'id' })
        fresh.createObjectStore('texts', { keyPath: 'id' })
        fresh.createObjectStore('desk', { keyPath: 'id' })
        fresh.createObjectStore('seen', { autoIncrement: true }).createIndex('owner', 'owner')
        fresh.createObjectStore('bytes', { keyPath: 'day' })
      },
      blocking() {
        void current?.then((database) => database.close())
        outdated()
      },
      terminated() {
        current = null
        reopened()
      },
    }).catch((error: unknown) => {
      // Not for good: the next who asks tries again.
      current = null
      throw error
    })
    return current
  }
  await open()
  return { table: new DiskTable(open), seen: seenOn(open), meter: meterOn(open) }
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
    void this.#open().then((database) => database.close())
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

function isFull(error: unknown): boolean {
  return error instanceof Error && (error.name === 'QuotaExceededError' || error.name === 'AbortError')
}
