import * as v from 'valibot'
import { id, moment } from './shapes.ts'

/** S3.14 and the additions of API.md 4.9; an unknown event is shown from its title, message and url. */
export const eventName = v.picklist([
  'message.created',
  'conversation.updated',
  'listing.published',
  'listing.reviewed',
  'listing.new_from_followed',
  'follow.created',
  'admin.announcement',
  'listing.phone_viewed',
  'client.success',
  'client.info',
  'listing.expiring',
  'saved_search.matched',
  'review.created',
  'notification.read',
])
export type EventName = v.InferOutput<typeof eventName>

export const severity = v.picklist(['error', 'warning', 'success', 'info'])

/** API.md 4.9 and S3.13. */
export const notification = v.object({
  id: v.nullable(id),
  event: v.string(),
  event_id: v.string(),
  ts: moment,
  title: v.string(),
  message: v.union([v.string(), v.looseObject({ content: v.string(), conversation: id, id, seq: v.number() })]),
  conversation_id: v.nullable(id),
  listing_id: v.nullable(id),
  url: v.nullable(v.string()),
  from_user: v.nullable(v.object({ id, username: v.string(), avatar: v.nullable(v.string()) })),
  severity,
  icon: v.nullable(v.string()),
  image: v.nullable(v.string()),
  tag: v.string(),
  meta: v.looseObject({
    conversationId: v.optional(v.string()),
    listingId: v.optional(v.string()),
    count: v.number(),
    reason: v.optional(v.string()),
    decision: v.optional(v.string()),
  }),
  read: v.boolean(),
})
export type Notification = v.InferOutput<typeof notification>
