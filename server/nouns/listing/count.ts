import { sql } from 'kysely'
import type { Db } from '../../db/tables.ts'
import { type Asked, inScope } from './browse.ts'
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
  const count = await countNow(db, asked, now)
  if (counts.size >= KEPT_ENTRIES) counts.clear()
  counts.set(key, { count, stamp, at: now.getTime() })
  return count
}

async function countNow(db: Db, asked: Asked, now: Date): Promise<number> {
  const shared = [inScope(asked, now), ...conditionsOf(asked, now)]
  const branches = branchesOf(asked).map((branch) => sql`(select 1 from listing l where ${sql.join([...shared, branch], sql` and `)} limit ${COUNT_MAX + 1})`)
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (select 1 from (${sql.join(branches, sql` union all `)}) as every limit ${COUNT_MAX + 1}) as counted`.execute(db)
  return rows[0]?.count ?? 0
}
