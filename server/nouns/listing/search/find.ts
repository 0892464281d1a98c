import { sql, type RawBuilder } from 'kysely'
import { AnswerCache } from '../../../answer-cache.ts'
import type { Db } from '../../../db/tables.ts'
import type { Page } from '../../../route/index.ts'
import { searchQuery, type SearchedText } from '../derive.ts'
import { sharesOf } from './frequencies.ts'
import { type Asked, filterOf, inScope, type Moment, momentColumns, NEVER } from './queries.ts'
import {
  behind,
  type Keyed,
  namesOf,
  orderByKeys,
  type Place,
  placeOf,
  pricesIn,
  selectKeys,
  type SortOrder,
  sortOrderOf,
} from './sort.ts'
import {
  branchesOf,
  conditionsOf,
  everyBranch,
  hasSpec,
  isLabel,
  type Near,
  placesAround,
} from './where.ts'

/** `from`: the last row of the previous page; null: the page number decides. */
export type PageRequest = Readonly<{
  order: SortOrder
  page: Page
  from: Place | null
}>

export type Found = Readonly<{
  ids: readonly string[]
  more: boolean
  /** null when the order is not seekable or the page is empty. */
  place: Place | null
  /** Number of all matches; null: finding the page did not count them. */
  count: Count | null
  moment: Moment
}>

/** Counts are exact up to this number [D106]. */
export const EXACT_MAX = 1000

export interface Count {
  readonly count: number
  /** false: `count` is a lower bound. */
  readonly exact: boolean
}

export const counted = (count: number): Count => ({
  count: Math.min(count, EXACT_MAX),
  exact: count <= EXACT_MAX,
})

export async function findPage(
  db: Db,
  asked: Asked,
  request: PageRequest,
  now: Date,
): Promise<Found> {
  const { order, page } = request
  const { rows, moment } = await rowsOf(db, asked, request, now)
  const shown = rows.slice(0, page.size)
  const last = shown.at(-1)
  const total = request.from === null ? (last?.total ?? null) : null
  return {
    ids: shown.map(({ id }) => id),
    more: rows.length > page.size,
    place: last === undefined ? null : placeOf(order, last),
    count: total === null ? null : counted(total),
    moment,
  }
}

/** `moment`: as the first statement read it. */
export interface Read {
  readonly rows: readonly Keyed[]
  readonly moment: Moment
}

/** The rows of a page, and one more if another page follows. */
export async function rowsOf(db: Db, asked: Asked, request: PageRequest, now: Date): Promise<Read> {
  const { searchWords, specs } = asked.filter
  if (asked.scope !== 'public' || (searchWords.length === 0 && !specs.some(isLabel)))
    return read(db, request.order, inOrder(asked, request, now))
  const expected = await expectedOf(db, asked, 'anywhere', now)
  return request.order.ordering === 'relevance' && isCommon(expected, request)
    ? byRelevance(db, asked, request, now)
    : searched(db, asked, request, 'anywhere', expected, now)
}

/** Listings with all words in title, brand or model, then the others: both newest first. */
async function byRelevance(db: Db, asked: Asked, request: PageRequest, now: Date) {
  const { offset, size, number } = request.page
  const order = sortOrderOf({ ...asked.filter, ordering: '-posted_at' })
  const part = async (text: SearchedText, offset: number, size: number) =>
    searched(
      db,
      asked,
      { order, from: null, page: { number, offset, size } },
      text,
      await expectedOf(db, asked, text, now),
      now,
    )
  const titled = await part('title', 0, offset + size)
  const shown = titled.rows.slice(offset)
  const missing = size - shown.length
  const rest =
    missing < 0 ? [] : (await part('rest', Math.max(0, offset - titled.rows.length), missing)).rows
  return { rows: uncounted([...shown, ...rest]), moment: titled.moment }
}

/** Removes totals that count only a part of the matches. */
const uncounted = (rows: readonly Keyed[]) => rows.map((row) => ({ ...row, total: null }))

const offsetOf = ({ page, from }: PageRequest) => (from === null ? page.offset : 0)
const reachOf = (request: PageRequest) => offsetOf(request) + request.page.size + 1

interface Expected {
  /** Rows in the categories and regions, with or without the words. */
  readonly scope: number
  readonly matches: number
}

async function expectedOf(db: Db, { filter }: Asked, text: SearchedText, now: Date) {
  // Labels have no statistics.
  if (filter.searchWords.length === 0) return { scope: 0, matches: Infinity }
  const { rows, words, categories, regions } = await sharesOf(db, filter, text, now)
  return {
    scope: rows * categories * regions,
    // An upper bound. A product of the shares would be too low: related words occur together.
    matches: rows * Math.min(words, categories, regions),
  }
}

