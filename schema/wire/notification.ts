import * as v from 'valibot'
import { call, personal } from './call.ts'
import { count, id, moment, nullableText, paged, pages } from './shapes.ts'

/** [S3.14, API 4.9]; an unknown event is shown by its title, message and url. */
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

export const severity = v.picklist(['error', 'warning', 'success', 'info'])

/** [API 4.9, S3.13] */
export const notification = v.object({
  id: v.nullable(id),
  event: v.string(),
  event_id: v.string(),
  ts: moment,
  title: v.string(),
  message: v.union([
    v.string(),
    v.looseObject({ content: v.string(), conversation: id, id, seq: v.number() }),
  ]),
  conversation_id: v.nullable(id),
  listing_id: v.nullable(id),
  url: nullableText,
  from_user: v.nullable(v.object({ id, username: v.string(), avatar: nullableText })),
  severity,
  icon: nullableText,
  image: nullableText,
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

/** [API 12.1]: newest first; with `after` oldest change first, with rows whose `read` changed. */
export const listNotifications = call('notification.list', 'GET', 'notifications/', {
  ...personal,
  query: v.object({
    ...pages,
    unread: v.optional(v.boolean()),
    after: v.optional(v.string()),
  }),
  answer: v.object({ ...paged(notification).entries, unread_count: count }),
})

/** [API 12.1]: `{id}` is the row's id or its event's. */
export const markNotificationRead = call(
  'notification.markRead',
  'POST',
  'notifications/{id}/mark-read/',
  {
    answer: v.object({ id, read: v.boolean(), unread_count: count }),
  },
)

export const markAllNotificationsRead = call(
  'notification.markAllRead',
  'POST',
  'notifications/mark-all-read/',
  {
    body: v.object({ up_to: v.nullish(v.string()) }),
    answer: v.object({ updated: count, unread_count: count, last_read_at: moment }),
  },
)

const channels = v.object({ in_app: v.boolean(), push: v.boolean(), email: v.boolean() })
const timeOfDay = v.pipe(v.string(), v.regex(/^([01]\d|2[0-3]):[0-5]\d$/))
/** `end` is exclusive; a `start` after `end` spans midnight. `timezone`: an IANA name. */
const quietHours = v.object({
  enabled: v.boolean(),
  start: timeOfDay,
  end: timeOfDay,
  timezone: v.pipe(v.string(), v.maxLength(64)),
})

/** [API 12.2, S3.15] */
export const preferences = v.object({
  messages: channels,
  announcements: channels,
  system: channels,
  quiet_hours: quietHours,
})
export type Preferences = v.InferOutput<typeof preferences>

const someChannels = v.optional(v.partial(channels))
export const somePreferences = v.object({
  messages: someChannels,
  announcements: someChannels,
  system: someChannels,
  quiet_hours: v.optional(v.partial(quietHours)),
})
export type SomePreferences = v.InferOutput<typeof somePreferences>

export const readPreferences = call(
  'notification.readPreferences',
  'GET',
  'preferences/notifications/',
  {
    ...personal,
    answer: preferences,
  },
)

/** [API 12.2]: the object itself or wrapped in `preferences`. */
export const writePreferences = call(
  'notification.writePreferences',
  'POST',
  'preferences/notifications/',
  {
    body: v.object({ ...somePreferences.entries, preferences: v.optional(somePreferences) }),
    answer: preferences,
  },
)
