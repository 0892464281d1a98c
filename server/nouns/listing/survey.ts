import { sql } from 'kysely'
import type { Filter, Ordering } from '#schema/filter'
import { partsOf } from '#schema/match'
import type { Db } from '../../db/tables.ts'
import { type Asked, inScope } from './browse.ts'
import { searchQuery, type Where } from './derive.ts'
import { newestFirst, type Order, shelfOrder } from './order.ts'
import { shelfOf, type Shelf, type Shelved } from './shelf.ts'
import { branchesOf, conditionsOf } from './where.ts'

/** Lists are counted so far and no further (API.md 1.3). */
export const COUNT_MAX = 10_000
/** So many the shelf lists itself; of more, an index soon finds a page. */
const FEW = 5000
const KEPT_MS = 30_000
const KEPT_ENTRIES = 400

/** How many listings match, at most `COUNT_MAX` + 1, and which ones if they are few, by the orders they were asked in. */
export interface Survey {
  readonly count: number
  readonly few: readonly Shelved[] | null
  /** Of a search: those with every word in title, brand or model, newest first; null when they are many. */
  readonly titled: readonly Shelved[] | null
  readonly sorted: Map<Ordering, readonly Shelved[]>
  /** The state of the database that it was made at (`Moment`), and when. */
  readonly stamp: number
  readonly at: number
}

/** Surveys of one database by what was asked; one stays good while no listing changes, and 30 s at most. */
const kept = new WeakMap<Db, Map<string, Survey>>()

/** A survey that was made for the same question a moment ago, maybe outdated by `stamp`. */
export function knownSurvey(db: Db, asked: Asked, now: Date): Survey | null {
  const known = kept.get(db)?.get(keyOf(asked))
  return known !== undefined && Math.abs(now.getTime() - known.at) < KEPT_MS ? known : null
}

/** Looks anew, and remembers it. */
export async function survey(db: Db, asked: Asked, stamp: number, now: Date): Promise<Survey> {
  const shelf = asked.scope === 'public' ? await shelfAt(db, stamp) : null
  const made: Survey = { ...(await look(db, shelf, asked, now)), sorted: new Map(), stamp, at: now.getTime() }
  const surveys = kept.get(db) ?? new Map<string, Survey>()
  if (surveys.size >= KEPT_ENTRIES) surveys.clear()
  kept.set(db, surveys.set(keyOf(asked), made))
  return made
}

type Seen = Pick<Survey, 'count' | 'few' | 'titled'>

async function look(db: Db, shelf: Shelf | null, asked: Asked, now: Date): Promise<Seen> {
  if (shelf === null) return { count: await countInDatabase(db, asked, now), few: null, titled: null }
  if (asked.filter.words.length === 0) return { ...onShelf(shelf, asked, null, now), titled: null }
  const found = await numsFound(db, asked, 'anywhere')
  const titles = await numsFound(db, asked, 'title')
  const titled = titles === null ? null : (onShelf(shelf, asked, titles, now).few ?? []).toSorted(newestFirst)
  if (found !== null && titled !== null) return { ...onShelf(shelf, asked, found, now), titled }
  return { count: await countInDatabase(db, asked, now), few: null, titled }
}

/**
 * What a search finds, in no order and up to `FEW`; null when there is more. Asked for an order, the database might walk
 * through all listings for rows that it wrongly believes to be everywhere.
 */
async function numsFound(db: Db, { filter }: Asked, where: Where): Promise<number[] | null> {
  const { rows } = await sql<{ nums: string | null; count: number }>`
    select string_agg(num::text, ',') as nums, count(*)::integer as count from (
      select l.num from listing l where l.listed and l.search @@ ${searchQuery(filter.words, [filter.categories, filter.regions], where)}::tsquery limit ${FEW + 1}
    ) as found`.execute(db)
  const { nums = null, count = 0 } = rows[0] ?? {}
  if (count > FEW) return null
  return nums === null ? [] : nums.split(',').map(Number)
}

/** The few in an order, sorted once; null when they are many, or the order asks for what the shelf does not know. */
export function fewIn({ few, titled, sorted }: Survey, order: Order, filter: Filter): readonly Shelved[] | null {
  const known = sorted.get(order.ordering)
  if (known !== undefined || few === null) return known ?? null
  const compare = shelfOrder(order, filter)
  const made = order.ordering === 'relevance' && titled !== null ? byRelevance(few, titled) : compare === null ? null : few.toSorted(compare)
  if (made === null) return null
  sorted.set(order.ordering, made)
  return made
}

function byRelevance(few: readonly Shelved[], titled: readonly Shelved[]): Shelved[] {
  const first = new Set(titled)
  return [...titled, ...few.filter((row) => !first.has(row)).toSorted(newestFirst)]
}

const keyOf = ({ scope, sellerId, filter }: Asked): string => JSON.stringify([scope, sellerId, { ...filter, ordering: null }])

const reached = new WeakMap<Shelf, number>()

/** The shelf, at least as new as `stamp`; null while it is filled for the first time, for which nobody waits. */
async function shelfAt(db: Db, stamp: number): Promise<Shelf | null> {
  const shelf = shelfOf(db)
  if (!shelf.filled) {
    shelf.refresh().catch(() => undefined)
    return null
  }
  if (reached.get(shelf) !== stamp) {
    await shelf.refresh()
    reached.set(shelf, stamp)
  }
  return shelf
}

function onShelf(shelf: Shelf, { filter, sellerId }: Asked, nums: readonly number[] | null, now: Date): Pick<Survey, 'count' | 'few'> {
  const few: Shelved[] = []
  let count = 0
  // a list asks all parts of all rows: none is counted for a facet of its own
  const parts = partsOf(filter, now.getTime(), sellerId).map((part) => ({ ...part, facet: null }))
  shelf.sift(parts, now.getTime(), nums, (at) => {
    const listing = shelf.listings[at]
    if (listing !== undefined && count < FEW) few.push(listing)
    count += 1
    return count <= COUNT_MAX
  })
  return { count, few: count <= FEW ? few : null }
}

async function countInDatabase(db: Db, asked: Asked, now: Date): Promise<number> {
  const shared = [inScope(asked, now), ...conditionsOf(asked, now)]
  const branches = branchesOf(asked).map((branch) => sql`(select 1 from listing l where ${sql.join([...shared, branch], sql` and `)} limit ${COUNT_MAX + 1})`)
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (select 1 from (${sql.join(branches, sql` union all `)}) as every limit ${COUNT_MAX + 1}) as counted`.execute(db)
  return rows[0]?.count ?? 0
}
