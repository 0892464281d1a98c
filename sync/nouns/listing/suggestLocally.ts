import { switchMap } from 'rxjs'
import { type Query, readFilter } from '#schema/filter'
import { foundIn } from '#schema/findable'
import type { Vocabulary } from '#schema/spelling'
import { isCategoryWord, spelled, type Suggested, suggestSearches } from '#schema/suggestSearches'
import type { Language } from '#schema/wire/shapes'
import type { Tools } from '../../noun.ts'
import { localTable, matching, type Table } from './search.ts'

export function localSuggestions(query: Query, { store, now, currentUser }: Tools) {
  return localTable(store).pipe(
    switchMap(async (table) => {
      const suggested = await suggestLocally(table, query, now(), currentUser().language)
      const { corrected, searches } = suggested
      const ids = [corrected, ...searches].flatMap((one) => one?.example ?? [])
      const examples = await store.listings.findByIds(ids).exec()
      return withSpelling(
        suggested,
        [...examples.values()].map(({ title }) => title),
      )
    }),
  )
}

function withSpelling({ corrected, searches }: Suggested, titles: readonly string[]) {
  return {
    corrected: corrected && spelled(corrected.words, titles),
    results: searches.map(({ words, category }) => ({ search: spelled(words, titles), category })),
  }
}

export function suggestLocally(table: Table, query: Query, now: number, language: Language) {
  const { filter } = readFilter(query, new Date(now).getUTCFullYear())
  const among = matching(table, { ...filter, searchWords: [] }, now)
  return suggestSearches(query.search ?? '', {
    vocabulary: vocabularyOf(table, language),
    find(words) {
      const found = among.filter((row) => foundIn(row.all, words))
      const categories = new Map<string, number>()
      for (const { category } of found)
        categories.set(category, (categories.get(category) ?? 0) + 1)
      return { categories, example: found[0]?.id ?? null }
    },
  })
}

const counted = new WeakMap<Table, { readonly sign: string; readonly vocabulary: Vocabulary }>()

/** Once for all letters of a search. */
function vocabularyOf(table: Table, language: Language) {
  const sign = `${language} ${table.size}`
  const known = counted.get(table)
  if (known?.sign === sign) return known.vocabulary
  const counts = new Map<string, number>()
  const add = (line: string, by: (word: string) => number) => {
    for (const word of line.split(' '))
      if (word !== '') counts.set(word, (counts.get(word) ?? 0) + by(word))
  }
  for (const { listed, title, all } of table.values()) {
    if (!listed) continue
    add(title, () => 1)
    add(all, (word) => Number(isCategoryWord(word, language)))
  }
  const vocabulary = { words: [...counts.keys()], count: (word: string) => counts.get(word) ?? 0 }
  counted.set(table, { sign, vocabulary })
  return vocabulary
}
