import { map } from 'rxjs'
import * as v from 'valibot'
import { listSearches, savedSearch } from '#schema/wire/search'
import type { Need, QuestionRule, QuestionRules } from '../../noun.ts'

const FRESH_MS = 5 * 60_000

const saved: QuestionRule<'searches.saved'> = {
  watch: (_, { store }) =>
    store.liveOne('ownLists', searchesNeed.key).pipe(
      map((book) => v.safeParse(v.array(savedSearch), book?.facts)),
      map((said) => ({ rows: said.success ? said.output : [], facts: {}, empty: !said.success })),
    ),
  needs: (_, { who }) => (who().me === '' ? [] : [searchesNeed]),
  samples: [{}],
}

/** Its facts are the saved searches, newest first. */
const searchesNeed: Need = {
  key: 'searches',
  personal: true,
  freshMs: FRESH_MS,
  async fetch({ net }, { known }) {
    const reply = await net.call(listSearches, { etag: known?.etag ?? null })
    return reply.kind === 'done' ? { ...reply, answer: { facts: reply.answer.results } } : reply
  },
}

export const questions = { 'searches.saved': saved } satisfies QuestionRules
