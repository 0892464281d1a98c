import type { Query } from '#schema/filter'
import type { Facets } from '#schema/wire/listing'
import { AnswerCache } from '../../../answer-cache.ts'
import type { Db } from '../../../db/tables.ts'
import type { View } from '../card.ts'
import { sqlSearch } from '../search/listingSearch.ts'
import { askedOf, filterOf, momentOf } from '../search/queries.ts'

/** While no listing changes; the clock alone ends some. */
const KEPT_MS = 15_000
const cache = new AnswerCache<Db, { facets: Facets; commit: number }>(KEPT_MS, 500)

/** [API 8.3] */
export async function readFacets(db: Db, query: Query, view: View): Promise<Facets> {
  // Counts have no order.
  const filter = filterOf({ ...query, ordering: '' }, view.now)
  const asked = await askedOf(db, filter, view.me)
  const { commit } = await momentOf(db)
  const key = JSON.stringify([view.language, asked, view.now.getUTCFullYear()])
  const known = cache.get(db, key, view.now)
  if (known?.commit === commit) return known.facets
  const facets = await sqlSearch(db).facets(asked, filter, view)
  cache.set(db, key, { facets, commit }, view.now)
  return facets
}

/** [API 8.11] */
export async function suggestFor(db: Db, query: Query, view: View) {
  const filter = filterOf(query, view.now)
  if (filter.searchWords.length === 0) return { corrected: null, results: [] }
  return sqlSearch(db).suggest(filter, view)
}
