import { Observable } from 'rxjs'
import type { IndexQuery } from '../noun.ts'
import type { PendingReads } from './pendingReads.ts'
import { paced, type Clock } from './pace.ts'
import { inRange } from './queries.ts'
import type { Change, Collection } from './collection.ts'

/** Minimum interval of reads of a list under a flood of writes. */
const REREAD_MS = 60
const TABLE_PAGE = 200

/** Documents by id, updated by changes: read from disk only once. */
export function liveIds<D extends { readonly id: string }>(
  handle: Collection<D>,
  ids: readonly string[],
): Observable<readonly D[]> {
  const wanted = new Set(ids)
  return new Observable((reader) => {
    const rows = new Map<string, D | null>()
    let read = false
    const emit = () => reader.next(ids.flatMap((id) => rows.get(id) ?? []))
    const changes = handle.changes.subscribe((all) => {
      const mine = all.filter(({ id }) => wanted.has(id))
      for (const { id, now } of mine) rows.set(id, now)
      if (read && mine.length > 0) emit()
    })
    handle.byIds(ids).then(
      (found) => {
        // Changes during the read are newer than its result.
        for (const row of found) if (!rows.has(row.id)) rows.set(row.id, row)
        read = true
        emit()
      },
      (error: unknown) => reader.error(error),
    )
    return () => changes.unsubscribe()
  })
}

/** An index range, read again when a changed document was or is in it. */
export function liveRange<D extends { readonly id: string }>(
  handle: Collection<D>,
  find: IndexQuery<D>,
  clock: Clock,
  pending: PendingReads,
): Observable<readonly D[]> {
  const touches = ({ before, now }: Change<D>) =>
    (before !== null && inRange(find, before)) || (now !== null && inRange(find, now))
  return new Observable((reader) => {
    let reading = false
    let again = false
    let shown = () => {}
    const read = () => {
      again = reading
      if (reading) return
      reading = true
      handle.find(find).then(
        (rows) => {
          reading = false
          reader.next(rows)
          if (again) pace.poke()
          else shown()
        },
        (error: unknown) => reader.error(error),
      )
    }
    const pace = paced(clock, REREAD_MS, read)
    const changes = handle.changes.subscribe((all) => {
      if (!all.some(touches)) return
      shown()
      shown = pending.begin()
      pace.poke()
    })
    read()
    return () => {
      pace.stop()
      changes.unsubscribe()
      shown()
    }
  })
}

/** A projection of all documents: read once in pages, then updated by changes. */
export function liveTable<D extends { readonly id: string }, T>(
  handle: Collection<D>,
  project: (document: D) => T,
  clock: Clock,
): Observable<ReadonlyMap<string, T>> {
  return new Observable((reader) => {
    const table = new Map<string, T>()
    const touched = new Set<string>()
    const stop = new AbortController()
    let read = false
    const pace = paced(clock, REREAD_MS, () => reader.next(table))
    const changes = handle.changes.subscribe((all) => {
      for (const { id, now } of all) {
        if (!read) touched.add(id)
        if (now === null) table.delete(id)
        else table.set(id, project(now))
      }
      if (read) pace.poke()
    })
    const fill = async () => {
      let last: string | null = null
      do {
        const rows: D[] = await handle.page(last, TABLE_PAGE)
        for (const row of rows) if (!touched.has(row.id)) table.set(row.id, project(row))
        last = rows.length < TABLE_PAGE ? null : (rows.at(-1)?.id ?? null)
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
