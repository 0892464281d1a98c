import { categories, resolveCategory, specsMetadata } from '#schema/catalogue'
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
import { readFacets } from '../listing/read/facets.ts'

const cache = new AnswerCache<Db, Promise<ReadonlyMap<string, number>>>(5 * 60_000, 1)

/** Per category filter, for five minutes [API 4.4]. */
const countsOf = (db: Db, now: Date) =>
  cache.shared(db, '', now, async () => {
    const facets = await readFacets(db, {}, { me: null, now, language: 'fr' })
    return new Map(facets.categories.map(({ value, count }) => [value, count]))
  })

export const catalogueRoutes: readonly Route[] = [
  readRoute(wire.listCategories, async ({ db, language, now }) => {
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
  }),

  readRoute(wire.readSpecs, async ({ query, now }) => {
    const year = now.getUTCFullYear()
    if (query.category === undefined)
      return { results: categories.flatMap(({ slug }) => specsMetadata(slug, year) ?? []) }
    const slug = resolveCategory(query.category)
    const found = slug === null ? null : specsMetadata(slug, year)
    if (found === null) throw refuseField('category', 'invalid_choice')
    return found
  }),

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
