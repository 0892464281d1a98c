import { listSearches, runSearch, savedSearch } from '#schema/wire/search'
import type { QuestionRules, RequestRules } from '../../noun.ts'
import { factsNeed, mapAnswer, rowsInFacts } from '../needs.ts'
import { parsed } from '../tolerant.ts'
import { SEARCHES } from './commands.ts'

export const questions = {
  'searches.saved': rowsInFacts(
    savedSearch,
    factsNeed(
      SEARCHES,
      listSearches,
      {},
      (body) => parsed(listSearches.answer, body)?.results ?? null,
    ),
  ),
} satisfies QuestionRules

export const searchRequests: RequestRules = {
  'search.opened': async ({ id }, { http, refetchQuestion }) => {
    const reply = await http.call(
      runSearch,
      { params: { id }, query: { page_size: 1 } },
      () => true,
    )
    return mapAnswer(reply, () => {
      refetchQuestion('searches.saved', {})
      return null
    })
  },
}
