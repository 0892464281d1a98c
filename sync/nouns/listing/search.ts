import { map, type Observable, of } from 'rxjs'
import { countFacets } from '#schema/facets'
import { readFilter, type Filter, type Query } from '#schema/filter'
import { findableNames, foundIn, relevance, searchable } from '#schema/findable'
import { kmFrom, filterPartsOf } from '#schema/match'
import type { Language } from '#schema/wire/shapes'
import type { ListingDocument, Store } from '../../noun.ts'
import { pick } from '#schema/pick'
import { isListed } from './upsert.ts'

type Row = ReturnType<typeof rowOf>
export type Table = ReadonlyMap<string, Row>

export function rowOf(listing: ListingDocument) {
  const specs = listing.more?.specs ?? {}
  const { title, category, town } = listing
  return {
    ...pick(listing, [...findableNames, 'newest']),
    seller_verified: listing.seller.verified_seller,
    seller_slug: listing.seller.slug,
    posted: Math.max(0, -listing.newest),
    specs,
    views: listing.views_total,
    listed: isListed(listing),
    ...searchable({ title, category, town, specs }, listing.more?.description ?? ''),
  }
}

const tables = new WeakMap<Store, Observable<Table>>()

export function localTable(store: Store) {
  const known = tables.get(store) ?? store.observeProjection('listings', rowOf)
  tables.set(store, known)
  return known
}

/** None for invalid filters, which the server refuses too. */
export function localMatches(store: Store, query: Query, now: number) {
  const { filter, problems } = readFilter(query, new Date(now).getUTCFullYear())
  if (problems.length > 0) return of([])
  return localTable(store).pipe(map((table) => matches(table, filter, now)))
}

export function localFacets(store: Store, query: Query, now: number, language: Language) {
  const year = new Date(now).getUTCFullYear()
  const { filter } = readFilter(query, year)
  return localTable(store).pipe(
    map((table) =>
      countFacets(
        [...table.values()].filter((row) => row.listed && foundIn(row.all, filter.searchWords)),
        filter,
        filterPartsOf(filter, now, sellerIn(table, filter)),
        language,
        year,
      ),
    ),
  )
}

export function matches(table: Table, filter: Filter, now: number) {
  return matching(table, filter, now)
    .toSorted(orderOf(filter))
    .map(({ id }) => id)
}

export function matching(table: Table, filter: Filter, now: number) {
  const parts = filterPartsOf(filter, now, sellerIn(table, filter))
  // The text last: it costs most.
  return [...table.values()].filter(
    (row) =>
      row.listed &&
      parts.every((part) => part.matches(row)) &&
      foundIn(row.all, filter.searchWords),
  )
}

/** The id, also of a slug; an unknown one matches nothing. */
function sellerIn(table: Table, { seller }: Filter) {
  if (seller === null) return null
  for (const row of table.values())
    if (row.seller_id === seller || row.seller_slug === seller) return row.seller_id
  return seller
}

type Compare = (a: Row, b: Row) => number
const byId: Compare = (a, b) => (a.id < b.id ? -1 : 1)
const byIdDown: Compare = (a, b) => byId(b, a)
const by =
  (key: (row: Row) => number, ties = byId): Compare =>
  (a, b) =>
    key(a) - key(b) || ties(a, b)
const newestFirst = by((row) => row.newest, byIdDown)

/** [API 8.2], with the server's tie-breakers. */
function orderOf({ ordering, near, searchWords }: Filter) {
  switch (ordering) {
    case '-posted_at':
      return newestFirst
    case 'posted_at':
      return by((row) => -row.newest)
    case 'price':
      return by((row) => row.price ?? Number.MAX_SAFE_INTEGER)
    case '-price':
      return by((row) => -(row.price ?? 0), byIdDown)
    case '-views_total':
      return by((row) => -row.views, byIdDown)
    case '-featured':
      return by((row) => -Number(row.is_featured), newestFirst)
    case 'relevance':
      return by((row) => relevance(row, searchWords), newestFirst)
    case 'distance':
      return near === null
        ? newestFirst
        : by((row) => kmFrom(near, row) ?? Number.MAX_SAFE_INTEGER, newestFirst)
  }
}
