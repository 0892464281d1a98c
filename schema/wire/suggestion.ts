import * as v from 'valibot'
import { call } from './call.ts'
import { commaList } from './shapes.ts'

/** [API 8.11]. In a file of its own, as it is loaded late. */
export const suggestions = v.object({
  /** null: nothing better is known. */
  corrected: v.nullable(v.string()),
  results: v.array(v.object({ search: v.string(), category: v.string() })),
})
export type Suggestions = v.InferOutput<typeof suggestions>

export const suggestSearches = call('listing.suggest', 'GET', 'listings/suggestions/', {
  query: v.object({ search: v.optional(v.string()), category: v.optional(commaList) }),
  answer: suggestions,
})
