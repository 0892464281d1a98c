import type { ListDocument } from '#schema/disk/documents'
import type { ListUpdate } from '../../noun.ts'

/** The parts of a page that determine the list's order. */
export interface ListPage {
  readonly ids: readonly string[]
  readonly next: string | null
  readonly count: number | null
}

/**
 * Merges a refetched first page: rows after the last known one stay, so that a long list does not
 * shrink. Without a known row the list is replaced.
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

/** Appends a page, without rows that moved down since the last page. */
export function lengthened(known: ListDocument | null, page: ListPage): ListUpdate {
  const ids = [...new Set([...(known?.ids ?? []), ...page.ids])]
  return { ids, next: page.next, ...(page.count !== null && { count: page.count }) }
}

export interface Reading {
  readonly ids: readonly string[]
  /** Number of new rows above, since the reading began. */
  readonly waiting: number
}

/**
 * A stable reading of a list: order stays, new rows above wait, rows below are appended. `shown`
 * null, or without any remaining row, starts a new reading.
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
