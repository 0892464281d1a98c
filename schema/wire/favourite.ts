import * as v from 'valibot'
import { call, personal } from './call.ts'
import { count, id, moment, needed, pages } from './shapes.ts'

/** [API 10.2]: its id is the listing's [D16]. */
const favourite = v.object({ id, listing_id: id, created_at: moment })
export type Favourite = v.InferOutput<typeof favourite>

export const addFavourite = call('favourite.add', 'POST', 'favorites/', {
  body: v.object({ listing_id: needed }),
  answer: favourite,
  status: 201,
})

export const removeFavourite = call('favourite.remove', 'DELETE', 'favorites/{id}/')

/** Newest first; with `changed_since` the oldest change first, and `removed` [API 3]. */
export const listFavourites = call('favourite.list', 'GET', 'favorites/', {
  ...personal,
  query: v.object({ ...pages, changed_since: v.optional(v.string()) }),
  answer: v.object({
    count: v.optional(count),
    next: v.nullable(v.string()),
    previous: v.optional(v.nullable(v.string())),
    results: v.array(favourite),
    cursor: v.optional(v.string()),
    removed: v.optional(v.array(id)),
  }),
})
