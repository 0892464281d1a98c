import type { Payload } from '#schema/port/command'
import { removeSearch, saveSearch } from '#schema/wire/search'
import type { CommandRule, CommandRules } from '../../noun.ts'
import { idOf, members } from '../tolerant.ts'

const save: CommandRule<Payload<'search.save'>, { readonly id: string }> = {
  lane: () => 'searches',
  deliver: ({ payload: { name, params } }) => ({ call: saveSearch, body: { name, params } }),
  answer(body) {
    const id = idOf(members(body)['id'])
    return id === null ? null : { id }
  },
  async settle(_queued, _answer, { refetchQuestion }) {
    refetchQuestion('searches.saved', {})
  },
}

const remove: CommandRule<Payload<'search.remove'>, true> = {
  lane: () => 'searches',
  silent: true,
  collapse: (one, waiting, _refused, id) => ({
    drop: [],
    instead: waiting.find(({ payload }) => payload.id === one.id)?.id ?? id,
  }),
  deliver: ({ payload: { id } }) => ({ call: removeSearch, params: { id } }),
  answer: (body) => (body === null ? true : null),
  isAlreadyDone: (_problem, status) => status === 404,
  async settle(_queued, _answer, { refetchQuestion }) {
    refetchQuestion('searches.saved', {})
  },
}

export const commands = { 'search.save': save, 'search.remove': remove } satisfies CommandRules
