import * as v from 'valibot'
import { call, personal } from './call.ts'
import { count, id, paged, pages, sellerMini } from './shapes.ts'

const status = v.object({ user_id: id, following: v.boolean(), followers_count: count })

/** [API 10.1] */
export const followStats = call('follow.stats', 'GET', 'follow/stats/', {
  ...personal,
  answer: v.object({ followers_count: count, following_count: count }),
})

/** `id` is a user id or slug in both. */
export const followStatus = call('follow.status', 'GET', 'follow/{id}/status/', {
  ...personal,
  answer: status,
})

export const toggleFollow = call('follow.toggle', 'POST', 'follow/{id}/toggle/', {
  body: v.object({ desired: v.nullish(v.boolean()) }),
  answer: status,
})

const people = { ...personal, query: v.object(pages), answer: paged(sellerMini) } as const

export const listFollowing = call('follow.following', 'GET', 'follow/following/', people)
export const listFollowers = call('follow.followers', 'GET', 'follow/followers/', people)
