import { map, type Observable, of } from 'rxjs'
import { countFacets } from '#schema/facets'
import { readFilter, type Filter, type Query } from '#schema/filter'
import { foundIn, relevance, searchable, type Findable, type Searchable } from '#schema/findable'
import { kmFrom, filterPartsOf } from '#schema/match'
import type { ListingDocument } from '#schema/disk/documents'
import type { Facets } from '#schema/wire/listing'
import type { Language } from '#schema/wire/shapes'
import type { Store } from '../../noun.ts'
import { isListed } from './upsert.ts'

export interface Row extends Findable, Searchable {
  readonly listed: boolean
  readonly seller_slug: string | null
  readonly newest: number
  readonly views: number
}
type Table = ReadonlyMap<string, Row>

export function rowOf(listing: ListingDocument): Row {
  const specs = listing.more?.specs ?? {}
  const {
    id,
    seller_id,
    title,
    category,
    region,
    town,
    neighbourhood,
    location_note,
    price,
    condition,
    negotiable,
    images_count,
    is_featured,
    newest,
  } = listing
  return {
    id,
    seller_id,
    category,
    region,
    town,
    neighbourhood,
    location_note,
    price,
    condition,
    negotiable,
    images_count,
    is_featured,
    newest,
    seller_verified: listing.seller.verified_seller,
    seller_slug: listing.seller.slug,
    posted: Math.max(0, -newest),
    specs,
    views: listing.views_total,
    listed: isListed(listing.status),
    ...searchable({ title, category, town, specs }, listing.more?.description ?? ''),
  }
}

const tables = new WeakMap<Store, Observable<Table>>()

/** All local listings, normalized for search once and updated by changes. */
export function localTable(store: Store): Observable<Table> {
  const known = tables.get(store) ?? store.observeProjection('listings', rowOf)
  tables.set(store, known)
  return known
}

/**
 * Ids of matching local listings in the requested order [API 8.2]; none for invalid filters, which
 * the server refuses too. `now` in ms.
 */
export function localMatches(
  store: Store,
  query: Query,
  now: number,
): Observable<readonly string[]> {
  const { filter, problems } = readFilter(query, new Date(now).getUTCFullYear())
  if (problems.length > 0) return of([])
  return localTable(store).pipe(map((table) => matches(table, filter, now)))
}

export function localFacets(
  store: Store,
  query: Query,
  now: number,
  language: Language,
): Observable<Facets> {
  const year = new Date(now).getUTCFullYear()
  const { filter } = readFilter(query, year)
  return localTable(store).pipe(
    map((table) =>
      countFacets(
        candidates(table, filter),
        filter,
        filterPartsOf(filter, now, sellerIn(table, filter)),
        language,
        year,
      ),
    ),
  )
}

export function matches(table: Table, filter: Filter, now: number): string[] {
  const parts = filterPartsOf(filter, now, sellerIn(table, filter))
  const found: Row[] = []
  // Filters first: they are cheaper than text search.
  for (const row of table.values())
    if (
      row.listed &&
      parts.every((part) => part.matches(row)) &&
      foundIn(row.all, filter.searchWords)
    )
      found.push(row)
  return found.toSorted(orderOf(filter)).map(({ id }) => id)
}

function* candidates(table: Table, filter: Filter): Iterable<Row> {
  for (const row of table.values())
    if (row.listed && foundIn(row.all, filter.searchWords)) yield row
}

/**
 * Resolves a seller's id or slug to the id; an unknown one is returned as is and matches nothing.
 */
function sellerIn(table: Table, { seller }: Filter): string | null {
  if (seller === null) return null
  for (const row of table.values())
    if (row.seller_id === seller || row.seller_slug === seller) return row.seller_id
  return seller
}

type Compare = (a: Row, b: Row) => number
const byId: Compare = (a, b) => (a.id < b.id ? -1 : 1)
const newest: Compare = (a, b) => a.newest - b.newest || byId(b, a)

/**
 * The sort orders of [API 8.2], with the same tie-breakers as on the server, so that both lists are
 * equal.
 */
function orderOf({ ordering, near, searchWords }: Filter): Compare {
  switch (ordering) {
    case '-posted_at':
      return newest
    case 'posted_at':
      return (a, b) => newest(b, a)
    case 'price': {
      const price = (row: Row) => row.price ?? Number.MAX_SAFE_INTEGER
      return (a, b) => price(a) - price(b) || byId(a, b)
    }
    case '-price':
      return (a, b) => (b.price ?? 0) - (a.price ?? 0) || byId(b, a)
    case '-views_total':
      return (a, b) => b.views - a.views || byId(b, a)
    case '-featured':
      return (a, b) => Number(b.is_featured) - Number(a.is_featured) || newest(a, b)
    case 'relevance':
      return (a, b) => relevance(a, searchWords) - relevance(b, searchWords) || newest(a, b)
    case 'distance': {
      const km = (row: Row) => (near === null ? 0 : (kmFrom(near, row) ?? Number.MAX_SAFE_INTEGER))
      return (a, b) => km(a) - km(b) || newest(a, b)
    }
  }
}