/** Expected number of rows read in the list's order until a page is full. */
const toWalk = ({ scope, matches }: Expected, request: PageRequest) =>
  (reachOf(request) * scope) / Math.max(1, matches)

/** Whether a walk should read fewer rows than sorting all matches. */
const isCommon = (expected: Expected, request: PageRequest) =>
  request.order.ordering !== 'distance' && toWalk(expected, request) < expected.matches

/**
 * A walk reads WALK_FACTOR times the rows expected, then WALK_SHARE of the number of all matches;
 * each limit is WALK_MIN at least.
 */
const WALK_FACTOR = 8
const WALK_SHARE = 0.25
const WALK_MIN = 1000

async function searched(
  db: Db,
  asked: Asked,
  request: PageRequest,
  text: SearchedText,
  expected: Expected,
  now: Date,
) {
  const { order, page } = request
  if (isCommon(expected, request)) {
    const most = Math.max(WALK_MIN, Math.ceil(WALK_SHARE * expected.matches))
    const first = Math.max(WALK_MIN, Math.ceil(WALK_FACTOR * toWalk(expected, request)))
    const walked = await readWalk(
      db,
      request,
      walk(asked, request, text, Math.min(most, first), now),
    )
    if (walked !== null) return walked
    if (asked.filter.searchWords.length > 0) {
      const farther = await walkFarther(db, asked, request, text, most, now)
      const found = await readWalk(db, request, farther)
      if (found !== null) return found
    }
  }
  const all = merged([sorted(asked, request, text, now)], order, page.size + 1, offsetOf(request))
  return read(db, order, all)
}

/**
 * Prices depend on the category: a walk by price may read half the listings before the first car.
 * So only the categories usual for the words are walked; matches in all others are sorted.
 */
async function walkFarther(
  db: Db,
  asked: Asked,
  request: PageRequest,
  text: SearchedText,
  most: number,
  now: Date,
) {
  const isMixed = request.order.ordering.endsWith('price') && asked.filter.categories.length === 0
  const usual = isMixed ? await usualCategories(db, asked, now) : []
  if (usual.length === 0) return walk(asked, request, text, most, now)
  return [
    ...walk({ ...asked, among: usual }, request, text, most, now),
    sorted({ ...asked, elsewhere: usual }, request, text, now),
  ]
}

/** The least share of a sample of the matches that makes a category usual. */
const USUAL = 0.02
const USUAL_MAX = 6
const usuals = new AnswerCache<Db, Promise<readonly string[]>>(5 * 60_000, 500)

/** Categories of most matches; empty: too many, or none. Only the speed depends on them. */
function usualCategories(db: Db, asked: Asked, now: Date) {
  const words = asked.filter.searchWords.join(' ')
  return usuals.shared(db, words, now, async () => {
    const all = { ...asked, sellerId: null, filter: filterOf({ search: words }, now) }
    const some = await someOf(db, all, sql`l.category`, EXACT_MAX, now)
    const { rows } = await sql<{ category: string; share: number }>`
      select category, count(*)::float8 / sum(count(*)) over () as share from ${some} l
      group by category`.execute(db)
    const found = rows.filter(({ share }) => share >= USUAL).map(({ category }) => category)
    return found.length > USUAL_MAX ? [] : found
  })
}

/** null: the walk ended before it found a page and one row more. */
async function readWalk(db: Db, request: PageRequest, parts: readonly RawBuilder<unknown>[]) {
  const { order, page } = request
  const { rows, moment } = await read(db, order, merged(parts, order, reachOf(request), 0))
  const shown = uncounted(rows.slice(offsetOf(request)))
  const isGivenUp = rows.some(({ hit }) => hit === false)
  return isGivenUp || shown.length <= page.size ? null : { rows: shown, moment }
}

const unsearched = (asked: Asked) => ({
  ...asked,
  filter: {
    ...asked.filter,
    searchWords: [],
    specs: asked.filter.specs.filter((spec) => !isLabel(spec)),
  },
})

/**
 * Reads at most `most` rows in the list's order, and checks words and labels row by row without
 * their indexes. `hit` is false in the last row if the limit was reached: matches may follow.
 */
function walk(asked: Asked, request: PageRequest, text: SearchedText, most: number, now: Date) {
  const { order } = request
  const { searchWords, specs } = asked.filter
  const words = sql`l.search @@ ${searchQuery(searchWords, { text })}::tsquery`
  const checks = [
    ...(searchWords.length === 0 ? [] : [words]),
    ...specs.filter(isLabel).map(hasSpec),
  ]
  return alternatives(unsearched(asked), now, inRange(asked, request)).map(
    (conditions) => sql`(select ${namesOf(order)}, null::integer as total,
        hit and nth < ${most} as hit from (
      select *, row_number() over (order by ${orderByKeys(order)}) as nth from (
        select l.id, ${selectKeys(order)}, ${sql.join(checks, sql` and `)} as hit
        from listing l ${order.join}
        where ${conditions} order by ${orderByKeys(order)} limit ${most}) walked) numbered
      where hit or nth = ${most} order by ${orderByKeys(order)} limit ${reachOf(request)})`,
  )
}

