import { deepEqual, type RxCollection } from 'rxdb/plugins/core'
import { plain } from './plain.ts'

/** Documents per write transaction: waiting reads run in between [SYNC 3]. */
const BATCH = 50
/** Retries of an insert: another tab may insert the same id between our read and our write. */
const TRIES = 5

interface Turns {
  queue: Promise<unknown>
  writing: Promise<unknown>
}
const turns = new WeakMap<object, Turns>()

/** RxDB repeats a read that a write overtakes, after 20 ms: reads start between the batches. */
function turnsOf(documents: Pick<RxCollection, 'awaitBeforeReads'>): Turns {
  const known = turns.get(documents)
  if (known !== undefined) return known
  const made: Turns = { queue: Promise.resolve(), writing: Promise.resolve() }
  documents.awaitBeforeReads.add(() => made.writing)
  turns.set(documents, made)
  return made
}

/** A collection of RxDB, with writes that merge and are made one call after the other. */
export class StoredCollection<D extends { readonly id: string }> {
  readonly documents: RxCollection<D>
  readonly #pause: () => Promise<void>
  readonly #turns: Turns

  constructor(documents: RxCollection<D>, pause: () => Promise<void>) {
    this.documents = documents
    this.#pause = pause
    this.#turns = turnsOf(documents)
  }

  /** Writes documents that differ from the stored ones. */
  put(
    rows: readonly D[],
    merge: (stored: D, incoming: D) => D = (_, incoming) => incoming,
  ): Promise<void> {
    return this.#enqueue(rows, (batch) => this.#upsert(batch, merge, TRIES))
  }

  change(id: string, change: (document: D) => D | null): Promise<void> {
    return this.#enqueue([id], async () => {
      const document = await this.documents.findOne(id).exec()
      const stored = document && plain(document)
      const next = stored && change(stored)
      if (document === null || next === null || deepEqual(stored, next)) return
      await this.#write([document.incrementalModify((now) => change(now) ?? now)])
    })
  }

  remove(ids: readonly string[]): Promise<void> {
    return this.#enqueue(ids, async (batch) => {
      const stored = await this.documents.findByIds([...batch]).exec()
      await this.#write([...stored.values()].map((document) => document.incrementalRemove()))
    })
  }

  async #upsert(
    rows: readonly D[],
    merge: (stored: D, incoming: D) => D,
    tries: number,
  ): Promise<void> {
    const wanted = new Map(rows.map((row) => [row.id, row]))
    const stored = await this.documents.findByIds([...wanted.keys()]).exec()
    const updates = [...stored.values()].flatMap((document) => {
      const incoming = wanted.get(document.primary)
      wanted.delete(document.primary)
      const old = plain(document)
      return incoming === undefined || deepEqual(old, merge(old, incoming))
        ? []
        : document.incrementalModify((now) => ({ ...merge(now, incoming), _deleted: false }))
    })
    const inserting = this.documents.bulkInsert([...wanted.values()])
    await this.#write([inserting, ...updates])
    const late = (await inserting).error.flatMap(({ documentId }) => wanted.get(documentId) ?? [])
    if (late.length === 0) return
    if (tries === 0) throw new Error('The document keeps changing')
    await this.#upsert(late, merge, tries - 1)
  }

  async #write(writes: readonly Promise<unknown>[]): Promise<void> {
    const writing = Promise.all(writes)
    this.#turns.writing = writing.catch(() => undefined)
    await writing
  }

  #enqueue<T>(all: readonly T[], work: (batch: readonly T[]) => Promise<void>): Promise<void> {
    const done = this.#turns.queue.then(async () => {
      for (let from = 0; from < all.length; from += BATCH) {
        if (from > 0) await this.#pause()
        await work(all.slice(from, from + BATCH))
      }
    })
    this.#turns.queue = done.catch(() => undefined)
    return done
  }
}
