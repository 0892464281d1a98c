import { sql, type RawBuilder } from 'kysely'
import { AnswerCache } from '../../../answer-cache.ts'
import type { Db } from '../../../db/tables.ts'
import type { Page } from '../../../route/index.ts'
import { searchQuery, type Where } from '../derive.ts'
import { estimate, type Estimate } from './frequencies.ts'
import { type Asked, inScope, type Moment, momentColumns } from './queries.ts'
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
import { branchesOf, conditionsOf, type Near, placesAround } from './where.ts'

/** `from`: after the previous page; without it the page number decides. */
export interface PageRequest {
  readonly order: SortOrder
  readonly page: Page
  readonly from: Place | null
}

export interface Found {
  readonly ids: readonly string[]
  readonly more: boolean
  /** null when the order is not seekable or the page is empty. */
  readonly place: Place | null
  /** Where finding the page has counted them. */
  readonly count: Count | null
  readonly moment: Moment
}

/** Counts are exact up to this number [D106]. */
export const EXACT_MAX = 1000

export interface Count {
  readonly count: number
  /** false: at least so many. */
  readonly exact: boolean
}

export const counted = (count: number): Count => ({
  count: Math.min(count, EXACT_MAX),
  exact: count <= EXACT_MAX,
})

/** One page by SQL. */
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

/** `moment`: of the first statement. */
export interface Read {
  readonly rows: readonly Keyed[]
  readonly moment: Moment
}

/** A page and one row more. */
export async function rowsOf(db: Db, asked: Asked, request: PageRequest, now: Date): Promise<Read> {
  const { searchWords } = asked.filter
  if (searchWords.length === 0 || asked.scope !== 'public')
    return read(db, request.order, inOrder(asked, request, now))
  const guess = await estimate(db, asked, 'anywhere', now)
  if (request.order.ordering === 'relevance' && isCommon(guess, request))
    return byRelevance(db, asked, request, now)
  return searched(db, asked, request, 'anywhere', guess, now)
}

/** First those with all words in title, brand or model, then the others: each newest first. */
async function byRelevance(db: Db, asked: Asked, request: PageRequest, now: Date): Promise<Read> {
  const { offset, size, number } = request.page
  const order = sortOrderOf({ ...asked.filter, ordering: '-posted_at' })
  const upTo = { order, from: null, page: { number, offset: 0, size: offset + size } }
  const part = async (where: Where, page: PageRequest) =>
    searched(db, asked, page, where, await estimate(db, asked, where, now), now)
  const titled = await part('title', upTo)
  const shown = titled.rows.slice(offset)
  if (shown.length > size) return { rows: uncounted(shown), moment: titled.moment }
  const missing = {
    number,
    offset: Math.max(0, offset - titled.rows.length),
    size: size - shown.length,
  }
  const rest = await part('rest', { order, from: null, page: missing })
  return { rows: uncounted([...shown, ...rest.rows]), moment: titled.moment }
}

/** Their total is that of one part. */
const uncounted = (rows: readonly Keyed[]) => rows.map(({ total: _, ...row }) => row)

const offsetOf = ({ page, from }: PageRequest) => (from === null ? page.offset : 0)
const reachOf = (request: PageRequest) => offsetOf(request) + request.page.size + 1

/** Rows to walk in the list's order until a page is full. */
const toWalk = ({ scope, matches }: Estimate, request: PageRequest) =>
  Math.ceil((reachOf(request) * scope) / Math.max(1, matches))

/** Walking an order takes less than sorting all matches. */
const isCommon = (guess: Estimate, request: PageRequest) =>
  request.order.ordering !== 'distance' && toWalk(guess, request) < guess.matches

/** Of the cost of sorting all matches: a walk that takes more is given up for it. */
const PATIENCE = 0.25
const WALK_MIN = 500

async function searched(
  db: Db,
  asked: Asked,
  request: PageRequest,
  where: Where,
  guess: Estimate,
  now: Date,
): Promise<Read> {
  const { order, page } = request
  if (isCommon(guess, request)) {
    const most = Math.max(WALK_MIN, Math.ceil(PATIENCE * guess.matches))
    const usual = order.ordering.endsWith('price') ? await usualCategories(db, asked, now) : []
    const parts = [
      ...walk(among(asked, usual), request, where, most, now),
      ...(usual.length === 0 ? [] : [sorted({ ...asked, elsewhere: usual }, request, where, now)]),
    ]
    const walked = await read(db, order, merged(parts, order, reachOf(request), 0))
    const rows = walked.rows.slice(offsetOf(request))
    const isGivenUp = walked.rows.some(({ hit }) => hit === false)
    if (!isGivenUp && rows.length > page.size) return { ...walked, rows: uncounted(rows) }
  }
  const all = merged([sorted(asked, request, where, now)], order, page.size + 1, offsetOf(request))
  return read(db, order, all)
}

const unworded = (asked: Asked): Asked => ({
  ...asked,
  filter: { ...asked.filter, searchWords: [] },
})

const among = (asked: Asked, categories: readonly string[]): Asked =>
  categories.length === 0 ? asked : { ...asked, filter: { ...asked.filter, categories } }

/** Of a sample: a category with a smaller share is none of the usual ones. */
const USUAL = 0.02
const USUAL_MAX = 6
const usuals = new AnswerCache<Db, readonly string[]>(5 * 60_000, 500)

