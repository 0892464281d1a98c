import type { Filter } from '#schema/filter'
import type { Facets } from '#schema/wire/listing'
import type { Suggestions } from '#schema/wire/suggestion'
import type { Db } from '../../../db/tables.ts'
import type { View } from '../card.ts'
import { countMatches, readFacets } from './facets.ts'
import { type Count, findPage, type Found, type PageRequest } from './find.ts'
import type { Asked } from './queries.ts'
import { suggest } from './suggest.ts'

/**
 * The port of a search engine. Every answer includes all committed changes; it has ids, by which
 * cards are read. Another engine would implement it beside `sqlSearch` (decision 159).
 */
export interface ListingSearch {
  page(asked: Asked, request: PageRequest, now: Date): Promise<Found>
  count(asked: Asked, now: Date): Promise<Count>
  /** `asked` null: no listing matches. */
  facets(asked: Asked | null, filter: Filter, view: View): Promise<Facets>
  suggest(filter: Filter, view: View): Promise<Suggestions>
}

export const sqlSearch = (db: Db): ListingSearch => ({
  page: (asked, request, now) => findPage(db, asked, request, now),
  count: (asked, now) => countMatches(db, asked, now),
  facets: (asked, filter, view) => readFacets(db, asked, filter, view),
  suggest: (filter, view) => suggest(db, filter, view),
})
