import { sql, type RawBuilder } from 'kysely'
import { type Filter, type Query, readFilter } from '#schema/filter'
import type { ListingCard } from '#schema/wire/listing'
import { plannedOnce } from '../../../db/postgres.ts'
import type { Db } from '../../../db/tables.ts'
import { refuse, refuseFields, type Page } from '../../../route/index.ts'
import { cardsOf, inThisOrder, type View } from '../card.ts'
import type { Where } from '../derive.ts'
import { personBy } from '../../shop/person.ts'
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

export interface Asked extends Wanted {
  /** Public, sold by a shop, or the owner's own in every state but deleted. */
  readonly scope: 'public' | 'sold' | 'own'
  readonly me: string | null
}

const LISTS = new Set([
  'category',
  'region',
  'town',
  'neighbourhood',
  'condition',
  'exclude',
  'ids',
])

/** Lists are joined by commas, otherwise the last value counts [API 1.1]. */
export function plainQuery(raw: Readonly<Record<string, unknown>>): Query {
  return Object.fromEntries(
    Object.entries(raw).flatMap(([name, value]) => {
      const texts = [value]
        .flat()
        .filter((one) => one !== undefined && one !== null)
        .map(String)
      if (texts.length === 0) return []
      return [
        [
          name,
          LISTS.has(name) || name.startsWith('spec.') ? texts.join(',') : (texts.at(-1) ?? ''),
        ],
      ]
    }),
  )
}

/** Throws 400 with every invalid parameter. */
export function filterOf(query: Query, now: Date): Filter {
  const { filter, problems } = readFilter(query, now.getUTCFullYear())
  if (problems.length > 0)
    throw refuseFields(Object.fromEntries(problems.map(({ field, code }) => [field, [{ code }]])))
  return filter
}

/** null: no such seller. `me` requires a signed-in caller [API 8.2]. */
export async function askedOf(db: Db, filter: Filter, me: string | null): Promise<Asked | null> {
  const { seller } = filter
  if (seller === null) return { filter, sellerId: null, scope: 'public', me }
  if (seller === 'me') {
    if (me === null) throw refuse('not_authenticated')
    return { filter, sellerId: me, scope: 'own', me }
  }
  const id = await personBy(db, seller)
  return id === null ? null : { filter, sellerId: id, scope: 'public', me }
}

export interface Found {
  readonly cards: readonly ListingCard[]
  readonly more: boolean
  /** null when the order is not seekable or the page is empty. */
  readonly place: Place | null
  readonly moment: Moment
}

interface Moment {
  /** The last public change, as `change-num`. */
  readonly position: string
  /** Number of the last commit that changed a listing. */
  readonly stamp: number
}

const momentColumns = sql<Moment>`coalesce((select public_change || '-' || num from listing_change
    where public_change is not null order by public_change desc, num desc limit 1), '0-0') as position,
  coalesce((select last from listing_counter), 0) as stamp`

export async function momentOf(db: Db): Promise<Moment> {
  const { rows } = await sql<Moment>`select ${momentColumns}`.execute(db)
  return rows[0] ?? { position: '0-0', stamp: 0 }
}

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

/** `from`: after the previous page; without it the page number decides. */
export interface PageRequest {
  readonly order: SortOrder
  readonly page: Page
  readonly from: Place | null
}

/**
 * Without rows hidden meanwhile; null when it reaches past `first` and these are not `complete`.
 */
export async function pageAmong(
  db: Db,
  { first, complete }: { first: readonly IndexedListing[]; complete: boolean },
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
  const keys = inThisOrder(
    shown.map(({ id }) => id),
    visible(view.now),
  )
  return {
    ...(await read(db, keys, view, plannedOnce)),
    more,
    place: cursorAt(order, shown.at(-1)),
  }
}

/** Each branch is read in index order. `among`: all matches, when few. */
export async function pageInDatabase(
  db: Db,
  asked: Asked,
  request: PageRequest,
  among: readonly string[] | null,
  view: View,
): Promise<Found> {
  const { order, page } = request
  const keys =
    among !== null
      ? pickedFrom([[inScope(asked, view.now), sql`l.id = any(${among}::text[])`]], request)
      : order.ordering === 'relevance'
        ? await keysByRelevance(db, asked, request, view)
        : keysOf(asked, request, 'anywhere', view)
  const { cards, moment } = await read(db, keys, view)
  const shown = cards.slice(0, page.size)
  const last = shown.at(-1)
  const place = cursorAt(order, last && { ...last, posted: Date.parse(last.posted_at ?? '') || 0 })
  return { cards: shown, more: cards.length > page.size, place, moment }
}

/** First those with all terms in title, brand or model. */
async function keysByRelevance(db: Db, asked: Asked, request: PageRequest, view: View) {
  const { offset, size } = request.page
  const reach = offset + size + 1
  const upTo = { ...request, page: { ...request.page, offset: 0, size: reach - 1 } }
  const { rows } = await sql<{
    id: string
  }>`select id from (${keysOf(asked, upTo, 'title', view)}) as first`.execute(db)
  const ids = rows.slice(offset).map(({ id }) => id)
  const titled = sql`select id from unnest(${ids}::text[]) with ordinality as wanted(id, n) order by n`
  if (rows.length === reach) return titled
  const after = { ...request.page, offset: Math.max(0, offset - rows.length) }
  const rest = keysOf(asked, { ...request, page: after }, 'rest', view)
  return sql`select id from (select id, 0 as part, row_number() over () as n from (${titled}) a
    union all select id, 1, row_number() over () from (${rest}) b) both_parts order by part, n limit ${size + 1}`
}

function keysOf(asked: Asked, request: PageRequest, where: Where, { now }: View) {
  const shared = [inScope(asked, now), ...conditionsOf(asked, now, where)]
  return pickedFrom(
    branchesOf(asked).map((branch) => [...shared, branch]),
    request,
  )
}

/** The ids of a page plus one, of the union of the branches. */
function pickedFrom(
  branches: readonly (readonly RawBuilder<unknown>[])[],
  { order, page, from }: PageRequest,
) {
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

const cursorAt = (order: SortOrder, last: Parameters<typeof placeOf>[1] | undefined) =>
  last === undefined || !order.seekable ? null : placeOf(order, last)

async function read(db: Db, keys: RawBuilder<unknown>, view: View, mark?: RawBuilder<unknown>) {
  const found = await cardsOf(db, keys, view, momentColumns, mark)
  return {
    cards: found.map(({ card }) => card),
    moment: found[0]?.row ?? (await momentOf(db)),
  }
}
