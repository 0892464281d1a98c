import {
  categorizeBulkWriteRows,
  createRevision,
  INDEX_MIN,
  RXDB_VERSION,
  type BulkWriteRow,
  type EventBulk,
  type PreparedQuery,
  type RxDocumentData,
  type RxStorage,
  type RxStorageChangeEvent,
  type RxStorageInstance,
  type RxStorageInstanceCreationParams,
  type StringKeys,
} from 'rxdb/plugins/core'
import { Subject } from 'rxjs'
import type { CollectionShape } from '#schema/disk/documents'

type Changes<D> = EventBulk<RxStorageChangeEvent<RxDocumentData<D>>, null>
type Params<D> = RxStorageInstanceCreationParams<D, object>

/** Dependencies of the storage; `ranges` is the browser's `IDBKeyRange`. */
export interface IdbEnvironment {
  readonly factory: IDBFactory
  readonly ranges: typeof IDBKeyRange
  channel(
    name: string,
    hear: (message: unknown) => void,
  ): { post(message: unknown): void; close(): void }
  /** Object stores of a new database: collection name to its indexes, as RxDB plans with them. */
  readonly stores: ReadonlyMap<string, readonly (readonly string[])[]>
}

/** Indexes as created in IndexedDB. The order by id alone is the primary key. */
export function indexesOf({ indexes }: CollectionShape): (readonly string[])[] {
  return indexes.map((fields) => [...fields, 'id'])
}

/** A bug in a noun: its query would scan the collection. */
export class Unserved extends Error {
  override readonly name = 'Unserved'

  constructor(query: unknown) {
    super(`No index serves ${JSON.stringify(query)}`)
  }
}

/**
 * RxDB storage on plain IndexedDB. RxDB's own one opens a database per collection, uses cursors and
 * adds 27 KB. No attachments, no unindexed queries, no tombstones. `storage.test.ts` compares both.
 */
export class IdbStorage implements RxStorage<object, object> {
  readonly name = 'idb'
  readonly rxdbVersion = RXDB_VERSION
  readonly #environment: IdbEnvironment
  readonly #open = new Map<string, { readonly database: Promise<IDBDatabase>; users: number }>()

  constructor(environment: IdbEnvironment) {
    this.#environment = environment
  }

  async createStorageInstance<D>(params: Params<D>): Promise<IdbInstance<D>> {
    const name = params.databaseName
    const known = this.#open.get(name) ?? { database: this.#openDatabase(name), users: 0 }
    known.users++
    this.#open.set(name, known)
    const leave = async () => {
      if (--known.users > 0) return
      if (this.#open.get(name) === known) this.#open.delete(name)
      await known.database.then((database) => database.close()).catch(() => undefined)
    }
    try {
      return new IdbInstance(this.#environment, params, await known.database, leave)
    } catch (error) {
      await leave()
      throw error
    }
  }

  async #openDatabase(name: string): Promise<IDBDatabase> {
    const request = this.#environment.factory.open(name, 1)
    request.onupgradeneeded = () => {
      for (const [store, indexes] of this.#environment.stores) {
        const rows = request.result.createObjectStore(store, { keyPath: 'id' })
        for (const fields of indexes) rows.createIndex(fields.join(), [...fields])
      }
    }
    const database = await answered(request)
    // A newer version, or the user, deletes the database: this tab must not block that.
    database.onversionchange = () => database.close()
    return database
  }
}

class IdbInstance<D> implements RxStorageInstance<D, object, object, null> {
  readonly internals = {}
  readonly options: object
  readonly schema: Params<D>['schema']
  readonly databaseName: string
  readonly collectionName: string
  readonly #environment: IdbEnvironment
  readonly #database: IDBDatabase
  readonly #leave: () => Promise<void>
  readonly #changes = new Subject<Changes<D>>()
  readonly #channel: ReturnType<IdbEnvironment['channel']>
  #closing: Promise<void> | null = null

