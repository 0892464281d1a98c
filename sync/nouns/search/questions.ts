import * as v from 'valibot'
import { listSearches, savedSearch } from '#schema/wire/search'
import type { QuestionRules } from '../../noun.ts'
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
