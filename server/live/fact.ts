import * as v from 'valibot'
import { severity } from '#schema/wire/notification'
import { count, id, localizedText } from '#schema/wire/shapes'
import type { PushOptions } from '../webpush/service.ts'

const text = v.string()
const maybe = v.nullable(text)
/** The listing at that time; `image` is a path or null. */
const listing = { listing: id, title: text, image: maybe }
const reason = v.union([text, localizedText])

/**
 * The stored payload of an event [API 4.9], without its actor, whose account may be deleted later.
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
type FactName = Fact['event']

/** The setting of [S3.15] [API 12.2]. */
export type Group = 'messages' | 'announcements' | 'system'

type Rule = Readonly<{
  /** null: only over the socket, no notification. */
  group: Group | null
  push: Pick<PushOptions, 'ttl' | 'urgency'> | null
  /** null: no mail. Announcements send their own. */
  mailAfterMs: number | null
}>

const DAY_S = 86_400
const SILENT: Rule = { group: null, push: null, mailAfterMs: null }
const OWN: Rule = {
  group: 'system',
  push: { ttl: 3 * DAY_S, urgency: 'normal' },
  mailAfterMs: null,
}
const NEWS: Rule = {
  group: 'announcements',
  push: { ttl: DAY_S, urgency: 'low' },
  mailAfterMs: null,
}

/** What follows from an event [API 12.2, API 13.2]. */
export const rules: Readonly<Record<FactName, Rule>> = {
  'message.created': {
    group: 'messages',
    push: { ttl: 3 * DAY_S, urgency: 'high' },
    mailAfterMs: 3_600_000,
  },
  'conversation.updated': SILENT,
  'notification.read': SILENT,
  'listing.published': OWN,
  'listing.reviewed': { ...OWN, mailAfterMs: 0 },
  'listing.expiring': { ...OWN, mailAfterMs: 0 },
  'listing.phone_viewed': OWN,
  'follow.created': OWN,
  'review.created': OWN,
  'listing.new_from_followed': NEWS,
  'saved_search.matched': NEWS,
  'admin.announcement': NEWS,
}
