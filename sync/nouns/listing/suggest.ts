import { distinctUntilChanged, from, map, of, switchMap } from 'rxjs'
import type { Query } from '#schema/filter'
import { suggestions, suggestSearches as suggestCall } from '#schema/wire/suggestion'
import type { Need, Tools } from '../../noun.ts'
import { factsNeed, observeFacts } from '../needs.ts'
import { deepEqual } from '../tolerant.ts'
import { isOffline } from './list.ts'

export function searchesNeed(key: string, query: Query): Need {
  return { ...factsNeed(key, suggestCall, { query }), personal: false }
}

export function watchSearches(key: string, query: Query, tools: Tools) {
  return observeFacts(tools.store, { key }, suggestions).pipe(
    distinctUntilChanged(deepEqual),
    switchMap((server) =>
      server !== null
        ? of(server)
        : isOffline(tools).pipe(switchMap((offline) => (offline ? local(query, tools) : of(null)))),
    ),
    map((found) => ({ rows: [], facts: { suggestions: found } })),
  )
}

/** Loaded only without a network: it has all categories and places. */
function local(query: Query, tools: Tools) {
  return from(import('./suggestLocally.ts').catch(() => null)).pipe(
    switchMap((loaded) => loaded?.localSuggestions(query, tools) ?? of(null)),
  )
}
