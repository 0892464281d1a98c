import { sql } from 'kysely'
import { partsOf } from '#schema/match'
import type { Db } from '../../db/tables.ts'
import { type Asked, inScope } from './browse.ts'
import { shelfOf, type Shelf, type Shelved } from './shelf.ts'
import { branchesOf, conditionsOf } from './where.ts'

/** Lists are counted so far and no further (API.md 1.3). */
export const COUNT_MAX = 10_000
/** So many the shelf lists itself; of more, an index soon finds a page. */
const FEW = 1000
const KEPT_MS = 15_000
const KEPT_ENTRIES = 1000

/** How many listings match, at most `COUNT_MAX` + 1, and which ones if they are few. */
export interface Survey {
  readonly count: number
  readonly few: readonly Shelved[] | null
  /** The state of the database that it was made at (`Moment`), and when. */
  readonly stamp: number
  readonly at: number
}

/** Surveys of one database by what was asked; one stays good while no listing changes, and 15 s at most. */
const kept = new WeakMap<Db, Map<string, Survey>>()

/** A survey that was made for the same question a moment ago, maybe outdated by `stamp`. */
export function knownSurvey(db: Db, asked: Asked, now: Date): Survey | null {
  const known = kept.get(db)?.get(keyOf(asked))
  return known !== undefined && Math.abs(now.getTime() - known.at) < KEPT_MS ? known : null
}

/** Looks anew, and remembers it. */
export async function survey(db: Db, asked: Asked, stamp: number, now: Date): Promise<Survey> {
  const shelf = asked.scope === 'public' && asked.filter.words.length === 0 ? await shelfAt(db, stamp) : null
  const found = shelf === null ? { count: await countInDatabase(db, asked, now), few: null } : onShelf(shelf, asked, now)
  const made: Survey = { ...found, stamp, at: now.getTime() }
  const surveys = kept.get(db) ?? new Map<string, Survey>()
  if (surveys.size >= KEPT_ENTRIES) surveys.clear()
  kept.set(db, surveys.set(keyOf(asked), made))
  return made
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

function onShelf(shelf: Shelf, { filter, sellerId }: Asked, now: Date): Pick<Survey, 'count' | 'few'> {
  const few: Shelved[] = []
  let count = 0
  // a list asks all parts of all rows: none is counted for a facet of its own
  const parts = partsOf(filter, now.getTime(), sellerId).map((part) => ({ ...part, facet: null }))
  shelf.sift(parts, now.getTime(), null, (at) => {
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
