import { distinctUntilChanged, from, map, of, switchMap } from 'rxjs'
import type { Query } from '#schema/filter'
import type { Params } from '#schema/port/question'
import { suggestions, suggestSearches as suggestCall } from '#schema/wire/suggestion'
import type { Need, Tools } from '../../noun.ts'
import { factsNeed, observeFacts } from '../needs.ts'
import { deepEqual } from '../tolerant.ts'
import { isOffline } from './list.ts'

type Asked = Params<'searches.suggested'>

const queryOf = ({ search, category }: Asked): Query => ({
  search,
  ...(category !== null && { category }),
})

export function searchesNeed(key: string, params: Asked): Need {
  return { ...factsNeed(key, suggestCall, { query: queryOf(params) }), personal: false }
}

export function watchSearches(key: string, params: Asked, tools: Tools) {
  return observeFacts(tools.store, { key, personal: false }, suggestions).pipe(
    distinctUntilChanged(deepEqual),
    switchMap((server) =>
      server !== null
        ? of(server)
        : isOffline(tools).pipe(
            switchMap((offline) => (offline ? local(params, tools) : of(null))),
          ),
    ),
    map((found) => ({ rows: [], facts: { suggestions: found } })),
  )
}

/** Loaded only without a network: it has all categories and places. */
function local(params: Asked, tools: Tools) {
  return from(import('./suggestLocally.ts').catch(() => null)).pipe(
    switchMap((loaded) => loaded?.localSuggestions(queryOf(params), tools) ?? of(null)),
  )
}
