import { map } from 'rxjs'
import * as v from 'valibot'
import { savedSearch } from '#schema/wire/search'
import type { QuestionRule, QuestionRules } from '../../noun.ts'
import { searchesNeed } from './need.ts'

const saved: QuestionRule<'searches.saved'> = {
  watch: (_, { store }) =>
    store.observeOne('ownLists', searchesNeed.key).pipe(
      map((book) => v.safeParse(v.array(savedSearch), book?.facts)),
      map((said) => ({ rows: said.success ? said.output : [], facts: {}, empty: !said.success })),
    ),
  needs: (_, { currentUser }) => (currentUser().me === '' ? [] : [searchesNeed]),
  samples: [{}],
}

export const questions = { 'searches.saved': saved } satisfies QuestionRules
