import {
  deepEqual,
  getDefaultRevision,
  getDefaultRxDocumentMeta,
  type BulkWriteRow,
  type RxCollection,
  type RxDocumentData,
} from 'rxdb/plugins/core'
import { Subject, type Observable } from 'rxjs'
import type { IndexQuery } from '../noun.ts'
import { LruCache } from './lruCache.ts'
import { prepare } from './queries.ts'

export interface Change<D> {
  readonly id: string
  readonly before: D | null
  readonly now: D | null
}

/** Documents per write transaction: waiting reads run in between [SYNC 3]. */
const BATCH = 50
/** About 2 MB of listings: a list that grows while scrolling is not read again each time. */
const CACHED = 1000
/** Retries of a conflicting write: another tab may write between our read and our write. */
const TRIES = 5

/**
 * Uses RxDB's storage directly. Its documents and query cache restart a read at each write, so a
 * page would wait for a whole catch-up.
 */
export class Collection<D extends { readonly id: string }> {
  /** Of this tab and others. */
  readonly changes: Observable<readonly Change<D>[]>
  readonly #storage: RxCollection<D>['storageInstance']
  readonly #pause: () => Promise<void>
  readonly #cache = new LruCache<D>(CACHED)
  #queue: Promise<unknown> = Promise.resolve()

  constructor(collection: RxCollection<D>, pause: () => Promise<void>) {
    this.#storage = collection.storageInstance
    this.#pause = pause
    const changes = new Subject<readonly Change<D>[]>()
    this.changes = changes
    this.#storage.changeStream().subscribe({
      next: ({ events }) => {
        const all = events.map((event) => ({
          id: event.documentId,
          before: event.previousDocumentData ? plain<D>(event.previousDocumentData) : null,
          now: event.operation === 'DELETE' ? null : plain<D>(event.documentData),
        }))
        this.#cache.learn(all)
        changes.next(all)
      },
      complete: () => changes.complete(),
    })
  }

  async find(find: IndexQuery<D>): Promise<D[]> {
    const { documents } = await this.#storage.query(prepare(this.#storage.schema, find))
    return documents.map(plain)
  }

  async page(afterId: string | null, limit: number): Promise<D[]> {
    const { documents } = await this.#storage.query(
      prepare(this.#storage.schema, { index: [], limit, ...(afterId !== null && { afterId }) }),
    )
    return documents.map(plain)
  }

  async byIds(ids: readonly string[]): Promise<D[]> {
    return this.#cache.get(ids, async (missing) =>
      (await this.#storage.findDocumentsById(missing, false)).map(plain),
    )
  }

  async count(): Promise<number> {
    return (await this.#storage.count(prepare(this.#storage.schema, { index: [] }))).count
  }

  /** Returns the number of deleted rows. */
  async dropLowest(field: string, limit: number): Promise<number> {
    const { documents } = await this.#storage.query(
      prepare(this.#storage.schema, { index: [field], limit }),
    )
    await this.remove(documents.map(({ id }) => id))
    return documents.length
  }

  /** Writes documents that differ from the stored ones. Calls are serialized. */
  put(
    documents: readonly D[],
    merge: (stored: D, incoming: D) => D = (_, incoming) => incoming,
  ): Promise<void> {
    return this.#enqueue(documents, (batch) => {
      const wanted = new Map(batch.map((document) => [document.id, document]))
      return this.#update([...wanted.keys()], (id, stored) => {
        const incoming = wanted.get(id) ?? null
        return stored === null || incoming === null ? incoming : merge(stored, incoming)
      })
    })
  }

  change(id: string, change: (document: D) => D | null): Promise<void> {
    return this.#enqueue([id], (ids) =>
      this.#update(ids, (_, old) => (old === null ? null : change(old))),
    )
  }

  remove(ids: readonly string[]): Promise<void> {
    return this.#enqueue(ids, (batch) =>
      this.#update(batch, (_, old) => (old === null ? null : 'remove')),
    )
  }

  #enqueue<T>(all: readonly T[], work: (batch: readonly T[]) => Promise<void>): Promise<void> {
    const done = this.#queue.then(async () => {
      for (let from = 0; from < all.length; from += BATCH) {
        if (from > 0) await this.#pause()
        await work(all.slice(from, from + BATCH))
      }
    })
    this.#queue = done.catch(() => undefined)
    return done
  }

  async #update(
    ids: readonly string[],
    next: (id: string, old: D | null) => D | 'remove' | null,
    tries = TRIES,
  ): Promise<void> {
    const stored = new Map(
      (await this.#storage.findDocumentsById([...ids], true)).map((row) => [row.id, row]),
    )
    const rows = ids.flatMap((id): BulkWriteRow<D>[] => {
      const previous = stored.get(id)
      const old = previous === undefined || isDeleted(previous) ? null : plain(previous)
      const document = next(id, old)
      if (document === null || (old !== null && deepEqual(old, document))) return []
      if (document !== 'remove')
        return [{ document: row(document, false), ...(previous && { previous }) }]
      return old === null ? [] : [{ document: row(old, true), ...(previous && { previous }) }]
    })
    if (rows.length === 0) return
    const { error } = await this.#storage.bulkWrite(rows, 'yaar')
    if (error.length === 0) return
    if (tries === 0) throw new Error('The document keeps changing')
    await this.#update(
      error.map(({ documentId }) => documentId),
      next,
      tries - 1,
    )
  }
}

const OWN_FIELDS = ['_deleted', '_rev', '_meta', '_attachments'] as const

function plain<D>(stored: RxDocumentData<D>): D {
  const document = { ...stored }
  for (const field of OWN_FIELDS) Reflect.deleteProperty(document, field)
  return document
}

function row<D>(document: D, deleted: boolean) {
  return {
    ...document,
    _deleted: deleted,
    _attachments: {},
    _meta: getDefaultRxDocumentMeta(),
    _rev: getDefaultRevision(),
  }
}

function isDeleted({ _deleted: deleted }: { readonly _deleted: boolean }): boolean {
  return deleted
}
