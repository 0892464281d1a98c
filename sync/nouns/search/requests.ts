import { runSearch } from '#schema/wire/search'
import type { RequestRules } from '../../noun.ts'

export const searchRequests: RequestRules = {
  'search.opened': async ({ id }, { http, refetchQuestion }) => {
    const reply = await http.call(
      runSearch,
      { params: { id }, query: { page_size: 1 } },
      () => true,
    )
    if (reply.kind !== 'done') return reply
    refetchQuestion('searches.saved', {})
    return { kind: 'done', answer: null }
  },
}
