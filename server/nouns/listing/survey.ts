import { sql } from 'kysely'
import type { Filter } from '#schema/filter'
import { filterPartsOf } from '#schema/match'
import type { Db } from '../../db/tables.ts'
import { type Asked, inScope } from './browse.ts'
import { newestFirst, type SortOrder, indexOrder } from './sort.ts'
import { listingIndexOf, type ListingIndex, type IndexedListing } from './listingIndex.ts'
import { branchesOf, conditionsOf } from './where.ts'

/** Lists are counted so far and no further [API 1.3]. */
export const COUNT_MAX = 10_000
/** Of more without words an index soon finds a page; of a search it may have to read everything. */
const FEW = 5000
/** So many of the first are put in order at least: the next pages of the same list. */
const SORTED = 200
const KEPT_MS = 30_000
const KEPT_ENTRIES = 400

/** How many listings match, at most `COUNT_MAX` + 1, and those that come first. */
export interface Survey {
  readonly count: number
  /** In the order asked; null where the database has to say. */
  readonly first: readonly IndexedListing[] | null
  /** Then the ids of all, where it is easier to order those than to look for them. */
  readonly among: readonly string[] | null
  /** Whether `first` are all. */
  readonly complete: boolean
  /** The state of the database that it was made at (`Moment`), and when. */
  readonly stamp: number
  readonly at: number
}

/** Surveys of one database by what was asked; one stays good while no listing changes, and 30 s at most. */
const kept = new WeakMap<Db, Map<string, Survey>>()

/** A survey that was made for the same question a moment ago and reaches as far, maybe outdated by `stamp`. */
export function knownSurvey(db: Db, asked: Asked, reach: number, now: Date): Survey | null {
  const known = kept.get(db)?.get(keyOf(asked))
  if (known === undefined || Math.abs(now.getTime() - known.at) >= KEPT_MS) return null
  return known.first === null || known.complete || reach < known.first.length ? known : null
}

/** Looks anew, and remembers it; `reach`: how many of the first are wanted. */
export async function survey(
  db: Db,
  asked: Asked,
  order: SortOrder,
  reach: number,
  stamp: number,
  now: Date,
): Promise<Survey> {
  const index = asked.scope === 'public' ? await indexAt(db, stamp) : null
  const sorted = Math.max(SORTED, Math.min(2 * reach, COUNT_MAX + 1))
  const seen =
    index === null
      ? { count: await countInDatabase(db, asked, now), first: null, among: null, complete: false }
      : surveyIndex(index, asked, order, sorted, now)
  const made: Survey = { ...seen, stamp, at: now.getTime() }
  const surveys = kept.get(db) ?? new Map<string, Survey>()
  if (surveys.size >= KEPT_ENTRIES) surveys.clear()
  kept.set(db, surveys.set(keyOf(asked), made))
  return made
}

const keyOf = ({ scope, sellerId, filter }: Asked): string =>
  JSON.stringify([scope, sellerId, filter])

const reached = new WeakMap<ListingIndex, number>()

/** The index, at least as new as `stamp`; null while it is filled for the first time, for which nobody waits. */
async function indexAt(db: Db, stamp: number): Promise<ListingIndex | null> {
  const index = listingIndexOf(db)
  if (!index.filled) {
    index.refresh().catch(() => undefined)
    return null
  }
  if ((reached.get(index) ?? -1) < stamp) {
    await index.refresh()
    reached.set(index, Math.max(stamp, reached.get(index) ?? -1))
  }
  return index
}

function surveyIndex(
  index: ListingIndex,
  { filter, sellerId }: Asked,
  order: SortOrder,
  reach: number,
  now: Date,
): Pick<Survey, 'count' | 'first' | 'among' | 'complete'> {
  // a list asks all parts of all rows: none is counted for a facet of its own
  const parts = filterPartsOf(filter, now.getTime(), sellerId).map((part) => ({
    ...part,
    facet: null,
  }))
  const matching = (
    places: readonly number[] | null,
    most = Number.POSITIVE_INFINITY,
  ): number[] => {
    const held: number[] = []
    index.sift(parts, now.getTime(), places, (place) => held.push(place) < most)
    return held
  }
  const found = filter.searchWords.length > 0 ? index.find(filter.searchWords) : null
  const titled = found === null ? [] : matching(found.titled)
  const rest = found === null ? matching(null, COUNT_MAX + 1) : matching(found.rest)
  const count = titled.length + rest.length
  const first =
    found !== null || count <= FEW ? firstIn(index, titled, rest, order, filter, reach) : null
  const rowsAt = (places: readonly number[]) => places.flatMap((place) => index.at(place) ?? [])
  return {
    count: Math.min(count, COUNT_MAX + 1),
    first: first === null ? null : rowsAt(first),
    // who walks through all for a page of 20 meets one of them every size / count rows
    among:
      first === null && count <= FEW && count < (20 * index.size) / count
        ? rowsAt(titled.concat(rest)).map(({ id }) => id)
        : null,
    complete: first?.length === count,
  }
}

/** Places in order; null where it asks for what the index does not know. */
function firstIn(
  index: ListingIndex,
  titled: readonly number[],
  rest: readonly number[],
  order: SortOrder,
  filter: Filter,
  reach: number,
): number[] | null {
  if (order.ordering === 'relevance') {
    const before = firstOf(titled, newestFirst(index), reach)
    return [...before, ...firstOf(rest, newestFirst(index), reach - before.length)]
  }
  const compare = indexOrder(order, filter, index)
  return compare === null ? null : firstOf(titled.concat(rest), compare, reach)
}

/** The first `n` in an order; the others are only held against the last of those. */
function firstOf(
  places: readonly number[],
  compare: (a: number, b: number) => number,
  n: number,
): number[] {
  if (n <= 0) return []
  let best: number[] = []
  let bar: number | null = null
  // from behind, where the newest lie: most orders begin with them
  for (let at = places.length - 1; at >= 0; at -= 1) {
    const place = places[at] ?? 0
    if (bar !== null && compare(place, bar) > 0) continue
    best.push(place)
    if (best.length < 2 * n) continue
    best = best.toSorted(compare).slice(0, n)
    bar = best.at(-1) ?? null
  }
  return best.toSorted(compare).slice(0, n)
}

async function countInDatabase(db: Db, asked: Asked, now: Date): Promise<number> {
  const shared = [inScope(asked, now), ...conditionsOf(asked, now)]
  const branches = branchesOf(asked).map(
    (branch) =>
      sql`(select 1 from listing l where ${sql.join([...shared, branch], sql` and `)} limit ${COUNT_MAX + 1})`,
  )
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (select 1 from (${sql.join(branches, sql` union all `)}) as every limit ${COUNT_MAX + 1}) as counted`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
