import type { Payload } from '#schema/port/command'
import { removeSearch, saveSearch } from '#schema/wire/search'
import type { CommandRule, CommandRules, Tools } from '../../noun.ts'
import { collapseSame } from '../collapse.ts'
import { createdAnswer, noAnswer } from '../tolerant.ts'

async function refetch(_queued: unknown, _answer: unknown, tools: Tools): Promise<void> {
  tools.refetchQuestion('searches.saved', {})
}

const save: CommandRule<Payload<'search.save'>, { readonly id: string }> = {
  lane: () => 'searches',
  deliver: ({ payload: { name, params } }) => ({ call: saveSearch, body: { name, params } }),
  answer: createdAnswer,
  settle: refetch,
}

const remove: CommandRule<Payload<'search.remove'>, true> = {
  lane: () => 'searches',
  silent: true,
  collapse: (one, waiting, _refused, id) =>
    collapseSame(id, waiting, (payload) => payload.id === one.id),
  deliver: ({ payload: { id } }) => ({ call: removeSearch, params: { id } }),
  answer: noAnswer,
  isAlreadyDone: (_problem, status) => status === 404,
  settle: refetch,
}

export const commands = { 'search.save': save, 'search.remove': remove } satisfies CommandRules
