import type { RxCollection, RxDocument, RxQuery } from 'rxdb/plugins/core'
import {
  combineLatest,
  defer,
  finalize,
  from,
  map,
  startWith,
  switchMap,
  takeLast,
  throttle,
  type Observable,
} from 'rxjs'
import { after, within, type SetTimer } from '../within.ts'
import { plain, queryOf } from './rows.ts'

/** Maximum delay of a status under a flood of writes. */
const QUIET_MS = 300
const REREAD_MS = 60
const TABLE_PAGE = 200

/** So that a status is not sent before its rows. */
export class LiveQueries {
  readonly #watched = new Set<Promise<{ exec(): Promise<unknown> }>>()
  #begun = 0

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

  quiet(setTimer: SetTimer) {
    return within(setTimer, QUIET_MS, this.#settled()).catch(() => undefined)
  }

  /** RxDB runs a query's reads in turn, so `exec` resolves after the emissions of earlier writes. */
  async #settled() {
    const begun = this.#begun
    await Promise.allSettled([...this.#watched].map(async (asked) => (await asked).exec()))
    // An answer may ask for more.
    if (begun !== this.#begun) await this.#settled()
  }
}

async function* pagesOf<D>(documents: RxCollection<D>): AsyncGenerator<RxDocument<D>[]> {
  let last: string | undefined = ''
  do {
    const find = { selector: { id: { $gt: last } }, sort: [{ id: 'asc' }], limit: TABLE_PAGE }
    const page: RxDocument<D>[] = await documents.find(queryOf(find)).exec()
    yield page
    last = page[TABLE_PAGE - 1]?.primary
  } while (last !== undefined)
}

/** A projection of all documents: read once in pages, then updated by changes. */
export function liveTable<D, T>(
  documents: RxCollection<D>,
  project: (document: D) => T,
  setTimer: SetTimer,
): Observable<ReadonlyMap<string, T>> {
  return defer(() => {
    const table = new Map<string, T>()
    const changed = new Set<string>()
    const reading = from(pagesOf(documents)).pipe(
      map((page) => {
        for (const document of page)
          if (!changed.has(document.primary)) table.set(document.primary, project(plain(document)))
      }),
      takeLast(1),
    )
    const changes = documents.$.pipe(
      map(({ documentId, operation, documentData }) => {
        changed.add(documentId)
        if (operation === 'DELETE') table.delete(documentId)
        else table.set(documentId, project(documentData))
      }),
      startWith(undefined),
    )
    return combineLatest([reading, changes]).pipe(
      throttle(() => after(setTimer, REREAD_MS), { leading: true, trailing: true }),
      map(() => table),
    )
  })
}
