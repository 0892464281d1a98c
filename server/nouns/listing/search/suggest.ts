import type { Query } from '#schema/filter'
import { spelled, suggestSearches } from '#schema/suggestSearches'
import type { Db } from '../../../db/tables.ts'
import type { View } from '../card.ts'
import { filterOf } from './queries.ts'
import { listingIndexOf } from './listingIndex.ts'

/** [API 8.11] */
export async function suggest(db: Db, query: Query, { now, language }: View) {
  const filter = filterOf(query, now)
  if (filter.searchWords.length === 0) return { corrected: null, results: [] }
  const index = listingIndexOf(db)
  await index.refresh()
  const { corrected, searches } = suggestSearches(query['search'] ?? '', {
    vocabulary: index.vocabulary(language),
    find(words) {
      const { titled, rest } = index.find(words)
      const categories = new Map<string, number>()
      let example: string | null = null
      const places = titled.concat(rest)
      index.match({ filter, sellerId: null }, now, places, (place) => {
        const listing = index.at(place)
        if (listing === undefined) return true
        example ??= listing.id
        categories.set(listing.category, (categories.get(listing.category) ?? 0) + 1)
        return true
      })
      return { categories, example }
    },
  })
  const examples = [corrected, ...searches].flatMap((one) => one?.example ?? [])
  const titles = await titlesOf(db, examples)
  return {
    corrected: corrected && spelled(corrected.words, titles),
    results: searches.map(({ words, category }) => ({ search: spelled(words, titles), category })),
  }
}

async function titlesOf(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('listing').select('title').where('id', 'in', ids).execute()
  return rows.map(({ title }) => title)
}
