import { removeSearch, saveSearch } from '#schema/wire/search'
import type { CommandRules, Tools } from '../../noun.ts'
import { createdAnswer, deletion } from '../tolerant.ts'

async function settle(_queued: unknown, _answer: unknown, tools: Tools): Promise<void> {
  tools.refetchQuestion('searches.saved', {})
}

export const commands = {
  'search.save': {
    lane: () => 'searches',
    deliver: ({ payload }) => ({ call: saveSearch, body: payload, answer: createdAnswer }),
    settle,
  },
  'search.remove': {
    lane: () => 'searches',
    silent: true,
    collapse: ({ id }, earlier) => (earlier.id === id ? 'same' : null),
    deliver: ({ payload }) => deletion(removeSearch, payload.id),
    settle,
  },
} satisfies CommandRules
