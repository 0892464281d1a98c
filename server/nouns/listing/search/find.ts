import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../../db/tables.ts'
import type { Page } from '../../../route/index.ts'
import { searchQuery, type Where } from '../derive.ts'
import { estimate, type Estimate } from './frequencies.ts'
import { type Asked, inScope, type Moment, momentColumns } from './queries.ts'
import {
  behind,
  type Keyed,
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
  const isWhole = request.from === null && last?.total !== undefined
  return {
    ids: shown.map(({ id }) => id),
    more: rows.length > page.size,
    place: last === undefined ? null : placeOf(order, last),
    count: isWhole ? counted(last.total) : null,
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

const reachOf = ({ page, from }: PageRequest) => (from === null ? page.offset : 0) + page.size + 1

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
  if (isCommon(guess, request)) {
    const most = Math.max(WALK_MIN, Math.ceil(PATIENCE * guess.matches))
    const walked = await read(db, request.order, walk(asked, request, where, most, now))
    if (walked.rows.length > request.page.size) return walked
  }
  return read(db, request.order, sorted(asked, request, where, now))
}

const unworded = (asked: Asked): Asked => ({
  ...asked,
  filter: { ...asked.filter, searchWords: [] },
})

/** In the list's order, with the words checked row by row: an index of words is never used. */
function walk(asked: Asked, request: PageRequest, where: Where, most: number, now: Date) {
  const { order } = request
  const words = sql`l.search @@ ${searchQuery(asked.filter.searchWords, [], where)}::tsquery`
  return pickedFrom(
    alternatives(unworded(asked), now, 'anywhere', pricesIn(order, asked.filter)),
    request,
    (conditions) => sql`(select * from (
      select l.id, ${selectKeys(order)}, ${words} as hit from listing l ${order.join}
      where ${conditions} order by ${orderByKeys(order)} limit ${most}) walked
      where hit order by ${orderByKeys(order)} limit ${reachOf(request)})`,
  )
}

/** All matches by the index of words, then sorted. */
function sorted(asked: Asked, request: PageRequest, where: Where, now: Date) {
  const { order } = request
  const [conditions = []] = alternatives(asked, now, where)
  return pickedFrom(
    [conditions],
    request,
    (all) => sql`(with found as materialized (
      select l.id, ${selectKeys(order)} from listing l ${order.join} where ${all})
      select *, (select count(*) from found)::integer as total from found)`,
  )
}

/** Each alternative is read in the order of an index. */
function inOrder(asked: Asked, request: PageRequest, now: Date) {
  const { order } = request
  const { near } = asked.filter
  if (order.ordering === 'distance' && near !== null) return byPlace(asked, near, request, now)
  return pickedFrom(
    alternatives(asked, now, 'anywhere', pricesIn(order, asked.filter)),
    request,
    (conditions) => sql`(select l.id, ${selectKeys(order)} from listing l ${order.join}
      where ${conditions} order by ${orderByKeys(order)} limit ${reachOf(request)})`,
  )
}

/** The newest of each place around: distances are those of places. */
function byPlace(asked: Asked, near: Near, request: PageRequest, now: Date) {
  const { order } = request
  const around = placesAround(near)
  return pickedFrom(
    alternatives(asked, now),
    request,
    (conditions) => sql`(select l.* from unnest(${around.map(({ lat }) => lat)}::float8[],
      ${around.map(({ lon }) => lon)}::float8[]) place(lat, lon)
      cross join lateral (select l.id, ${selectKeys(order)} from listing l
        where l.latitude = place.lat and l.longitude = place.lon and ${conditions}
        order by ${orderByKeys(order)} limit ${reachOf(request)}) l)`,
  )
}

/** Disjoint: their union is what is asked for. */
function alternatives(
  asked: Asked,
  now: Date,
  where: Where = 'anywhere',
  more: readonly RawBuilder<unknown>[] = [],
) {
  const shared = [inScope(asked, now), ...conditionsOf(asked, now, where), ...more]
  return branchesOf(asked).map((branch) => [...shared, branch])
}

function pickedFrom(
  branches: readonly (readonly RawBuilder<unknown>[])[],
  { order, page, from }: PageRequest,
  select: (conditions: RawBuilder<unknown>) => RawBuilder<unknown>,
) {
  const onward = from === null ? [] : [behind(order, from)]
  const parts = branches.map((branch) => select(sql.join([...branch, ...onward], sql` and `)))
  return sql`select * from (${sql.join(parts, sql` union all `)}) merged
    order by ${orderByKeys(order)} limit ${page.size + 1} offset ${from === null ? page.offset : 0}`
}

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
  const parts = alternatives(byRow ? unworded(asked) : asked, now).map(
    (conditions) => sql`(select ${columns} from listing l
      where ${sql.join([...conditions, ...checked], sql` and `)} limit ${most})`,
  )
  return sql`(select * from (${sql.join(parts, sql` union all `)}) every limit ${most})`
}
