import type { RxDocument } from 'rxdb/plugins/core'
import {
  combineLatest,
  defer,
  from,
  map,
  startWith,
  takeLast,
  throttle,
  type Observable,
} from 'rxjs'
import { after, type SetTimer } from '../within.ts'
import type { StoredCollection } from './collection.ts'
import { plain } from './rows.ts'

const REREAD_MS = 60
const TABLE_PAGE = 200

async function* pagesOf<D extends { readonly id: string }>(
  stored: StoredCollection<D>,
): AsyncGenerator<RxDocument<D>[]> {
  let last: string | undefined = ''
  do {
    const find = { selector: { id: { $gt: last } }, sort: [{ id: 'asc' }], limit: TABLE_PAGE }
    const page: RxDocument<D>[] = await stored.find(find).exec()
    yield page
    last = page[TABLE_PAGE - 1]?.primary
  } while (last !== undefined)
}

/** A projection of all documents: read once in pages, then updated by changes. */
export function liveTable<D extends { readonly id: string }, T>(
  stored: StoredCollection<D>,
  project: (document: D) => T,
  setTimer: SetTimer,
): Observable<ReadonlyMap<string, T>> {
  return defer(() => {
    const table = new Map<string, T>()
    const changed = new Set<string>()
    const reading = from(pagesOf(stored)).pipe(
      map((page) => {
        for (const document of page)
          if (!changed.has(document.primary)) table.set(document.primary, project(plain(document)))
      }),
      takeLast(1),
    )
    const changes = stored.documents.$.pipe(
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
