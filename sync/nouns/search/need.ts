import { listSearches } from '#schema/wire/search'
import type { Need } from '../../noun.ts'

const FRESH_MS = 5 * 60_000

/** Its facts are the saved searches, newest first. */
export const searchesNeed: Need = {
  key: 'searches',
  personal: true,
  freshMs: FRESH_MS,
  async fetch({ http }, { known }) {
    const reply = await http.call(listSearches, { etag: known?.etag ?? null })
    return reply.kind === 'done' ? { ...reply, answer: { facts: reply.answer.results } } : reply
  },
}
