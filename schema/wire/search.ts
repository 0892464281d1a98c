import * as v from 'valibot'
import { call, personal } from './call.ts'
import { listingPage, specs } from './listing.ts'
import { count, id, moment, pages, plain, text } from './shapes.ts'

const alerts = v.picklist(['off', 'daily', 'instant'])

/** [API 10.5]: `params` by the names of 8.2. */
export const savedSearch = v.object({
  id,
  name: v.string(),
  params: specs,
  alerts,
  new_count: count,
  created_at: moment,
  last_run_at: v.nullable(moment),
})
export type SavedSearch = v.InferOutput<typeof savedSearch>

const name = text(1, 60)

export const listSearches = call('search.list', 'GET', 'saved-searches/', {
  ...personal,
  answer: v.object({ count, results: v.array(savedSearch) }),
})

/**
 * `params` may also be a query string. The same ones again: 200 with the old row and the new name.
 */
export const saveSearch = call('search.save', 'POST', 'saved-searches/', {
  body: v.object({ name, params: v.union([v.string(), plain]), alerts: v.nullish(alerts) }),
  answer: savedSearch,
  status: 201,
})

export const editSearch = call('search.edit', 'PATCH', 'saved-searches/{id}/', {
  body: v.object({ name: v.optional(name), alerts: v.nullish(alerts) }),
  answer: savedSearch,
})

export const removeSearch = call('search.remove', 'DELETE', 'saved-searches/{id}/')

export const runSearch = call('search.run', 'GET', 'saved-searches/{id}/run/', {
  ...personal,
  query: v.object({ ...pages, seek: v.optional(v.string()) }),
  answer: v.object({ ...listingPage.entries, saved_search: savedSearch }),
})
