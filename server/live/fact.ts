import * as v from 'valibot'
import { severity } from '#schema/wire/notification'
import { count, id, localizedText } from '#schema/wire/shapes'

const text = v.string()
const maybe = v.nullable(text)
/** A listing as it was then; `image` is a path or null. */
const listing = { listing: id, title: text, image: maybe }
/** A moderator's own words, or a text in both languages. */
const reason = v.union([text, localizedText])

/**
 * What happened, as it is kept with an event [API 4.9]: facts without language. Who caused it stands beside it,
 * so that a later deletion of that account is respected.
 */
export const fact = v.variant('event', [
  v.object({
    event: v.literal('message.created'),
    conversation: id,
    listing: id,
    image: maybe,
    message: v.object({ id, seq: count, content: text }),
  }),
  v.object({ event: v.literal('conversation.updated'), conversation: id, listing: id }),
  v.object({ event: v.literal('listing.published'), ...listing }),
  v.object({
    event: v.literal('listing.reviewed'),
    ...listing,
    decision: v.picklist(['approved', 'rejected']),
    reason: v.nullable(reason),
    reason_code: v.optional(text),
  }),
  v.object({ event: v.literal('listing.new_from_followed'), ...listing }),
  v.object({ event: v.literal('listing.phone_viewed'), ...listing }),
  v.object({ event: v.literal('listing.expiring'), ...listing, days_left: v.picklist([0, 3]) }),
  v.object({ event: v.literal('follow.created') }),
  v.object({ event: v.literal('saved_search.matched'), search: id, name: text, new_count: count }),
  v.object({ event: v.literal('review.created'), rating: count, comment: text, slug: text }),
  v.object({
    event: v.literal('admin.announcement'),
    title: localizedText,
    message: localizedText,
    url: text,
    severity,
    icon: maybe,
    email: v.optional(v.boolean()),
  }),
  v.object({
    event: v.literal('notification.read'),
    ids: v.nullable(v.array(id)),
    upTo: v.nullable(id),
  }),
])
export type Fact = v.InferOutput<typeof fact>
export type FactName = Fact['event']

/** The switch of [S3.15] that an event obeys [API 12.2]. */
export type Group = 'messages' | 'announcements' | 'system'

/** null for what is no notification: it goes over the socket and nowhere else. */
export function groupOf(event: FactName): Group | null {
  switch (event) {
    case 'conversation.updated':
    case 'notification.read':
      return null
    case 'message.created':
      return 'messages'
    case 'admin.announcement':
    case 'listing.new_from_followed':
    case 'saved_search.matched':
      return 'announcements'
    case 'follow.created':
    case 'listing.expiring':
    case 'listing.phone_viewed':
    case 'listing.published':
    case 'listing.reviewed':
    case 'review.created':
      return 'system'
  }
}

const UNREAD_MS = 60 * 60_000

/** How long a mail about an event waits, in ms [API 12.2]; null for what is never mailed. Announcements are mailed by who makes them. */
export function mailWait(event: FactName): number | null {
  if (event === 'message.created') return UNREAD_MS
  return event === 'listing.reviewed' || event === 'listing.expiring' ? 0 : null
}