/**
 * Prices go with categories: without the usual ones of its words, a walk by price reads half the
 * market before the first car. Only a hint: what is elsewhere is sorted beside.
 */
async function usualCategories(db: Db, asked: Asked, now: Date): Promise<readonly string[]> {
  const { categories, searchWords } = asked.filter
  if (categories.length > 0) return []
  const key = JSON.stringify(searchWords)
  const known = usuals.get(db, key, now)
  if (known !== undefined) return known
  const some = await someOf(db, asked, sql`l.category`, EXACT_MAX, now)
  const { rows } = await sql<{ category: string; share: number }>`
    select category, count(*)::float8 / sum(count(*)) over () as share from ${some} l
    group by category order by 2 desc`.execute(db)
  const usual = rows.filter(({ share }) => share >= USUAL).map(({ category }) => category)
  const found = usual.length > USUAL_MAX ? [] : usual
  usuals.set(db, key, found, now)
  return found
}

/**
 * In the list's order, with the words checked row by row: an index of words is never used. Where a
 * part is given up, its last row is no hit: behind it there may be more.
 */
function walk(asked: Asked, request: PageRequest, where: Where, most: number, now: Date) {
  const { order } = request
  const words = sql`l.search @@ ${searchQuery(asked.filter.searchWords, { where })}::tsquery`
  return alternatives(unworded(asked), now, inRange(asked, request)).map(
    (conditions) => sql`(select ${namesOf(order)}, null::integer as total, hit from (
      select *, row_number() over (order by ${orderByKeys(order)}) as nth from (
        select l.id, ${selectKeys(order)}, ${words} as hit from listing l ${order.join}
        where ${conditions} order by ${orderByKeys(order)} limit ${most}) walked) numbered
      where hit or nth = ${most} order by ${orderByKeys(order)} limit ${reachOf(request)})`,
  )
}

/** All matches by the index of words, then sorted. */
function sorted(asked: Asked, request: PageRequest, where: Where, now: Date) {
  const { order } = request
  return sql`(with found as materialized (
      select l.id, ${selectKeys(order)} from listing l ${order.join}
      where ${alternatives(asked, now, onward(request), where)[0]})
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

/** The newest of each place around: distances are those of places. */
function byPlace(near: Near, request: PageRequest, conditions: RawBuilder<unknown>) {
  const { order } = request
  const around = placesAround(near)
  return sql`(select l.* from unnest(${around.map(({ lat }) => lat)}::float8[],
      ${around.map(({ lon }) => lon)}::float8[]) place(lat, lon)
    cross join lateral (select l.id, ${selectKeys(order)} from listing l
      where l.latitude = place.lat and l.longitude = place.lon and ${conditions}
      order by ${orderByKeys(order)} limit ${reachOf(request)}) l)`
}

const onward = ({ order, from }: PageRequest) => (from === null ? [] : [behind(order, from)])
const inRange = ({ filter }: Asked, request: PageRequest) => [
  ...pricesIn(request.order, filter),
  ...onward(request),
]

/** Disjoint: their union is what is asked for. */
function alternatives(
  asked: Asked,
  now: Date,
  more: readonly RawBuilder<unknown>[],
  where: Where = 'anywhere',
): RawBuilder<unknown>[] {
  const shared = [inScope(asked, now), ...conditionsOf(asked, now, where), ...more]
  return branchesOf(asked).map((branch) => sql.join([...shared, branch], sql` and `))
}

const merged = (
  parts: readonly RawBuilder<unknown>[],
  order: SortOrder,
  limit: number,
  offset: number,
) => sql`select * from (${sql.join(parts, sql` union all `)}) merged
  order by ${orderByKeys(order)} limit ${limit} offset ${offset}`

/** In one snapshot with the moment. */
async function read(db: Db, order: SortOrder, keys: RawBuilder<unknown>): Promise<Read> {
  const { rows } = await sql<Moment & (Keyed | { id: null })>`
    select moment.*, k.* from (select ${momentColumns}) moment left join (${keys}) k on true
    order by ${orderByKeys(order)}`.execute(db)
  const [{ position = '0-0', stamp = 0 } = {}] = rows
  return { rows: rows.filter((row) => row.id !== null), moment: { position, stamp } }
}

/** Above this share of the rows, reading them costs less than reading the index of words. */
const MOST_ROWS = 0.2

/** For `from`: so many matches at most, in no order, with the alias `l` for their columns. */
export async function someOf(
  db: Db,
  asked: Asked,
  columns: RawBuilder<unknown>,
  most: number,
  now: Date,
): Promise<RawBuilder<unknown>> {
  const { searchWords } = asked.filter
  const { scope, matches } = await estimate(db, asked, 'anywhere', now)
  const byRow = searchWords.length > 0 && matches > MOST_ROWS * scope
  const checked = byRow ? [sql`(l.search @@ ${searchQuery(searchWords)}::tsquery) is true`] : []
  const set = byRow ? unworded(asked) : asked
  const parts = alternatives(set, now, checked).map(
    (conditions) => sql`(select ${columns} from listing l where ${conditions} limit ${most})`,
  )
  return sql`(select * from (${sql.join(parts, sql` union all `)}) every limit ${most})`
}
