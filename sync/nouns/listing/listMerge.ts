import type { ListDocument } from '#schema/disk/documents'
import type { ListUpdate } from '../../noun.ts'

/** What of a page counts for the order of a list. */
export interface ListPage {
  readonly ids: readonly string[]
  readonly next: string | null
  readonly count: number | null
}

/**
 * The first page was read again: what is known behind its last known row stays, so that a list which was read far down
 * does not shrink; without a known row in it the list begins anew.
 */
export function refreshed(known: ListDocument | null, first: ListPage): ListUpdate {
  const before = known?.ids ?? []
  const overlap = before.indexOf(first.ids.findLast((id) => before.includes(id)) ?? '')
  const behind =
    overlap < 0 || first.next === null
      ? []
      : before.slice(overlap + 1).filter((id) => !first.ids.includes(id))
  return {
    ids: [...first.ids, ...behind],
    next: behind.length > 0 ? (known?.next ?? null) : first.next,
    count: first.count,
  }
}

/** A further page: rows that slid down since the last one come twice and count once. */
export function lengthened(known: ListDocument, leaf: ListPage): ListUpdate {
  const ids = [...known.ids, ...leaf.ids.filter((id) => !known.ids.includes(id))]
  return { ids, next: leaf.next, ...(leaf.count !== null && { count: leaf.count }) }
}

/** What of a list is on screen while it is read. */
export interface Reading {
  readonly ids: readonly string[]
  /** Rows that came in above since the reading began. */
  readonly waiting: number
}

/**
 * A list as it is being read: its order stays, rows that come in above wait, more are added below. `shown` is what was
 * shown before; null begins a reading, and so does a list in which nothing of it is left.
 */
export function readOn(
  shown: readonly string[] | null,
  list: readonly string[],
  limit: number,
): Reading {
  const last = shown?.findLast((id) => list.includes(id))
  if (shown === null || last === undefined) return { ids: list.slice(0, limit), waiting: 0 }
  const seen = new Set(shown)
  const end = list.indexOf(last)
  const below = list.slice(end + 1).filter((id) => !seen.has(id))
  return {
    ids: [...shown, ...below].slice(0, limit),
    waiting: list.slice(0, end).filter((id) => !seen.has(id)).length,
  }
}
