import { sql } from 'kysely'
import { partsOf } from '#schema/match'
import type { Db } from '../../db/tables.ts'
import { type Asked, inScope } from './browse.ts'
import { shelfOf, type Shelf } from './shelf.ts'
import { branchesOf, conditionsOf } from './where.ts'

/** Lists are counted so far and no further (API.md 1.3). */
export const COUNT_MAX = 10_000
const KEPT_MS = 15_000
const KEPT_ENTRIES = 2000

interface Counted {
  readonly count: number
  readonly stamp: number
  readonly at: number
}

/** Counts of one database by what was asked; a count stays good while no listing changes, and 15 s at most. */
const kept = new WeakMap<object, Map<string, Counted>>()

/**
 * How many listings match, at most `COUNT_MAX` + 1. `key` names what is asked (filter and scope);
 * `stamp` is that of the answer the count belongs to (`Moment`).
 */
export async function countOf(db: Db, asked: Asked, key: string, stamp: number, now: Date): Promise<number> {
  const counts = kept.get(db) ?? new Map<string, Counted>()
  kept.set(db, counts)
  const known = counts.get(key)
  if (known !== undefined && known.stamp === stamp && Math.abs(now.getTime() - known.at) < KEPT_MS) return known.count
  const count = await countNow(db, asked, stamp, now)
  if (counts.size >= KEPT_ENTRIES) counts.clear()
  counts.set(key, { count, stamp, at: now.getTime() })
  return count
}

async function countNow(db: Db, asked: Asked, stamp: number, now: Date): Promise<number> {
  const shelf = shelfOf(db)
  if (asked.scope !== 'public' || asked.filter.words.length > 0) return countInDatabase(db, asked, now)
  if (!shelf.filled) {
    // the first filling of a large market takes seconds: nobody waits for it
    shelf.refresh().catch(() => undefined)
    return countInDatabase(db, asked, now)
  }
  if (seen.get(shelf) !== stamp) {
    await shelf.refresh()
    seen.set(shelf, stamp)
  }
  return countOnShelf(shelf, asked, now)
}

/** The stamp that a shelf is known to have reached. */
const seen = new WeakMap<Shelf, number>()

function countOnShelf(shelf: Shelf, { filter, sellerId }: Asked, now: Date): number {
  let count = 0
  // here a part of a facet counts like any other
  const parts = partsOf(filter, now.getTime(), sellerId).map((part) => ({ ...part, facet: null }))
  shelf.sift(parts, now.getTime(), null, () => {
    count += 1
    return count <= COUNT_MAX
  })
  return count
}

async function countInDatabase(db: Db, asked: Asked, now: Date): Promise<number> {
  const shared = [inScope(asked, now), ...conditionsOf(asked, now)]
  const branches = branchesOf(asked).map((branch) => sql`(select 1 from listing l where ${sql.join([...shared, branch], sql` and `)} limit ${COUNT_MAX + 1})`)
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (select 1 from (${sql.join(branches, sql` union all `)}) as every limit ${COUNT_MAX + 1}) as counted`.execute(db)
  return rows[0]?.count ?? 0
}
