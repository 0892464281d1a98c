import * as v from 'valibot'
import { count, moment, rating, sellerMini } from './shapes.ts'

/** API.md 8.10: a seller's public page. */
export const shop = v.object({
  ...sellerMini.entries,
  bio: v.string(),
  followers_count: count,
  following_count: count,
  items_sold: count,
  years_on_platform: count,
  date_joined: moment,
  typical_response_hours: v.nullable(count),
  listings_count: count,
  rating,
  is_following: v.nullable(v.boolean()),
  is_me: v.boolean(),
  is_blocked: v.boolean(),
})
export type Shop = v.InferOutput<typeof shop>
