import { type IDBPDatabase, openDB } from 'idb'
import { type Book, readBook } from './book.ts'

/** Where the book is kept. Every change is one transaction over the whole book, strictly durable, seen by all tabs in one order. */
export interface Table {
  /** `work` is run once on the book as it is, without waiting for anything; resolves once the change is on disk. */
  change<T>(work: (book: Book) => { readonly book: Book; readonly result: T }): Promise<T>
  read(): Promise<Book>
  close(): void
}

/** The phone has no room for even the reserve; nothing was written. */
export class Full extends Error {
  override readonly name = 'Full'
}

const VERSION = 1
const ENTRIES = 'entries'
const TEXTS = 'texts'
const DESK = 'desk'
const STORES = [ENTRIES, TEXTS, DESK]
const DESK_ID = 'desk'

/** Rejects where IndexedDB is denied; `outdated` is called when a newer version of the app asks for the database. */
export async function openTable(name: string, outdated: () => void): Promise<Table> {
  const database = await openDB(name, VERSION, {
    upgrade(fresh) {
      fresh.createObjectStore(ENTRIES, { keyPath: 'id' })
      fresh.createObjectStore(TEXTS, { keyPath: 'id' })
      fresh.createObjectStore(DESK, { keyPath: 'id' })
    },
    blocking(_now, _wanted, event) {
      if (event.target instanceof IDBDatabase) event.target.close()
      outdated()
    },
  })
  return new DiskTable(database)
}

class DiskTable implements Table {
  readonly #database: IDBPDatabase

  constructor(database: IDBPDatabase) {
    this.#database = database
  }

  async change<T>(work: (book: Book) => { readonly book: Book; readonly result: T }): Promise<T> {
    const transaction = this.#database.transaction(STORES, 'readwrite', { durability: 'strict' })
    const entries = transaction.objectStore(ENTRIES)
    const texts = transaction.objectStore(TEXTS)
    const desk = transaction.objectStore(DESK)
    const [oldEntries, oldTexts, oldDesk] = await Promise.all([entries.getAll(), texts.getAll(), desk.get(DESK_ID)])
    const before = readBook({ entries: oldEntries, texts: oldTexts, desk: oldDesk })
    try {
      const { book, result } = work(before)
      const writes = [
        ...difference(before.entries, book.entries).map((one) => one.kind === 'put' ? entries.put(one.row) : entries.delete(one.id)),
        ...difference(before.texts, book.texts).map((one) => one.kind === 'put' ? texts.put(one.row) : texts.delete(one.id)),
      ]
      if (book.desk !== before.desk) writes.push(desk.put({ ...book.desk, id: DESK_ID }))
      await Promise.all([...writes, transaction.done])
      return result
    } catch (error) {
      transaction.done.catch(() => undefined)
      abort(transaction)
      throw isFull(error) ? new Full('the phone is full', { cause: error }) : error
    }
  }

  async read(): Promise<Book> {
    const transaction = this.#database.transaction(STORES, 'readonly')
    const [entries, texts, desk] = await Promise.all([
      transaction.objectStore(ENTRIES).getAll(),
      transaction.objectStore(TEXTS).getAll(),
      transaction.objectStore(DESK).get(DESK_ID),
    ])
    return readBook({ entries, texts, desk })
  }

  close(): void {
    this.#database.close()
  }
}

type Write<T> = { readonly kind: 'put'; readonly row: T } | { readonly kind: 'delete'; readonly id: string }

/** What turns one list of rows into the other; a row that is the same value was not changed. */
function difference<T extends { readonly id: string }>(before: readonly T[], after: readonly T[]): Write<T>[] {
  const old = new Map(before.map((row) => [row.id, row]))
  const puts = after.filter((row) => old.get(row.id) !== row).map((row) => ({ kind: 'put', row }) as const)
  const kept = new Set(after.map((row) => row.id))
  return [...puts, ...before.filter((row) => !kept.has(row.id)).map((row) => ({ kind: 'delete', id: row.id }) as const)]
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
