import {
  combineLatest,
  defer,
  EMPTY,
  expand,
  from,
  map,
  startWith,
  takeLast,
  throttle,
  type Observable,
} from 'rxjs'
import type { RxCollection, RxDocument, RxQuery } from 'rxdb/plugins/core'
import type { CollectionName } from '#schema/disk/documents'
import { after, sleep, type SetTimer } from '../within.ts'
import { deepEqual, plain } from './rows.ts'

/** Per write transaction: waiting reads run in between [SYNC 3]. */
const BATCH = 50
/** Another tab may insert the same id between our read and our write. */
const TRIES = 5
const PAGE = 200
const PROJECTED_MS = 60

/** Its writes merge, and are made one call after the other. */
export class StoredCollection<D extends { readonly id: string }> {
  readonly name: CollectionName
  readonly documents: RxCollection<D>
  readonly #setTimer: SetTimer
  #last: Promise<unknown> = Promise.resolve()
  #writing: Promise<unknown> = Promise.resolve()

  constructor(name: CollectionName, documents: RxCollection<D>, setTimer: SetTimer) {
    this.name = name
    this.documents = documents
    this.#setTimer = setTimer
    // RxDB repeats a read that a write overtakes, after 20 ms: reads start between the batches.
    documents.awaitBeforeReads.add(() => this.#writing)
  }

  /** RxDB's types of queries do not follow a generic document. */
  find(query: object) {
    const documents: { find(query: object): RxQuery<D, RxDocument<D>[]> } = this.documents
    return documents.find(query)
  }

  /** Of all documents: read once in pages, then updated by changes. */
  projection<T>(project: (document: D) => T): Observable<ReadonlyMap<string, T>> {
    const pageAfter = (id: string) =>
      this.find({ selector: { id: { $gt: id } }, sort: [{ id: 'asc' }], limit: PAGE }).exec()
    return defer(() => {
      const table = new Map<string, T>()
      const changed = new Set<string>()
      const reading = from(pageAfter('')).pipe(
        expand((page) => {
          const last = page[PAGE - 1]
          return last ? pageAfter(last.primary) : EMPTY
        }),
        map((page) => {
          for (const document of page)
            if (!changed.has(document.primary))
              table.set(document.primary, project(plain(document)))
        }),
        takeLast(1),
      )
      const changes = this.documents.$.pipe(
        map(({ documentId, operation, documentData }) => {
          changed.add(documentId)
          if (operation === 'DELETE') table.delete(documentId)
          else table.set(documentId, project(documentData))
        }),
        startWith(undefined),
      )
      return combineLatest([reading, changes]).pipe(
        throttle(() => after(this.#setTimer, PROJECTED_MS), { leading: true, trailing: true }),
        map(() => table),
      )
    })
  }

  /** Only those that differ from the stored ones. */
  put(rows: readonly D[], merge?: (stored: D, incoming: D) => D) {
    const incoming = new Map(rows.map((row) => [row.id, row]))
    return this.#update([...incoming.keys()], (id, stored) => {
      const row = incoming.get(id) ?? null
      return row && stored && merge ? merge(stored, row) : row
    })
  }

  change(id: string, change: (document: D) => D | null) {
    return this.#update([id], (_id, stored) => stored && change(stored))
  }

  remove(ids: readonly string[]) {
    return this.#inBatches([...new Set(ids)], async (batch) => {
      const stored = await this.documents.findByIds(batch).exec()
      await this.#write([...stored.values()].map((document) => document.incrementalRemove()))
    })
  }

  /** `next` returns the new document of an id; null: it stays as it is. */
  #update(ids: readonly string[], next: (id: string, stored: D | null) => D | null) {
    const update = async (batch: string[], tries: number) => {
      if (tries === 0) throw new Error('The document keeps changing')
      const stored = await this.documents.findByIds(batch).exec()
      const updates = [...stored].flatMap(([id, document]) => {
        const old = plain(document)
        return deepEqual(old, next(id, old) ?? old)
          ? []
          : // Another tab may have changed or removed it meanwhile.
            document.incrementalModify((now) => {
              const { _deleted: isGone } = now
              const row = next(id, isGone ? null : now)
              return row ? { ...row, _deleted: false } : now
            })
      })
      const missing = batch.filter((id) => !stored.has(id))
      const inserting = this.documents.bulkInsert(missing.flatMap((id) => next(id, null) ?? []))
      await this.#write([inserting, ...updates])
      const late = (await inserting).error.map(({ documentId }) => documentId)
      if (late.length > 0) await update(late, tries - 1)
    }
    return this.#inBatches(ids, (batch) => update(batch, TRIES))
  }

  #inBatches(ids: readonly string[], work: (ids: string[]) => Promise<void>) {
    const done = this.#last.then(async () => {
      for (let from = 0; from < ids.length; from += BATCH) {
        if (from > 0) await sleep(this.#setTimer, 0)
        await work(ids.slice(from, from + BATCH))
      }
    })
    this.#last = done.catch(() => undefined)
    return done
  }

  async #write(writes: readonly Promise<unknown>[]) {
    const writing = Promise.all(writes)
    this.#writing = writing.catch(() => undefined)
    await writing
  }
}
