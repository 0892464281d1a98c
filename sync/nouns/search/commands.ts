import type { Payload } from '#schema/port/command'
import { removeSearch, saveSearch } from '#schema/wire/search'
import type { CommandRule, CommandRules, Tools } from '../../noun.ts'
import { alreadyGone, createdAnswer, noAnswer } from '../tolerant.ts'

async function refetch(_queued: unknown, _answer: unknown, tools: Tools): Promise<void> {
  tools.refetchQuestion('searches.saved', {})
}

const save: CommandRule<Payload<'search.save'>, true> = {
  lane: () => 'searches',
  deliver: ({ payload }) => ({ call: saveSearch, body: payload, answer: createdAnswer }),
  settle: refetch,
}

const remove: CommandRule<Payload<'search.remove'>, true> = {
  lane: () => 'searches',
  silent: true,
  collapse: ({ id }, earlier) => (earlier.id === id ? 'same' : null),
  deliver: ({ payload: { id } }) => ({
    call: removeSearch,
    params: { id },
    answer: noAnswer,
    refused: alreadyGone,
  }),
  settle: refetch,
}

export const commands = { 'search.save': save, 'search.remove': remove } satisfies CommandRules
