import { sql, type RawBuilder } from 'kysely'
import { AnswerCache } from '../../../answer-cache.ts'
import type { Db } from '../../../db/tables.ts'
import type { Page } from '../../../route/index.ts'
import { searchQuery, type Where } from '../derive.ts'
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
  const { searchWords, specs } = asked.filter
  if (asked.scope !== 'public' || (searchWords.length === 0 && !specs.some(isLabel)))
    return read(db, request.order, inOrder(asked, request, now))
  const expected = await expectedOf(db, asked, 'anywhere', now)
  return request.order.ordering === 'relevance' && isCommon(expected, request)
    ? byRelevance(db, asked, request, now)
    : searched(db, asked, request, 'anywhere', expected, now)
}

/** First those with all words in title, brand or model, then the others: each newest first. */
async function byRelevance(db: Db, asked: Asked, request: PageRequest, now: Date): Promise<Read> {
  const { offset, size, number } = request.page
  const order = sortOrderOf({ ...asked.filter, ordering: '-posted_at' })
  const part = async (where: Where, offset: number, size: number) =>
    searched(
      db,
      asked,
      { order, from: null, page: { number, offset, size } },
      where,
      await expectedOf(db, asked, where, now),
      now,
    )
  const titled = await part('title', 0, offset + size)
  const shown = titled.rows.slice(offset)
  const missing = size - shown.length
  const rest =
    missing < 0 ? [] : (await part('rest', Math.max(0, offset - titled.rows.length), missing)).rows
  return { rows: uncounted([...shown, ...rest]), moment: titled.moment }
}

/** Their total is that of one part. */
const uncounted = (rows: readonly Keyed[]) => rows.map((row) => ({ ...row, total: null }))

const offsetOf = ({ page, from }: PageRequest) => (from === null ? page.offset : 0)
const reachOf = (request: PageRequest) => offsetOf(request) + request.page.size + 1

interface Expected {
  /** Rows of the categories and regions. */
  readonly scope: number
  readonly matches: number
}

async function expectedOf(db: Db, { filter }: Asked, where: Where, now: Date): Promise<Expected> {
  // Of labels nothing is known.
  if (filter.searchWords.length === 0) return { scope: 0, matches: Number.POSITIVE_INFINITY }
  const { rows, words, categories, regions } = await sharesOf(db, filter, where, now)
  return {
    scope: rows * categories * regions,
    // At most: related words occur together.
    matches: rows * Math.min(words, categories, regions),
  }
}

/** Rows to walk in the list's order until a page is full. */
const toWalk = ({ scope, matches }: Expected, request: PageRequest) =>
  (reachOf(request) * scope) / Math.max(1, matches)

/** That takes less than sorting all matches. */
const isCommon = (expected: Expected, request: PageRequest) =>
  request.order.ordering !== 'distance' && toWalk(expected, request) < expected.matches

/** A walk is given up after so many times what was expected, or this share of all matches. */
const PATIENCE = 8
const SHARE = 0.25
const WALK_MIN = 1000

async function searched(
  db: Db,
  asked: Asked,
  request: PageRequest,
  where: Where,
  expected: Expected,
  now: Date,
): Promise<Read> {
  const { order, page } = request
  if (isCommon(expected, request)) {
    const most = Math.max(WALK_MIN, Math.ceil(SHARE * expected.matches))
    const first = Math.max(WALK_MIN, Math.ceil(PATIENCE * toWalk(expected, request)))
    const walked = await readWalk(
      db,
      request,
      walk(asked, request, where, Math.min(most, first), now),
    )
    if (walked !== null) return walked
    if (asked.filter.searchWords.length > 0) {
      const farther = await walkFarther(db, asked, request, where, most, now)
      const found = await readWalk(db, request, farther)
      if (found !== null) return found
    }
  }
  const all = merged([sorted(asked, request, where, now)], order, page.size + 1, offsetOf(request))
  return read(db, order, all)
}

/**
 * Prices go with categories, so that a walk by price reads half the market before the first car:
 * the usual categories of the words are walked, and what is elsewhere is sorted beside.
 */
