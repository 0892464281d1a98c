import { map, type Observable } from 'rxjs'
import { countFacets } from '#schema/facets'
import { readFilter, type Filter, type Query } from '#schema/filter'
import { foundIn, relevance, searchable, type Findable, type Searchable } from '#schema/findable'
import { kmFrom, partsOf } from '#schema/match'
import type { ListingDocument } from '#schema/disk/documents'
import type { Facets } from '#schema/wire/listing'
import type { Language } from '#schema/wire/shapes'
import type { Store } from '../../noun.ts'
import { isListed } from './keep.ts'

/** What search and filters ask of a listing on the phone. */
export interface Row extends Findable, Searchable {
  readonly listed: boolean
  readonly seller_slug: string | null
  readonly newest: number
  readonly views: number
}
type Table = ReadonlyMap<string, Row>

export function rowOf(listing: ListingDocument): Row {
  const specs = listing.more?.specs ?? {}
  const { id, seller_id, title, category, region, town, neighbourhood, location_note, price, condition, negotiable, images_count, is_featured, newest } = listing
  return {
    id, seller_id, category, region, town, neighbourhood, location_note, price, condition, negotiable, images_count, is_featured, newest,
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

/** All listings of the phone, folded for search once and kept fresh. */
export function phoneTable(store: Store): Observable<Table> {
  const known = tables.get(store) ?? store.table('listings', rowOf)
  tables.set(store, known)
  return known
}

/** Ids of the listings on the phone that match, in the order asked for (API.md 8.2). `now` in ms. */
export function phoneMatches(store: Store, query: Query, now: number): Observable<readonly string[]> {
  const { filter } = readFilter(query, new Date(now).getUTCFullYear())
  return phoneTable(store).pipe(map((table) => matches(table, filter, now)))
}

export function phoneFacets(store: Store, query: Query, now: number, language: Language): Observable<Facets> {
  const year = new Date(now).getUTCFullYear()
  const { filter } = readFilter(query, year)
  return phoneTable(store).pipe(
    map((table) => countFacets(candidates(table, filter), filter, partsOf(filter, now, sellerIn(table, filter)), language, year)),
  )
}

export function matches(table: Table, filter: Filter, now: number): string[] {
  const parts = partsOf(filter, now, sellerIn(table, filter))
  const found: Row[] = []
  // the filters first: they cost less than looking for words
  for (const row of table.values()) if (row.listed && parts.every((part) => part.holds(row)) && foundIn(row.all, filter.words)) found.push(row)
  return found.toSorted(orderOf(filter)).map(({ id }) => id)
}

function* candidates(table: Table, filter: Filter): Iterable<Row> {
  for (const row of table.values()) if (row.listed && foundIn(row.all, filter.words)) yield row
}

/** A seller by id or slug; an unknown one has no listings. */
function sellerIn(table: Table, { seller }: Filter): string | null {
  if (seller === null) return null
  for (const row of table.values()) if (row.seller_id === seller || row.seller_slug === seller) return row.seller_id
  return seller
}

/** Every order ends with the newest, then the id (API.md 1.3). */
function orderOf(filter: Filter): (a: Row, b: Row) => number {
  const newest = (a: Row, b: Row) => a.newest - b.newest || (a.id < b.id ? 1 : -1)
  const by = (first: (row: Row) => number) => (a: Row, b: Row) => first(a) - first(b) || newest(a, b)
  switch (filter.ordering) {
    case '-posted_at':
      return newest
    case 'posted_at':
      return by((row) => -row.newest)
    case 'price':
      return by((row) => row.price ?? Number.MAX_SAFE_INTEGER)
    case '-price':
      return by((row) => -(row.price ?? -1))
    case '-views_total':
      return by((row) => -row.views)
    case '-featured':
      return by((row) => (row.is_featured ? 0 : 1))
    case 'relevance':
      return by((row) => relevance(row, filter.words))
    case 'distance': {
      const { near } = filter
      return by((row) => (near === null ? 0 : (kmFrom(near, row) ?? Number.MAX_SAFE_INTEGER)))
    }
  }
}
