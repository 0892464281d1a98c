import { sql, type RawBuilder } from 'kysely'
import type { Filter, Ordering } from '#schema/filter'
import { searchQuery } from '../derive.ts'
import { kmFrom } from './where.ts'

type Key = Readonly<{
  name: string
  value: RawBuilder<unknown>
  down: boolean
}>

/** The last key is always the id [API 1.3]. */
export type SortOrder = Readonly<{
  ordering: Ordering
  keys: readonly Key[]
  join: RawBuilder<unknown>
  /** All keys are stored in the row and share one direction. */
  seekable: boolean
}>

const NO_PRICE = 2_147_483_647

/** Listings without a price come last. */
const noPrice = (ordering: Ordering) => (ordering === 'price' ? NO_PRICE : 0)

/** `own`: never published listings sort by creation time [API 4.5]. */
export function sortOrderOf(filter: Filter, own = false): SortOrder {
  const { ordering } = filter
  const posted = own ? sql`coalesce(l.posted_at, l.created_at)` : sql`l.posted_at`
  const newest = [down('posted', posted), down('id', sql`l.id`)]
  const order = (keys: readonly Key[], seekable = false, join = sql``) => ({
    ordering,
    keys,
    join,
    seekable: seekable && !own,
  })
  switch (ordering) {
    case '-posted_at':
      return order(newest, true)
    case 'posted_at':
      return order([up('posted', posted), up('id', sql`l.id`)], true)
    case 'price':
    case '-price': {
      const towards = ordering === 'price' ? up : down
      const price = sql`coalesce(l.price, ${sql.lit(noPrice(ordering))})`
      return order([towards('price', price), towards('id', sql`l.id`)], true)
    }
    case '-views_total':
      return order(
        [down('views', sql`v.views_total`), down('id', sql`v.listing_id`)],
        false,
        sql`join listing_tally v on v.listing_id = l.id`,
      )
    case '-featured':
      return order([down('featured', sql`l.is_featured`), ...newest])
    case 'relevance':
      return order([down('titled', sql`l.search @@ ${titled(filter)}::tsquery`), ...newest])
    case 'distance':
      return order([...(filter.near === null ? [] : [up('km', kmFrom(filter.near))]), ...newest])
  }
}

const titled = ({ searchWords }: Filter) => searchQuery(searchWords, { text: 'title' })

const up = (name: string, value: RawBuilder<unknown>) => ({ name, value, down: false })
const down = (name: string, value: RawBuilder<unknown>) => ({ name, value, down: true })

export const selectKeys = ({ keys }: SortOrder) =>
  sql.join(keys.map(({ name, value }) => sql`${value} as ${sql.ref(`k_${name}`)}`))
export const namesOf = ({ keys }: SortOrder) =>
  sql.join(['id', ...keys.map(({ name }) => `k_${name}`)].map((name) => sql.ref(name)))
export const orderByKeys = ({ keys }: SortOrder) =>
  sql.join(
    keys.map(({ name, down }) => sql`${sql.ref(`k_${name}`)} ${down ? sql`desc` : sql`asc`}`),
  )

/** The price range on the index's own expression, so that reading starts at the range. */
export function pricesIn({ ordering, keys }: SortOrder, { priceMin, priceMax }: Filter) {
  const price = keys[0]?.value
  if (price === undefined || !ordering.endsWith('price')) return []
  return [
    ...(priceMin === null ? [] : [sql`${price} >= ${priceMin}`]),
    ...(priceMax === null ? [] : [sql`${price} <= ${priceMax}`]),
  ]
}

export function behind(order: SortOrder, place: Place) {
  const [key, id] = place
  const values = order.keys.map(({ name }) =>
    name === 'posted'
      ? sql`${new Date(key)}`
      : name === 'price'
        ? sql`${key}::integer`
        : sql`${id}`,
  )
  return sql`(${sql.join(order.keys.map(({ value }) => value))})
    ${order.keys[0]?.down === true ? sql`<` : sql`>`} (${sql.join(values)})`
}

/** Publication time in ms or price, and id, of a page's last row. */
export type Place = readonly [key: number, id: string]

export function writePlace(order: SortOrder, [key, id]: Place) {
  return Buffer.from(`${order.ordering} ${key} ${id}`).toString('base64url')
}

/** null when malformed or of another order. */
export function readPlace(order: SortOrder, text: string | undefined): Place | null {
  if (text === undefined || !order.seekable || text.length > 200) return null
  const read = /^(\S+) (-?\d{1,16}) ([A-Za-z0-9_-]{1,64})$/.exec(
    Buffer.from(text, 'base64url').toString(),
  )
  const [, ordering, key, id = ''] = read ?? []
  const most = order.ordering.endsWith('price') ? NO_PRICE : 8.64e15
  return ordering === order.ordering && Math.abs(Number(key)) <= most ? [Number(key), id] : null
}

/** The key columns of a row that `selectKeys` read. */
export type Keyed = Readonly<{
  id: string
  k_posted?: Date | null
  k_price?: number
  /** Number of all matches; null: not counted. */
  total?: number | null
  /** false: no result, but the row at which a walk reached its limit. */
  hit?: boolean
}>

export const placeOf = (order: SortOrder, { id, k_posted, k_price }: Keyed): Place | null =>
  order.seekable ? [k_price ?? k_posted?.getTime() ?? 0, id] : null

/** null: the listing has no price. */
export const priceAt = ({ ordering }: SortOrder, { k_price }: Keyed) =>
  k_price === undefined || k_price === noPrice(ordering) ? null : k_price