async function walkFarther(
  db: Db,
  asked: Asked,
  request: PageRequest,
  where: Where,
  most: number,
  now: Date,
) {
  const isMixed = request.order.ordering.endsWith('price') && asked.filter.categories.length === 0
  const usual = isMixed ? await usualCategories(db, asked, now) : []
  if (usual.length === 0) return walk(asked, request, where, most, now)
  return [
    ...walk({ ...asked, among: usual }, request, where, most, now),
    sorted({ ...asked, elsewhere: usual }, request, where, now),
  ]
}

/** Of a sample: a category with a smaller share is none of the usual ones. */
const USUAL = 0.02
const USUAL_MAX = 6
const usuals = new AnswerCache<Db, readonly string[]>(5 * 60_000, 500)

/** Only a hint; empty: everywhere. */
async function usualCategories(db: Db, asked: Asked, now: Date): Promise<readonly string[]> {
  const words = asked.filter.searchWords.join(' ')
  const known = usuals.get(db, words, now)
  if (known !== undefined) return known
  const all = { ...asked, sellerId: null, filter: filterOf({ search: words }, now) }
  const some = await someOf(db, all, sql`l.category`, EXACT_MAX, now)
  const { rows } = await sql<{ category: string; share: number }>`
    select category, count(*)::float8 / sum(count(*)) over () as share from ${some} l
    group by category`.execute(db)
  const found = rows.filter(({ share }) => share >= USUAL).map(({ category }) => category)
  const usual = found.length > USUAL_MAX ? [] : found
  usuals.set(db, words, usual, now)
  return usual
}

/** null: a part was given up before the page was full. */
async function readWalk(db: Db, request: PageRequest, parts: readonly RawBuilder<unknown>[]) {
  const { order, page } = request
  const { rows, moment } = await read(db, order, merged(parts, order, reachOf(request), 0))
  const shown = uncounted(rows.slice(offsetOf(request)))
  const isGivenUp = rows.some(({ hit }) => hit === false)
  return isGivenUp || shown.length <= page.size ? null : { rows: shown, moment }
}

/** Without what the indexes of words and labels serve. */
const unsearched = (asked: Asked): Asked => ({
  ...asked,
  filter: {
    ...asked.filter,
    searchWords: [],
    specs: asked.filter.specs.filter((spec) => !isLabel(spec)),
  },
})

/**
 * In the list's order, with words and labels checked row by row: their indexes are never used. Where
 * a part is given up, its last row counts as no hit: behind it there may be more.
 */
function walk(asked: Asked, request: PageRequest, where: Where, most: number, now: Date) {
  const { order } = request
  const { searchWords, specs } = asked.filter
  const words = sql`l.search @@ ${searchQuery(searchWords, { where })}::tsquery`
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

/** All matches by the indexes of words and labels, then sorted. */
function sorted(asked: Asked, request: PageRequest, where: Where, now: Date) {
  const { order } = request
  const conditions = [
    inScope(asked, now),
    ...conditionsOf(asked, now, where),
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

/** The newest of each place around: distances are those of places. */
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

/** Disjoint: their union is what is asked for. */
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

/** In one snapshot with the moment. */
async function read(db: Db, order: SortOrder, keys: RawBuilder<unknown>): Promise<Read> {
  const { rows } = await sql<Moment & (Keyed | { id: null })>`
    select moment.*, k.* from (select ${momentColumns}) moment left join (${keys}) k on true
    order by ${orderByKeys(order)}`.execute(db)
  const { position, stamp } = rows[0] ?? NEVER
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
  const { words } = await sharesOf(db, asked.filter, 'anywhere', now)
  const byRow = searchWords.length > 0 && words > MOST_ROWS
  const checked = byRow ? [sql`(l.search @@ ${searchQuery(searchWords)}::tsquery) is true`] : []
  const set = byRow ? { ...asked, filter: { ...asked.filter, searchWords: [] } } : asked
  const parts = alternatives(set, now, checked).map(
    (conditions) => sql`(select ${columns} from listing l where ${conditions} limit ${most})`,
  )
  return sql`(select * from (${sql.join(parts, sql` union all `)}) every limit ${most})`
}
