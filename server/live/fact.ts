import * as v from 'valibot'
import { severity } from '#schema/wire/notification'
import { count, id, localizedText } from '#schema/wire/shapes'

const text = v.string()
const maybe = v.nullable(text)
/** The listing at that time; `image` is a path or null. */
const listing = { listing: id, title: text, image: maybe }
/** A moderator's free text, or a text in both languages. */
const reason = v.union([text, localizedText])

/**
 * The stored payload of an event [API 4.9], independent of language. The actor is a column of its
 * own, so that a later deletion of the account is respected.
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

/** The setting of [S3.15] that an event obeys [API 12.2]. */
export type Group = 'messages' | 'announcements' | 'system'

/** null for events that only go over the socket and are no notification. */
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

/**
 * The delay of a mail about an event, in ms [API 12.2]; null for no mail. Announcements send their
 * own mails.
 */
export function mailWait(event: FactName): number | null {
  if (event === 'message.created') return UNREAD_MS
  return event === 'listing.reviewed' || event === 'listing.expiring' ? 0 : null
}
