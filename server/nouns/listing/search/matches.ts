import { sql } from 'kysely'
import type { Filter } from '#schema/filter'
import { countOf } from '../../../db/count.ts'
import type { Db } from '../../../db/tables.ts'
import { AnswerCache } from '../../../answer-cache.ts'
import { type Asked, inScope } from './queries.ts'
import { newestFirst, type SortOrder, indexOrder } from './sort.ts'
import { listingIndexOf, type ListingIndex, type IndexedListing } from './listingIndex.ts'
import { branchesOf, conditionsOf } from './where.ts'

/** Counts stop here [API 1.3]. */
export const COUNT_MAX = 10_000
/** Above, a database index finds a page quickly; only searches still use memory. */
const FEW = 5000
/** Rows sorted at least, for the next pages of the list. */
const SORTED = 200

/** `count`: at most `COUNT_MAX` + 1. */
export interface Matches {
  readonly count: number
  /** null when the database must sort. */
  readonly first: readonly IndexedListing[] | null
  /** All ids, when sorting those is cheaper than searching the table. */
  readonly among: readonly string[] | null
  readonly complete: boolean
  readonly stamp: number
}

/** Until a listing changes. */
const cache = new AnswerCache<Db, Matches>(30_000, 400)

/** If they reach far enough; `stamp` may be outdated. */
export function cachedMatches(db: Db, asked: Asked, reach: number, now: Date): Matches | null {
  const known = cache.get(db, keyOf(asked), now)
  if (known === undefined) return null
  return known.first === null || known.complete || reach < known.first.length ? known : null
}

/** `reach`: how many of the first rows are required. */
export async function findMatches(
  db: Db,
  asked: Asked,
  order: SortOrder,
  reach: number,
  stamp: number,
  now: Date,
): Promise<Matches> {
  const index = asked.scope === 'public' ? await indexAt(db, stamp) : null
  const sorted = Math.max(SORTED, Math.min(2 * reach, COUNT_MAX + 1))
  const seen =
    index === null
      ? { count: await countInDatabase(db, asked, now), first: null, among: null, complete: false }
      : matchesInIndex(index, asked, order, sorted, now)
  const made: Matches = { ...seen, stamp }
  cache.set(db, keyOf(asked), made, now)
  return made
}

const keyOf = ({ scope, sellerId, filter }: Asked) => JSON.stringify([scope, sellerId, filter])

const reached = new WeakMap<ListingIndex, number>()

/** At least as new as `stamp`; null during the first load, which no request waits for. */
async function indexAt(db: Db, stamp: number) {
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

function matchesInIndex(
  index: ListingIndex,
  asked: Asked,
  order: SortOrder,
  reach: number,
  now: Date,
): Omit<Matches, 'stamp'> {
  const { filter } = asked
  const matching = (places: readonly number[] | null, most = Number.POSITIVE_INFINITY) => {
    const held: number[] = []
    index.match(asked, now, places, (place) => held.push(place) < most)
    return held
  }
  const found = filter.searchWords.length > 0 ? index.find(filter.searchWords) : null
  const titled = found === null ? [] : matching(found.titled)
  const rest = found === null ? matching(null, COUNT_MAX + 1) : matching(found.rest)
  const count = titled.length + rest.length
  const few = found !== null || count <= FEW
  const first = few ? firstIn(index, titled, rest, order, filter, reach) : null
  const rowsAt = (places: readonly number[]) => places.flatMap((place) => index.at(place) ?? [])
  return {
    count: Math.min(count, COUNT_MAX + 1),
    first: first === null ? null : rowsAt(first),
    // In order, the table has a match every size / count rows; a page takes 20.
    among:
      first === null && count <= FEW && count < (20 * index.size) / count
        ? rowsAt(titled.concat(rest)).map(({ id }) => id)
        : null,
    complete: first?.length === count,
  }
}

/** null when the order uses data the index lacks. */
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

/** Without sorting the rest: it is only compared with the n-th so far. */
function firstOf(
  places: readonly number[],
  compare: (a: number, b: number) => number,
  n: number,
): number[] {
  if (n <= 0) return []
  let best: number[] = []
  let bar: number | null = null
  // From the end, where the newest are: most orders begin with them.
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

async function countInDatabase(db: Db, asked: Asked, now: Date) {
  const shared = [inScope(asked, now), ...conditionsOf(asked, now)]
  const branches = branchesOf(asked).map(
    (branch) =>
      sql`(select 1 from listing l where ${sql.join([...shared, branch], sql` and `)} limit ${COUNT_MAX + 1})`,
  )
  return countOf(
    db,
    sql`(select 1 from (${sql.join(branches, sql` union all `)}) as every
      limit ${COUNT_MAX + 1}) as counted`,
  )
}
