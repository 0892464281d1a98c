import { categories, resolveCategory, specsMetadata } from '#schema/catalogue'
import { matchesCategory } from '#schema/match'
import { allPlaces, suggestPlaces } from '#schema/places'
import * as wire from '#schema/wire/catalogue'
import {
  SUGGEST,
  cacheControl,
  readRoute,
  refuseField,
  reply,
  type Route,
} from '../../route/index.ts'
import { AnswerCache } from '../../answer-cache.ts'
import type { Db } from '../../db/tables.ts'
import { listingIndexOf } from '../listing/search/listingIndex.ts'

const listCategories = readRoute(wire.listCategories, async ({ db, language, now }) => {
  const counts = await countsOf(db, now)
  const results = categories.map(({ slug, names, parent, isMain, position }) => ({
    id: slug,
    slug,
    name: names[language],
    names,
    parent,
    is_main: isMain,
    position,
    listings_count: counts.get(slug) ?? 0,
  }))
  return { count: results.length, results }
})

const cache = new AnswerCache<Db, Map<string, number>>(5 * 60_000, 1)

/** Per category filter, for five minutes [API 4.4]. */
async function countsOf(db: Db, now: Date) {
  const known = cache.get(db, '', now)
  if (known !== undefined) return known
  const index = listingIndexOf(db)
  await index.refresh()
  const pairs = new Map<
    string,
    { category: string; specs: Record<string, string>; count: number }
  >()
  index.sift([], now.getTime(), null, (place) => {
    const { category = '', specs = {} } = index.at(place) ?? {}
    const type = String(specs['type'] ?? '')
    const pair = pairs.get(`${category} ${type}`) ?? { category, specs: { type }, count: 0 }
    pair.count += 1
    pairs.set(`${category} ${type}`, pair)
    return true
  })
  const counts = new Map(
    categories.map(({ slug }) => [
      slug,
      [...pairs.values()].reduce(
        (sum, pair) => sum + (matchesCategory(pair, slug) ? pair.count : 0),
        0,
      ),
    ]),
  )
  cache.set(db, '', counts, now)
  return counts
}

const readSpecs = readRoute(wire.readSpecs, async ({ query, now }) => {
  const year = now.getUTCFullYear()
  if (query.category === undefined)
    return { results: categories.flatMap(({ slug }) => specsMetadata(slug, year) ?? []) }
  const slug = resolveCategory(query.category)
  const found = slug === null ? null : specsMetadata(slug, year)
  if (found === null) throw refuseField('category', 'invalid_choice')
  return found
})

export const catalogueRoutes: readonly Route[] = [
  listCategories,

  readSpecs,

  readRoute(wire.suggestPlaces, async (input) => {
    const { q, all } = input.query
    if (all === true)
      return reply(allPlaces(), { headers: { 'Cache-Control': cacheControl('static', false) } })
    if (q === undefined) throw refuseField('q', 'required')
    if (Array.from(q).length > 60) throw refuseField('q', 'too_long', { max: 60 })
    await input.count(SUGGEST)
    return { results: suggestPlaces(q, input.language) }
  }),
]
