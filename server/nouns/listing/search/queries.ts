import { sql, type RawBuilder } from 'kysely'
import type { ListingCard } from '#schema/wire/listing'
import { plannedOnce } from '../../../db/postgres.ts'
import type { Db } from '../../../db/tables.ts'
import type { Page } from '../../../route/index.ts'
import { cardsOf, type View } from '../card.ts'
import type { Where } from '../derive.ts'
import {
  behind,
  compareBy,
  type SortOrder,
  orderByKeys,
  type Place,
  placeOf,
  selectKeys,
} from './sort.ts'
import type { IndexedListing } from './listingIndex.ts'
import { branchesOf, conditionsOf, visible, type Wanted } from './where.ts'

/** All public listings, those a shop has sold, or the owner's own in every state but deleted. */
type Scope = 'public' | 'sold' | 'own'

export interface Asked extends Wanted {
  readonly scope: Scope
  readonly me: string | null
}

export interface Found {
  readonly cards: readonly ListingCard[]
  readonly more: boolean
  /** Cursor of the next page; null when the order is not seekable or the page is empty. */
  readonly place: Place | null
  readonly moment: Moment
}

/** The database state that the answer reflects. */
export interface Moment {
  /**
   * The last public change (`change-num`). Numbers are committed in order, so a delta from here
   * misses nothing.
   */
  readonly position: string
  /** Number of the last commit that changed a listing; an equal stamp means unchanged listings. */
  readonly stamp: number
}

const momentColumns = sql<MomentRow>`(select public_change || '-' || num from listing_change
    where public_change is not null order by public_change desc, num desc limit 1) as position,
  (select last from listing_counter) as stamp`

export async function momentOf(db: Db): Promise<Moment> {
  const { rows } = await sql<MomentRow>`select ${momentColumns}`.execute(db)
  return momentIn(rows[0])
}

interface MomentRow {
  position: string | null
  stamp: number
}
const momentIn = (row: MomentRow | undefined): Moment => ({
  position: row?.position ?? '0-0',
  stamp: row?.stamp ?? 0,
})

export function inScope({ scope }: Pick<Asked, 'scope'>, now: Date): RawBuilder<unknown> {
  switch (scope) {
    case 'public':
      return visible(now)
    case 'sold':
      return sql`l.readable and l.is_sold`
    case 'own':
      return sql`l.deleted_at is null`
  }
}

/** `from` is the cursor of the previous page; without it the page number decides. */
export interface PageRequest {
  readonly order: SortOrder
  readonly page: Page
  readonly from: Place | null
}

/**
 * A page of presorted rows without those hidden meanwhile; null when it reaches past `first` and
 * the rows are not `complete`.
 */
export async function pageAmong(
  db: Db,
  first: readonly IndexedListing[],
  complete: boolean,
  { from, order, page }: PageRequest,
  view: View,
): Promise<Found | null> {
  const behindFrom =
    from === null
      ? page.offset
      : first.findIndex((row) => compareBy(order, placeOf(order, row), from) > 0)
  const at = behindFrom < 0 ? first.length : behindFrom
  const more = at + page.size < first.length
  if (!more && !complete) return null
  const shown = first.slice(at, at + page.size)
  const last = shown.at(-1)
  const ids = shown.map(({ id }) => id)
  const keys = sql`select l.id from unnest(${ids}::text[]) with ordinality as wanted(id, n)
    join listing l on l.id = wanted.id where ${visible(view.now)} order by wanted.n`
  const { cards, moment } = await read(db, keys, view, plannedOnce)
  return {
    cards,
    more,
    place: last === undefined || !order.seekable ? null : placeOf(order, last),
    moment,
  }
}

/**
 * One query: each filter branch is read in index order, then the branches are merged. `among` lists
 * the ids of all matches when they are few and known.
 */