/** Finds all matches by the indexes of words and labels, then sorts them. */
function sorted(asked: Asked, request: PageRequest, text: SearchedText, now: Date) {
  const { order } = request
  const conditions = [
    inScope(asked, now),
    ...conditionsOf(asked, now, text),
    everyBranch(asked),
    ...onward(request),
  ]
  return sql`(with found as materialized (
      select l.id, ${selectKeys(order)} from listing l ${order.join}
      where ${sql.join(conditions, sql` and `)})
    select ${namesOf(order)}, (select count(*) from found)::integer as total, true as hit
    from found order by ${orderByKeys(order)} limit ${reachOf(request)})`
}

/** Each alternative is read in the order of an index. */
function inOrder(asked: Asked, request: PageRequest, now: Date) {
  const { order, page } = request
  const { near } = asked.filter
  const conditions = alternatives(asked, now, inRange(asked, request))
  const parts = conditions.map((all) =>
    order.ordering === 'distance' && near !== null
      ? byPlace(near, request, all)
      : sql`(select l.id, ${selectKeys(order)} from listing l ${order.join}
          where ${all} order by ${orderByKeys(order)} limit ${reachOf(request)})`,
  )
  return merged(parts, order, page.size + 1, offsetOf(request))
}

/** Reads the newest of each place in the radius: listings of one place have the same distance. */
function byPlace(near: Near, request: PageRequest, conditions: RawBuilder<unknown>) {
  const { order } = request
  const around = placesAround(near)
  return sql`(select l.* from unnest(${around.map(({ lat }) => lat)}::float8[],
      ${around.map(({ lon }) => lon)}::float8[]) place(lat, lon)
    cross join lateral (select l.id, ${selectKeys(order)} from listing l
      where l.latitude = place.lat and l.longitude = place.lon and ${conditions}
      order by l.posted_at desc, l.id desc limit ${reachOf(request)}) l)`
}

const onward = ({ order, from }: PageRequest) => (from === null ? [] : [behind(order, from)])
const inRange = ({ filter }: Asked, request: PageRequest) => [
  ...pricesIn(request.order, filter),
  ...onward(request),
]

/** Disjoint conditions, whose union is what is asked for. */
function alternatives(
  asked: Asked,
  now: Date,
  more: readonly RawBuilder<unknown>[],
): RawBuilder<unknown>[] {
  const shared = [inScope(asked, now), ...conditionsOf(asked, now), ...more]
  return branchesOf(asked).map((branch) => sql.join([...shared, branch], sql` and `))
}

const merged = (
  parts: readonly RawBuilder<unknown>[],
  order: SortOrder,
  limit: number,
  offset: number,
) => sql`select * from (${sql.join(parts, sql` union all `)}) merged
  order by ${orderByKeys(order)} limit ${limit} offset ${offset}`

/** Reads rows and moment in one statement, so that both are of one snapshot. */
async function read(db: Db, order: SortOrder, keys: RawBuilder<unknown>) {
  const { rows } = await sql<Moment & (Keyed | { id: null })>`
    select moment.*, k.* from (select ${momentColumns}) moment left join (${keys}) k on true
    order by ${orderByKeys(order)}`.execute(db)
  const { position, commit } = rows[0] ?? NEVER
  return { rows: rows.filter((row) => row.id !== null), moment: { position, commit } }
}

/** If more of all listings have the words, reading rows costs less than the index of words. */
const COMMON_SHARE = 0.2

/** A subquery of at most `most` matches, in no order. `columns` name a listing `l`. */
export async function someOf(
  db: Db,
  asked: Asked,
  columns: RawBuilder<unknown>,
  most: number,
  now: Date,
): Promise<RawBuilder<unknown>> {
  const { searchWords } = asked.filter
  const isSearch = searchWords.length > 0
  const byRow = isSearch && (await sharesOf(db, asked.filter, 'anywhere', now)).words > COMMON_SHARE
  const checked = byRow ? [sql`(l.search @@ ${searchQuery(searchWords)}::tsquery) is true`] : []
  const set = byRow ? { ...asked, filter: { ...asked.filter, searchWords: [] } } : asked
  const parts = alternatives(set, now, checked).map(
    (conditions) => sql`(select ${columns} from listing l where ${conditions} limit ${most})`,
  )
  return sql`(select * from (${sql.join(parts, sql` union all `)}) every limit ${most})`
}
