import { distinctUntilChanged, from, map, type Observable, of, switchMap } from 'rxjs'
import { type Query, readFilter } from '#schema/filter'
import { foundIn } from '#schema/findable'
import { filterPartsOf } from '#schema/match'
import type { Params } from '#schema/port/question'
import { isCategoryWord, spelled, type Suggested, suggestSearches } from '#schema/suggestSearches'
import type { Vocabulary } from '#schema/spelling'
import type { Language } from '#schema/wire/shapes'
import {
  type Suggestions,
  suggestions,
  suggestSearches as suggestCall,
} from '#schema/wire/suggestion'
import type { LiveAnswer, Need, Tools } from '../../noun.ts'
import { factsNeed, observeFacts } from '../needs.ts'
import { deepEqual } from '../tolerant.ts'
import { localTable, type Row, type Table } from './search.ts'

type Asked = Params<'searches.suggested'>

const queryOf = ({ search, category }: Asked): Query => ({
  search,
  ...(category !== null && { category }),
})

export function fetchSuggested(
  params: Asked,
  about: Pick<Need, 'key' | 'personal' | 'freshMs'>,
): Need['fetch'] {
  return factsNeed(about, suggestCall, { query: queryOf(params) }).fetch
}

/** The server's suggestions; without a network those of the local listings. */
export function watchSuggested(
  params: Asked,
  need: Pick<Need, 'key' | 'personal'>,
  tools: Tools,
): Observable<LiveAnswer<'searches.suggested'>> {
  const isOffline = tools.network.pipe(
    map(({ network }) => network === 'offline' || network === 'captive'),
    distinctUntilChanged(),
  )
  return observeFacts(tools.store, need, suggestions).pipe(
    distinctUntilChanged(deepEqual),
    switchMap((server) =>
      server !== null
        ? of(server)
        : isOffline.pipe(switchMap((offline) => (offline ? local(params, tools) : of(null)))),
    ),
    map((found) => ({ rows: [], facts: { suggestions: found } })),
  )
}

function local(params: Asked, { store, now, currentUser }: Tools): Observable<Suggestions> {
  return localTable(store).pipe(
    switchMap((table) => {
      const suggested = suggestLocally(table, params, now(), currentUser().language)
      const { corrected, searches } = suggested
      const ids = [corrected, ...searches].flatMap((one) => one?.example ?? [])
      return from(store.listings.findByIds(ids).exec()).pipe(
        map((examples) =>
          withSpelling(
            suggested,
            [...examples.values()].map(({ title }) => title),
          ),
        ),
      )
    }),
  )
}

function withSpelling({ corrected, searches }: Suggested, titles: readonly string[]): Suggestions {
  return {
    corrected: corrected && spelled(corrected.words, titles),
    results: searches.map(({ words, category }) => ({ search: spelled(words, titles), category })),
  }
}

export function suggestLocally(
  table: Table,
  params: Asked,
  now: number,
  language: Language,
): Suggested {
  const { filter } = readFilter(queryOf(params), new Date(now).getUTCFullYear())
  const parts = filterPartsOf(filter, now)
  const listed = [...table.values()].filter((row) => row.listed)
  const among = listed.filter((row) => parts.every((part) => part.matches(row)))
  return suggestSearches(params.search, {
    vocabulary: vocabularyOf(listed, language),
    find(words) {
      const found = among.filter((row) => foundIn(row.all, words))
      const categories = new Map<string, number>()
      for (const { category } of found)
        categories.set(category, (categories.get(category) ?? 0) + 1)
      return { categories, example: found[0]?.id ?? null }
    },
  })
}

function vocabularyOf(rows: readonly Row[], language: Language): Vocabulary {
  const counts = new Map<string, number>()
  const add = (line: string, by: (word: string) => number): void => {
    for (const word of line.split(' '))
      if (word !== '') counts.set(word, (counts.get(word) ?? 0) + by(word))
  }
  for (const { title, all } of rows) {
    add(title, () => 1)
    add(all, (word) => Number(isCategoryWord(word, language)))
  }
  return { words: [...counts.keys()], count: (word) => counts.get(word) ?? 0 }
}
