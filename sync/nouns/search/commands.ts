import * as v from 'valibot'
import { removeSearch, type SavedSearch, savedSearch, saveSearch } from '#schema/wire/search'
import type { CommandRules, Tools } from '../../noun.ts'
import { createdAnswer, deletion, parsed } from '../tolerant.ts'
import { searchesNeed } from './questions.ts'

/** The list shows the change before it is fetched again. */
async function settle(
  { store, refetchQuestion }: Tools,
  change: (searches: readonly SavedSearch[]) => readonly SavedSearch[],
): Promise<void> {
  await store.ownLists.change(searchesNeed.key, (list) => {
    const searches = parsed(v.array(savedSearch), list.facts)
    return searches && { ...list, facts: change(searches) }
  })
  refetchQuestion('searches.saved', {})
}

export const commands = {
  'search.save': {
    lane: () => 'searches',
    deliver: ({ payload }) => ({
      call: saveSearch,
      body: payload,
      answer: (body) => createdAnswer(body) && { answer: parsed(savedSearch, body) },
    }),
    settle: (_queued, saved, tools) =>
      settle(tools, (searches) =>
        saved === null ? searches : [saved, ...searches.filter(({ id }) => id !== saved.id)],
      ),
  },
  'search.remove': {
    lane: () => 'searches',
    silent: true,
    collapse: ({ id }, earlier) => (earlier.id === id ? 'same' : null),
    deliver: ({ payload }) => deletion(removeSearch, payload.id),
    settle: ({ payload }, _answer, tools) =>
      settle(tools, (searches) => searches.filter(({ id }) => id !== payload.id)),
  },
} satisfies CommandRules
