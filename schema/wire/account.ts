import * as v from 'valibot'
import { count, id, language, moment } from './shapes.ts'

export const counters = v.object({ unread_messages: count, unread_conversations: count, unread_notifications: count })

/** API.md 4.3: the signed-in person. */
export const user = v.object({
  id,
  username: v.string(),
  email: v.string(),
  email_verified: v.boolean(),
  phone: v.nullable(v.string()),
  avatar: v.nullable(v.string()),
  shop_name: v.nullable(v.string()),
  slug: v.string(),
  bio: v.string(),
  followers_count: count,
  following_count: count,
  items_sold: count,
  years_on_platform: count,
  date_joined: moment,
  verified_seller: v.boolean(),
  is_moderator: v.boolean(),
  typical_response_hours: v.nullable(count),
  language,
  counters,
  updated_at: moment,
})
export type User = v.InferOutput<typeof user>
