import * as v from 'valibot'
import { listSearches, runSearch, savedSearch } from '#schema/wire/search'
import type { QuestionRules, RequestRules } from '../../noun.ts'
import { factsNeed, rowsInFacts } from '../needs.ts'
import { SEARCHES } from './commands.ts'

/** Its facts are the saved searches, newest first. */
const searchesNeed = factsNeed(
  { key: SEARCHES, personal: true, freshMs: 5 * 60_000 },
  listSearches,
  {},
  (body) => (v.is(listSearches.answer, body) ? body.results : null),
)

export const questions = {
  'searches.saved': rowsInFacts(searchesNeed, savedSearch),
} satisfies QuestionRules

export const searchRequests: RequestRules = {
  'search.opened': async ({ id }, { http, refetchQuestion }) => {
    const reply = await http.call(
      runSearch,
      { params: { id }, query: { page_size: 1 } },
      () => true,
    )
    if (reply.kind !== 'done') return reply
    refetchQuestion('searches.saved', {})
    return { kind: 'done', answer: null }
  },
}
