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
import { Turns } from '../turns.ts'
import { answered, committed, opened } from './idb.ts'
import { servedWhole, Unserved } from './queries.ts'

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
      known.users--
      if (known.users > 0) return
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
    const { factory, stores } = this.#environment
    const database = await opened({
      factory,
      name,
      version: 1,
      upgrade(created) {
        for (const [store, indexes] of stores) {
          const rows = created.createObjectStore(store, { keyPath: 'id' })
          for (const fields of indexes) rows.createIndex(fields.join(), [...fields])
        }
      },
    })
    // A newer version, or the user, deletes the database: this tab must not block that.
    database.addEventListener('versionchange', () => database.close())
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
  readonly #turns = new Turns()
  #closing: Promise<void> | null = null

  constructor(
    environment: IdbEnvironment,
    params: Params<D>,
    database: IDBDatabase,
    leave: () => Promise<void>,
  ) {
    this.schema = params.schema
    this.options = params.options
    this.databaseName = params.databaseName
    this.collectionName = params.collectionName
    this.#environment = environment
    this.#database = database
    this.#leave = leave
    this.#channel = environment.channel(
      `${params.databaseName} ${params.collectionName}`,
      (message) => {
        if (isBulk<D>(message)) this.#changes.next(message)
      },
    )
  }

  bulkWrite(rows: BulkWriteRow<D>[], context: string) {
    return this.#turns.write(() => this.#write(rows, context))
  }

  async #write(rows: BulkWriteRow<D>[], context: string) {
    const store = this.#rows('readwrite')
    const done = committed(store.transaction)
    const here = await this.#get(
      store,
      rows.map(({ document }) => keyOf(document)),
    )
    const known = new Map(here.map((row) => [keyOf(row), row]))
    // Another tab removed the row meanwhile: a conflict, which RxDB expects with a deleted document.
    for (const { document, previous } of rows)
      if (previous !== undefined && !isGone(previous) && !known.has(keyOf(document)))
        known.set(keyOf(document), {
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
      if (isGone(document)) store.delete(keyOf(document))
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
    return this.#turns.read(() => this.#get(this.#rows('readonly'), ids))
  }

  async query(prepared: PreparedQuery<D>): Promise<{ documents: RxDocumentData<D>[] }> {
    if (!servedWhole(prepared)) throw new Unserved(prepared.query)
    const found = await this.#turns.read(async (): Promise<unknown[]> => {
      const source = this.#source(prepared)
      return source === null ? [] : answered(source.rows.getAll(source.range, prepared.query.limit))
    })
    return { documents: found.filter(isRow<D>) }
  }

  async count(prepared: PreparedQuery<D>) {
    if (!prepared.queryPlan.selectorSatisfiedByIndex) throw new Unserved(prepared.query)
    const count = await this.#turns.read(async () => {
      const source = this.#source(prepared)
      return source === null ? 0 : answered(source.rows.count(source.range))
    })
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
    this.#closing ??= this.#end()
    return this.#closing
  }

  async remove() {
    await this.#turns.write(() => {
      const store = this.#rows('readwrite')
      store.clear()
      return committed(store.transaction)
    })
    await this.close()
  }

  async #end() {
    this.#changes.complete()
    this.#channel.close()
    await this.#leave()
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
   * The index range of a query. Its plan starts with `_deleted`, which is skipped: stored rows are
   * never deleted ones.
   */
  #source(
    prepared: PreparedQuery<D>,
  ): { readonly rows: IDBIndex | IDBObjectStore; readonly range: IDBKeyRange } | null {
    const { index, startKeys, endKeys, inclusiveStart, inclusiveEnd } = prepared.queryPlan
    const fields = index.slice(1)
    const [from, to] = [startKeys, endKeys].map((keys) =>
      keys
        .slice(1)
        .map((key) => (key === INDEX_MIN || key === undefined ? Number.NEGATIVE_INFINITY : key)),
    )
    if (from === undefined || to === undefined) return null
    const order = this.#environment.factory.cmp(from, to)
    if (order > 0 || (order === 0 && !(inclusiveStart && inclusiveEnd))) return null
    const [low, high] = fields.length === 1 ? [from[0], to[0]] : [from, to]
    const range = this.#environment.ranges.bound(low, high, !inclusiveStart, !inclusiveEnd)
    const store = this.#rows('readonly')
    return {
      rows: fields.length === 1 && fields[0] === 'id' ? store : store.index(fields.join()),
      range,
    }
  }
}

function primary<D>(): StringKeys<D> {
  const id: string = 'id'
  if (!isField<D>(id)) throw new TypeError(id)
  return id
}

function isField<D>(name: string): name is StringKeys<D> {
  return name === 'id'
}

function keyOf(row: object): string {
  return String(Reflect.get(row, 'id'))
}

function isGone({ _deleted: gone }: { readonly _deleted: boolean }): boolean {
  return gone
}

/** Rows were validated before they were written; a damaged one is treated as missing. */
function isRow<D>(row: unknown): row is RxDocumentData<D> {
  return typeof row === 'object' && row !== null && 'id' in row && '_rev' in row
}

function isBulk<D>(message: unknown): message is Changes<D> {
  return (
    typeof message === 'object' &&
    message !== null &&
    'events' in message &&
    Array.isArray(message.events)
  )
}
