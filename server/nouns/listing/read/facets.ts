import type { Query } from '#schema/filter'
import type { Db } from '../../../db/tables.ts'
import type { View } from '../card.ts'
import { sqlSearch } from '../search/listingSearch.ts'
import { askedOf, filterOf } from '../search/queries.ts'

/** [API 8.3] */
export async function readFacets(db: Db, query: Query, view: View) {
  // Counts have no order.
  const filter = filterOf({ ...query, ordering: '' }, view.now)
  return sqlSearch(db).facets(await askedOf(db, filter, view.me), filter, view)
}

/** [API 8.11] */
export async function suggestFor(db: Db, query: Query, view: View) {
  const filter = filterOf(query, view.now)
  if (filter.searchWords.length === 0) return { corrected: null, results: [] }
  return sqlSearch(db).suggest(filter, view)
}
