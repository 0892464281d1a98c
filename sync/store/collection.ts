import type { RxCollection, RxDocument, RxQuery } from 'rxdb/plugins/core'
import { sleep, type SetTimer } from '../within.ts'
import { deepEqual, plain } from './rows.ts'

/** Per write transaction: waiting reads run in between [SYNC 3]. */
const BATCH = 50
/** Another tab may insert the same id between our read and our write. */
const TRIES = 5

/** Of a collection: its writes are made one call after the other. */
export class WriteQueue {
  readonly #setTimer: SetTimer
  #last: Promise<unknown> = Promise.resolve()
  #writing: Promise<unknown> = Promise.resolve()

  constructor(documents: Pick<RxCollection, 'awaitBeforeReads'>, setTimer: SetTimer) {
    this.#setTimer = setTimer
    // RxDB repeats a read that a write overtakes, after 20 ms: reads start between the batches.
    documents.awaitBeforeReads.add(() => this.#writing)
  }

  inBatches(ids: readonly string[], work: (ids: string[]) => Promise<void>) {
    const done = this.#last.then(async () => {
      for (let from = 0; from < ids.length; from += BATCH) {
        if (from > 0) await sleep(this.#setTimer, 0)
        await work(ids.slice(from, from + BATCH))
      }
    })
    this.#last = done.catch(() => undefined)
    return done
  }

  /** Within `work`. */
  async write(writes: readonly Promise<unknown>[]) {
    const writing = Promise.all(writes)
    this.#writing = writing.catch(() => undefined)
    await writing
  }
}

/** Its writes merge. */
export class StoredCollection<D extends { readonly id: string }> {
  readonly documents: RxCollection<D>
  readonly #queue: WriteQueue

  constructor(documents: RxCollection<D>, queue: WriteQueue) {
    this.documents = documents
    this.#queue = queue
  }

  /** RxDB's types of queries do not follow a generic document. */
  find(query: object): RxQuery<D, RxDocument<D>[]> {
    const documents: { find(query: object): RxQuery<D, RxDocument<D>[]> } = this.documents
    return documents.find(query)
  }

  /** Only those that differ from the stored ones. */
  put(rows: readonly D[], merge?: (stored: D, incoming: D) => D) {
    const incoming = new Map(rows.map((row) => [row.id, row]))
    const next = (id: string, stored: D | null) => {
      const row = incoming.get(id) ?? null
      return row && stored && merge ? merge(stored, row) : row
    }
    return this.#queue.inBatches([...incoming.keys()], (ids) => this.#update(ids, next))
  }

  change(id: string, change: (document: D) => D | null) {
    const next = (_id: string, stored: D | null) => stored && change(stored)
    return this.#queue.inBatches([id], (ids) => this.#update(ids, next))
  }

  remove(ids: readonly string[]) {
    return this.#queue.inBatches([...new Set(ids)], async (batch) => {
      const stored = await this.documents.findByIds(batch).exec()
      await this.#queue.write([...stored.values()].map((document) => document.incrementalRemove()))
    })
  }

  /** `next` returns the new document of an id; null: it stays as it is. */
  async #update(ids: string[], next: (id: string, stored: D | null) => D | null, tries = TRIES) {
    if (tries === 0) throw new Error('The document keeps changing')
    const stored = await this.documents.findByIds(ids).exec()
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
    const missing = ids.filter((id) => !stored.has(id))
    const inserting = this.documents.bulkInsert(missing.flatMap((id) => next(id, null) ?? []))
    await this.#queue.write([inserting, ...updates])
    const late = (await inserting).error.map(({ documentId }) => documentId)
    if (late.length > 0) await this.#update(late, next, tries - 1)
  }
}
