import type { MangoQuery, RxCollection, RxDocument, RxQuery } from 'rxdb/plugins/core'
import { defer, finalize, from, Observable, switchMap } from 'rxjs'
import { within } from '../within.ts'
import { paced, type Clock } from './pace.ts'
import { plain } from './plain.ts'
import { queryOf } from './queries.ts'

/** Maximum delay of a status under a flood of writes. */
const QUIET_MS = 300
const REREAD_MS = 60
const TABLE_PAGE = 200

interface Watched {
  exec(): Promise<unknown>
}

/** The queries that are watched, so that a status is not sent before its rows. */
export class LiveQueries {
  readonly #clock: Clock
  readonly #watched = new Set<Promise<Watched>>()
  #begun = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  watch<D, A>(query: () => Promise<RxQuery<D, A>>): Observable<A> {
    return defer(() => {
      const asked = query()
      this.#begun++
      this.#watched.add(asked)
      return from(asked).pipe(
        switchMap(({ $ }) => $),
        finalize(() => this.#watched.delete(asked)),
      )
    })
  }

  /** Resolves when all have emitted what was written, or after a short timeout. */
  async quiet(): Promise<void> {
    await within((ms, what) => this.#clock.setTimer(ms, what), QUIET_MS, this.#settled()).catch(
      () => undefined,
    )
  }

  /** RxDB runs a query's reads in turn, so `exec` resolves after the emissions of earlier writes. */
  async #settled(): Promise<void> {
    const begun = this.#begun
    await Promise.allSettled([...this.#watched].map(async (asked) => (await asked).exec()))
    // An answer may ask for more.
    if (begun !== this.#begun) await this.#settled()
  }
}

function pageAfter<D>(id: string): MangoQuery<D> {
  return queryOf({ selector: { id: { $gt: id } }, sort: [{ id: 'asc' }], limit: TABLE_PAGE })
}

/** A projection of all documents: read once in pages, then updated by changes. */
export function liveTable<D extends { readonly id: string }, T>(
  documents: RxCollection<D>,
  project: (document: D) => T,
  clock: Clock,
): Observable<ReadonlyMap<string, T>> {
  return new Observable((reader) => {
    const table = new Map<string, T>()
    const touched = new Set<string>()
    const stop = new AbortController()
    let read = false
    const pace = paced(clock, REREAD_MS, () => reader.next(table))
    const changes = documents.$.subscribe(({ documentId, operation, documentData }) => {
      if (!read) touched.add(documentId)
      if (operation === 'DELETE') table.delete(documentId)
      else table.set(documentId, project(documentData))
      if (read) pace.poke()
    })
    const fill = async () => {
      let last: string | null = ''
      do {
        const page: RxDocument<D>[] = await documents.find(pageAfter(last)).exec()
        for (const document of page)
          if (!touched.has(document.primary)) table.set(document.primary, project(plain(document)))
        last = page.length < TABLE_PAGE ? null : (page.at(-1)?.primary ?? null)
      } while (last !== null && !stop.signal.aborted)
      read = true
      pace.poke()
    }
    fill().catch((error: unknown) => reader.error(error))
    return () => {
      stop.abort()
      pace.stop()
      changes.unsubscribe()
    }
  })
}