  constructor(
    environment: IdbEnvironment,
    { schema, options, databaseName, collectionName }: Params<D>,
    database: IDBDatabase,
    leave: () => Promise<void>,
  ) {
    this.schema = schema
    this.options = options
    this.databaseName = databaseName
    this.collectionName = collectionName
    this.#environment = environment
    this.#database = database
    this.#leave = leave
    this.#channel = environment.channel(`${databaseName} ${collectionName}`, (message) => {
      if (isBulk<D>(message)) this.#changes.next(message)
    })
  }

  async bulkWrite(rows: BulkWriteRow<D>[], context: string) {
    const store = this.#rows('readwrite')
    const done = committed(store.transaction)
    const here = await this.#get(
      store,
      rows.map(({ document }) => keyOf(document)),
    )
    const known = new Map(here.map((row) => [keyOf(row), row]))
    // Another tab removed the row meanwhile: a conflict, which RxDB expects with a deleted document.
    for (const { previous } of rows)
      if (previous?._deleted === false && !known.has(keyOf(previous)))
        known.set(keyOf(previous), {
          ...previous,
          _deleted: true,
          _rev: createRevision('', previous),
        })
    const { bulkInsertDocs, bulkUpdateDocs, errors, eventBulk } = categorizeBulkWriteRows<D>(
      this,
      primary(),
      known,
      rows,
      context,
    )
    for (const { document } of [...bulkInsertDocs, ...bulkUpdateDocs]) {
      if (document._deleted) store.delete(keyOf(document))
      else store.put(document)
    }
    await done
    if (eventBulk.events.length > 0) {
      this.#changes.next(eventBulk)
      this.#channel.post(eventBulk)
    }
    return { error: errors }
  }

  findDocumentsById(ids: string[]): Promise<RxDocumentData<D>[]> {
    return this.#get(this.#rows('readonly'), ids)
  }

  /** Filter and order both come from the index: no matching, sorting or skipping is left. */
  async query(prepared: PreparedQuery<D>): Promise<{ documents: RxDocumentData<D>[] }> {
    const { query, queryPlan } = prepared
    if (!queryPlan.sortSatisfiedByIndex || (query.skip ?? 0) > 0 || query.limit === 0)
      throw new Unserved(query)
    const found: unknown[] = await this.#read(prepared, (index, range) =>
      index.getAll(range, query.limit),
    )
    return { documents: found.filter(isRow<D>) }
  }

  async count(prepared: PreparedQuery<D>) {
    const count = await this.#read(prepared, (index, range) => index.count(range))
    return { count, mode: 'fast' as const }
  }

  changeStream() {
    return this.#changes.asObservable()
  }

  getAttachmentData(): Promise<never> {
    return Promise.reject(new Error('No attachments are kept here'))
  }

  /** Deleted rows leave no tombstones to clean up. */
  cleanup() {
    return Promise.resolve(true)
  }

  close(): Promise<void> {
    if (this.#closing === null) {
      this.#changes.complete()
      this.#channel.close()
      this.#closing = this.#leave()
    }
    return this.#closing
  }

  async remove() {
    const store = this.#rows('readwrite')
    store.clear()
    await committed(store.transaction)
    await this.close()
  }

  /** Requests of a transaction are answered in order, so one listener is enough. */
  async #get(store: IDBObjectStore, ids: readonly string[]): Promise<RxDocumentData<D>[]> {
    const requests = ids.map((id): IDBRequest<unknown> => store.get(id))
    const last = requests.at(-1)
    if (last !== undefined) await answered(last)
    return requests.map(({ result }) => result).filter(isRow<D>)
  }

  #rows(mode: IDBTransactionMode): IDBObjectStore {
    return this.#database
      .transaction(this.collectionName, mode, { durability: 'relaxed' })
      .objectStore(this.collectionName)
  }

  /**
   * Reads the index range of a query. Its plan starts with `_deleted`, which is skipped: stored rows
   * are never deleted ones.
   */
  #read<T>(
    { query, queryPlan }: PreparedQuery<D>,
    ask: (rows: IDBIndex | IDBObjectStore, range: IDBKeyRange) => IDBRequest<T>,
  ): Promise<T> {
    if (!queryPlan.selectorSatisfiedByIndex) throw new Unserved(query)
    const { index, startKeys, endKeys, inclusiveStart, inclusiveEnd } = queryPlan
    const fields = index.slice(1)
    const from = keysOf(startKeys)
    const to = keysOf(endKeys)
    const store = this.#rows('readonly')
    const isPrimary = fields.join() === 'id'
    const [low, high] = isPrimary ? [from[0], to[0]] : [from, to]
    const { factory, ranges } = this.#environment
    const order = factory.cmp(low, high)
    // IndexedDB refuses an empty range; no key is lower than negative infinity.
    const range =
      order > 0 || (order === 0 && !(inclusiveStart && inclusiveEnd))
        ? ranges.upperBound(Number.NEGATIVE_INFINITY, true)
        : ranges.bound(low, high, !inclusiveStart, !inclusiveEnd)
    return answered(ask(isPrimary ? store : store.index(fields.join()), range))
  }
}

function keysOf(keys: readonly unknown[]): unknown[] {
  return keys
    .slice(1)
    .map((key) => (key === INDEX_MIN || key === undefined ? Number.NEGATIVE_INFINITY : key))
}

function primary<D>(id = 'id'): StringKeys<D> {
  if (!isField<D>(id)) throw new TypeError(id)
  return id
}

function isField<D>(name: string): name is StringKeys<D> {
  return name === 'id'
}

function keyOf(row: object): string {
  return String(Reflect.get(row, 'id'))
}

/** Rows were validated before they were written; a damaged one is treated as missing. */
function isRow<D>(row: unknown): row is RxDocumentData<D> {
  return typeof row === 'object' && row !== null && 'id' in row && '_rev' in row
}

function isBulk<D>(message: unknown): message is Changes<D> {
  return typeof message === 'object' && message !== null && 'events' in message
}

function answered<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('no answer'))
  })
}

/**
 * Resolves once the transaction is on disk; rejects with the reason of the abort. An ignored
 * rejection is not reported.
 */
function committed(transaction: IDBTransaction): Promise<void> {
  const done = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () =>
      reject(transaction.error ?? new DOMException('undone', 'AbortError'))
  })
  done.catch(() => undefined)
  return done
}
