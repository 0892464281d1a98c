import {
  categorizeBulkWriteRows,
  createRevision,
  INDEX_MIN,
  INTERNAL_STORAGE_NAME,
  RXDB_VERSION,
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
import type { Outside } from '../outside.ts'
import { Turns } from '../turns.ts'

type Changes<D> = EventBulk<RxStorageChangeEvent<RxDocumentData<D>>, null>

type Indexes = readonly (readonly string[])[]

export interface IdbEnvironment extends Pick<Outside, 'channel' | 'setTimer'> {
  readonly collections: Readonly<Record<string, { readonly indexes: Indexes }>>
  readonly factory: IDBFactory
  readonly ranges: typeof IDBKeyRange
}

/** A bug in a noun: its query would scan the collection. */
export class Unserved extends Error {
  override readonly name = 'Unserved'

  constructor(query: unknown) {
    super(`No index serves ${JSON.stringify(query)}`)
  }
}

/** RxDB's own storage opens a database per collection, uses cursors and adds 27 KB. */
export function idbStorage(environment: IdbEnvironment): RxStorage<object, object> {
  const open = new Map<string, { readonly connection: Promise<Connection>; users: number }>()
  return {
    name: 'idb',
    rxdbVersion: RXDB_VERSION,
    async createStorageInstance(params) {
      const name = params.databaseName
      const known = open.get(name) ?? { connection: connect(environment, name), users: 0 }
      known.users++
      open.set(name, known)
      const leave = async () => {
        if (--known.users > 0) return
        open.delete(name)
        await known.connection.then(({ close }) => close()).catch(() => undefined)
      }
      const connection = await known.connection.catch(async (error: unknown) => {
        await leave()
        throw error
      })
      return instanceOn(environment, params, connection, leave)
    },
  }
}

/** It makes each request when the one before is answered, else the transaction ends. */
type Work<T> = (rows: IDBObjectStore) => Promise<T>
type Connection = Awaited<ReturnType<typeof connect>>

/** Reads that wait for their turn share a transaction. */
async function connect(environment: IdbEnvironment, name: string) {
  const database = await openDatabase(environment, name)
  const turns = new Turns(environment.setTimer)
  const begin = (stores: readonly string[], mode: IDBTransactionMode) =>
    database.transaction([...stores], mode, { durability: 'relaxed' })
  let waiting = new Map<(rows: IDBObjectStore) => void, string>()
  let reading = Promise.resolve()
  const readAll = () => {
    const reads = waiting
    waiting = new Map()
    const transaction = begin([...new Set(reads.values())], 'readonly')
    for (const [run, store] of reads) run(transaction.objectStore(store))
    return committed(transaction)
  }
  return {
    read: <T>(store: string, work: Work<T>) =>
      new Promise<T>((resolve, reject) => {
        if (waiting.size === 0) reading = turns.take(async () => readAll())
        const run = async (rows: IDBObjectStore) => work(rows)
        waiting.set((rows) => void run(rows).then(resolve, reject), store)
        reading.catch(reject)
      }),
    write: <T>(store: string, work: Work<T>) =>
      turns.take(async () => {
        const transaction = begin([store], 'readwrite')
        const working = work(transaction.objectStore(store))
        const [result] = await Promise.all([working, committed(transaction)])
        return result
      }),
    close: () => database.close(),
  }
}

async function openDatabase({ factory, collections }: IdbEnvironment, name: string) {
  const request = factory.open(name, 1)
  request.onupgradeneeded = () => {
    // RxDB reads its own store only by id.
    const stores = { [INTERNAL_STORAGE_NAME]: { indexes: [] }, ...collections }
    for (const [store, { indexes }] of Object.entries(stores)) {
      const rows = request.result.createObjectStore(store, { keyPath: 'id' })
      // As RxDB plans with them; the order by id alone is the primary key.
      for (const fields of indexes) rows.createIndex([...fields, 'id'].join(), [...fields, 'id'])
    }
  }
  const database = await answered(request)
  // A newer version, or the user, deletes the database: this tab must not block that.
  database.onversionchange = () => database.close()
  return database
}

function instanceOn<D>(
  { factory, ranges, channel }: IdbEnvironment,
  { schema, options, databaseName, collectionName }: RxStorageInstanceCreationParams<D, object>,
  connection: Connection,
  leave: () => Promise<void>,
) {
  const changes = new Subject<Changes<D>>()
  const tabs = channel(`${databaseName} ${collectionName}`, (message) => {
    if (isBulk<D>(message)) changes.next(message)
  })

  const get = async (store: IDBObjectStore, ids: readonly string[]) => {
    const rows: unknown[] = await Promise.all(ids.map((id) => answered(store.get(id))))
    return rows.filter(isRow<D>)
  }

  /** Reads the range of a query. Its plan begins with `_deleted`, which no stored row is. */
  const read = <T>(
    { query, queryPlan }: PreparedQuery<D>,
    ask: (rows: IDBIndex | IDBObjectStore, range: IDBKeyRange) => IDBRequest<T>,
  ) => {
    if (!queryPlan.selectorSatisfiedByIndex) throw new Unserved(query)
    const { index, startKeys, endKeys, inclusiveStart, inclusiveEnd } = queryPlan
    const name = index.slice(1).join()
    const [low, high] = [startKeys, endKeys].map(([, ...keys]: readonly unknown[]) => {
      const bounds = keys.map((key) => (key === INDEX_MIN || key === undefined ? -Infinity : key))
      return name === 'id' ? bounds[0] : bounds
    })
    const order = factory.cmp(low, high)
    // IndexedDB refuses an empty range; no key is lower than negative infinity.
    const range =
      order > 0 || (order === 0 && !(inclusiveStart && inclusiveEnd))
        ? ranges.upperBound(-Infinity, true)
        : ranges.bound(low, high, !inclusiveStart, !inclusiveEnd)
    return connection.read(collectionName, (store) =>
      answered(ask(name === 'id' ? store : store.index(name), range)),
    )
  }

  let closing: Promise<void> | null = null
  const close = () => {
    changes.complete()
    tabs.close()
    return (closing ??= leave())
  }

  const instance: RxStorageInstance<D, object, object, null> = {
    databaseName,
    collectionName,
    schema,
    options,
    internals: {},
    async bulkWrite(rows, context) {
      const { errors, eventBulk } = await connection.write(collectionName, async (store) => {
        const ids = rows.map(({ document }) => keyOf(document))
        const known = new Map((await get(store, ids)).map((row) => [keyOf(row), row]))
        // Another tab removed the row meanwhile: a conflict, for RxDB with a deleted document.
        for (const { previous: row } of rows)
          if (row && !isGone(row) && !known.has(keyOf(row)))
            known.set(keyOf(row), { ...row, _deleted: true, _rev: createRevision('', row) })
        const result = categorizeBulkWriteRows<D>(instance, primary(), known, rows, context)
        for (const { document } of [...result.bulkInsertDocs, ...result.bulkUpdateDocs])
          if (isGone(document)) store.delete(keyOf(document))
          else store.put(document)
        return result
      })
      if (eventBulk.events.length > 0) {
        changes.next(eventBulk)
        tabs.post(eventBulk)
      }
      return { error: errors }
    },
    /** One request for neighbours takes a third of the time; behind many others, by id. */
    findDocumentsById: (ids) =>
      connection.read(collectionName, async (store) => {
        const sorted = ids.toSorted()
        const orders = [sorted, sorted.toReversed()]
        if (ids.length < 3 || !orders.some((order) => order.join() === ids.join()))
          return get(store, ids)
        const most = 2 * ids.length
        const span = ranges.bound(sorted[0], sorted.at(-1))
        const rows: unknown[] = await answered(store.getAll(span, most))
        const missing = new Set(ids)
        const found = rows.filter(isRow<D>).filter((row) => missing.delete(keyOf(row)))
        return rows.length < most ? found : [...found, ...(await get(store, [...missing]))]
      }),
    /** Filter and order come from the index: nothing is left to do. */
    async query(prepared) {
      const { query, queryPlan } = prepared
      const { limit, skip } = query
      if (!queryPlan.sortSatisfiedByIndex || skip > 0 || limit === 0) throw new Unserved(query)
      const found: unknown[] = await read(prepared, (rows, range) => rows.getAll(range, limit))
      return { documents: found.filter(isRow<D>) }
    },
    count: async (prepared) => ({
      count: await read(prepared, (rows, range) => rows.count(range)),
      mode: 'fast',
    }),
    changeStream: () => changes,
    getAttachmentData: () => Promise.reject(new Error('No attachments are kept here')),
    // Deleted rows leave no tombstones.
    cleanup: () => Promise.resolve(true),
    close,
    async remove() {
      await connection.write(collectionName, async (store) => store.clear())
      await close()
    },
  }
  return instance
}

function primary<D>(): StringKeys<D>
function primary() {
  return 'id'
}

function keyOf(row: object) {
  return String(Reflect.get(row, 'id'))
}

function isGone({ _deleted: gone }: { readonly _deleted: boolean }) {
  return gone
}

/** A damaged row is treated as missing. */
function isRow<D>(row: unknown): row is RxDocumentData<D> {
  return typeof row === 'object' && row !== null && 'id' in row && '_rev' in row
}

function isBulk<D>(message: unknown): message is Changes<D> {
  return typeof message === 'object' && message !== null && 'events' in message
}

function answered<T>(request: IDBRequest<T>) {
  return new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('no answer'))
  })
}

function committed(transaction: IDBTransaction) {
  return new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () =>
      reject(transaction.error ?? new DOMException('undone', 'AbortError'))
  })
}