export async function pageInDatabase(
  db: Db,
  asked: Asked,
  request: PageRequest,
  among: readonly string[] | null,
  view: View,
): Promise<Found> {
  if (among !== null)
    return foundIn(
      db,
      pickedFrom([[inScope(asked, view.now), sql`l.id = any(${[...among]}::text[])`]], request),
      request,
      view,
    )
  return asked.filter.ordering === 'relevance'
    ? pageByRelevance(db, asked, request, view)
    : foundIn(db, keysOf(asked, request, 'anywhere', view), request, view)
}

/** Listings with all search terms in title, brand or model come first. */
async function pageByRelevance(
  db: Db,
  asked: Asked,
  request: PageRequest,
  view: View,
): Promise<Found> {
  const { page } = request
  const reach = page.offset + page.size + 1
  const first = await titledIds(db, asked, request, reach, view)
  if (first.length === reach) return foundIn(db, listed(first.slice(page.offset)), request, view)
  const after = { ...request, page: { ...page, offset: Math.max(0, page.offset - first.length) } }
  const rest = keysOf(asked, after, 'rest', view)
  return foundIn(
    db,
    sql`select id from (select id, 0 as part, row_number() over () as n from (${listed(first.slice(page.offset))}) a
    union all select id, 1, row_number() over () from (${rest}) b) both_parts order by part, n limit ${page.size + 1}`,
    request,
    view,
  )
}

async function titledIds(
  db: Db,
  asked: Asked,
  request: PageRequest,
  reach: number,
  view: View,
): Promise<string[]> {
  const all = { ...request, page: { ...request.page, offset: 0, size: reach - 1 } }
  const { rows } = await sql<{
    id: string
  }>`select id from (${keysOf(asked, all, 'title', view)}) as first`.execute(db)
  return rows.map(({ id }) => id)
}

const listed = (ids: readonly string[]) =>
  sql`select id from unnest(${[...ids]}::text[]) with ordinality as wanted(id, n) order by n`

function keysOf(
  asked: Asked,
  request: PageRequest,
  where: Where,
  { now }: View,
): RawBuilder<unknown> {
  const shared = [inScope(asked, now), ...conditionsOf(asked, now, where)]
  return pickedFrom(
    branchesOf(asked).map((branch) => [...shared, branch]),
    request,
  )
}

/** Selects the ids of a page plus one row, in order, of the union of the branches. */
function pickedFrom(
  branches: readonly (readonly RawBuilder<unknown>[])[],
  { order, page, from }: PageRequest,
): RawBuilder<unknown> {
  const onward = from === null ? [] : [behind(order, from)]
  const offset = from === null ? page.offset : 0
  const reach = offset + page.size + 1
  const branch = (
    conditions: readonly RawBuilder<unknown>[],
  ) => sql`(select l.id, ${selectKeys(order)} from listing l ${order.join}
    where ${sql.join([...conditions, ...onward], sql` and `)} order by ${orderByKeys(order)} limit ${reach})`
  return sql`select * from (${sql.join(branches.map(branch), sql` union all `)}) as merged
    order by ${orderByKeys(order)} limit ${page.size + 1} offset ${offset}`
}

async function foundIn(
  db: Db,
  keys: RawBuilder<unknown>,
  { order, page }: PageRequest,
  view: View,
): Promise<Found> {
  const { cards, moment } = await read(db, keys, view)
  const shown = cards.slice(0, page.size)
  const last = shown.at(-1)
  return {
    cards: shown,
    more: cards.length > page.size,
    place:
      last === undefined || !order.seekable
        ? null
        : placeOf(order, { ...last, posted: Date.parse(last.posted_at ?? '') || 0 }),
    moment,
  }
}

async function read(db: Db, keys: RawBuilder<unknown>, view: View, mark?: RawBuilder<unknown>) {
  const found = await cardsOf(db, keys, view, momentColumns, mark)
  return {
    cards: found.map(({ card }) => card),
    moment: found[0] === undefined ? await momentOf(db) : momentIn(found[0].row),
  }
}
