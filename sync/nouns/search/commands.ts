import * as v from 'valibot'
import { removeSearch, type SavedSearch, savedSearch, saveSearch } from '#schema/wire/search'
import type { CommandRules, Tools } from '../../noun.ts'
import { createdAnswer, deletion, parsed } from '../tolerant.ts'

/** Not in questions.ts: part of the background delivery. */
export const SEARCHES = 'searches'

async function settle(
  { store, refetchQuestion }: Tools,
  change: (searches: readonly SavedSearch[]) => readonly SavedSearch[],
) {
  await store.ownLists.change(SEARCHES, (list) => {
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
      answer: (body) => createdAnswer(body) && { answer: body },
    }),
    settle(_queued, answer, tools) {
      const saved = parsed(savedSearch, answer)
      return settle(tools, (searches) =>
        saved === null ? searches : [saved, ...searches.filter(({ id }) => id !== saved.id)],
      )
    },
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
