import * as v from 'valibot'
import {
  BIO_MAX,
  COMMENT_MAX,
  IMAGES_PER_LISTING,
  MESSAGE_MAX,
  REACTIVATE_DAYS_MAX,
  REPORT_MAX,
  SHOP_NAME_MAX,
} from '../limits.ts'
import { somePreferences } from '../wire/notification.ts'
import { language } from '../wire/shapes.ts'

const id = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,80}$/))
const storedPhoto = { id, bytes: v.number() }

/** What a message says: words, a photo that the phone keeps, or both. The photo's id is the command's, so that it goes once. */
const messageContent = {
  content: v.pipe(v.string(), v.trim(), v.maxLength(2 * MESSAGE_MAX, 'too_long')),
  photo: v.optional(v.object(storedPhoto)),
}
export type MessageContent = v.InferOutput<v.ObjectSchema<typeof messageContent, undefined>>
const hasContent = ({ content, photo }: MessageContent): boolean =>
  content !== '' || photo !== undefined

/** What a person types about a listing, by the names of [API 5.3]. */
export const listingFields = v.object({
  title: v.string(),
  description: v.string(),
  category: v.string(),
  price: v.nullable(v.number()),
  negotiable: v.boolean(),
  region: v.string(),
  town: v.nullable(v.string()),
  neighbourhood: v.nullable(v.string()),
  location_note: v.nullable(v.string()),
  contact_phone: v.nullable(v.string()),
  specs: v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])),
})
export type ListingFields = v.InferOutput<typeof listingFields>

/** A photo that the phone keeps under `id`; `upload` is filled in by the engine once the server has it, `round` counts its uploads. */
const photo = v.object({
  ...storedPhoto,
  upload: v.optional(v.nullable(v.string()), null),
  round: v.optional(v.number(), 0),
})
export type QueuedPhoto = v.InferOutput<typeof photo>

/** Payload of every command. Each works offline, is queued with its id as the idempotency key, and happens once. */
export const commands = {
  'message.send': v.pipe(
    v.object({ conversation: id, ...messageContent }),
    v.check((one) => hasContent(one), 'message_empty'),
  ),
  /**
   * Begins a conversation with its first message; the local conversation is `new-LISTING`. `conversation` is filled in by the
   * engine where the server made the conversation and the message still has to follow: a simpler server leaves it, and none
   * takes a photo along with the start [API 11.1].
   */
  'conversation.start': v.pipe(
    v.object({ listing: id, ...messageContent, conversation: v.optional(id) }),
    v.check((one) => hasContent(one), 'message_empty'),
  ),
  'conversation.read': v.object({
    conversation: id,
    upTo: v.pipe(v.number(), v.integer(), v.minValue(0)),
  }),
  'listing.save': v.object({ listing: id, saved: v.boolean() }),
  'listing.viewed': v.object({ listing: id, source: v.pipe(v.string(), v.maxLength(40)) }),
  'notification.read': v.object({ id }),
  /** `upTo` is the newest one that was on the screen [API 12.1]. */
  'notification.readAll': v.object({ upTo: id }),
  /** What is given replaces; what is absent stays [API 12.2]. */
  'preferences.change': somePreferences,
  /** [API 7.4]; null clears. */
  'account.edit': v.partial(
    v.object({
      shop_name: v.nullable(v.pipe(v.string(), v.maxLength(2 * SHOP_NAME_MAX))),
      bio: v.pipe(v.string(), v.maxLength(2 * BIO_MAX)),
      phone: v.nullable(v.pipe(v.string(), v.maxLength(30))),
      language,
    }),
  ),
  /** Visitors may report too [API 10.4]. */
  'report.send': v.object({
    category: v.picklist(['spam', 'fraud', 'inappropriate', 'other']),
    message: v.pipe(v.string(), v.maxLength(2 * REPORT_MAX)),
    listing: v.nullable(id),
    user: v.nullable(id),
  }),
  /** The desired end state [API 10.6]. */
  'user.block': v.object({ user: id, blocked: v.boolean() }),
  /** The desired end state [API 10.1]; `user` as the question names them. */
  'user.follow': v.object({ user: id, following: v.boolean() }),
  /** One review per seller, written again it replaces [API 10.3]. */
  'review.write': v.object({
    seller: id,
    rating: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5)),
    comment: v.pipe(v.string(), v.maxLength(2 * COMMENT_MAX)),
  }),
  'search.save': v.object({
    name: v.pipe(v.string(), v.trim(), v.minLength(1, 'required'), v.maxLength(60, 'too_long')),
    params: v.record(v.pipe(v.string(), v.maxLength(80)), v.pipe(v.string(), v.maxLength(400))),
  }),
  'search.remove': v.object({ id }),
  /** A draft becomes a listing; the command's id is the draft's, so that it is published once [API 9.1]. */
  'listing.publish': v.object({
    draft: id,
    fields: listingFields,
    photos: v.pipe(v.array(photo), v.maxLength(IMAGES_PER_LISTING, 'too_many_images')),
    whole: v.optional(v.boolean()),
    wifiOnly: v.boolean(),
  }),
  /**
   * What is given replaces [API 9.2]. `base` holds the same fields as the person saw them, so that the engine can tell a
   * conflict from another device's edit of something else. `images`: all photos as they shall stand, the cover first, by the
   * server's ids and those of `photos` (which it does not have yet), and the ids that stood there before; null: untouched.
   */
  'listing.edit': v.object({
    listing: id,
    /** What it was written as; gone once the server has it all. */
    draft: id,
    fields: v.partial(listingFields),
    base: v.partial(listingFields),
    photos: v.pipe(v.array(photo), v.maxLength(IMAGES_PER_LISTING, 'too_many_images')),
    images: v.nullable(
      v.object({
        order: v.pipe(v.array(id), v.maxLength(IMAGES_PER_LISTING, 'too_many_images')),
        before: v.array(id),
      }),
    ),
    baseVersion: v.nullable(v.number()),
    wifiOnly: v.boolean(),
    /** Filled in by the engine: for a server without `uploads/` … */
    whole: v.optional(v.boolean()),
    /** … and what the server said, when only the photos are still to be put in order. */
    left: v.optional(v.object({ order: v.array(id), listing: v.unknown() })),
  }),
  /** The desired end state of one flag [API 9.4]. */
  'listing.state': v.object({
    listing: id,
    flag: v.picklist(['active', 'featured', 'sold', 'reserved', 'archived']),
    desired: v.boolean(),
  }),
  'listing.reactivate': v.object({
    listing: id,
    days: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(REACTIVATE_DAYS_MAX)),
  }),
  'listing.delete': v.object({ listing: id }),
} as const

export type CommandName = keyof typeof commands
export type Payload<N extends CommandName> = v.InferOutput<(typeof commands)[N]>
/** `id` is a UUIDv7 made at the tap: sending the same command again is the same command. */
export interface Command<N extends CommandName = CommandName> {
  readonly id: string
  readonly name: N
  readonly payload: Payload<N>
  /** Key of the kept text that this command uses up: it goes in the transaction that queues the command, and with it the kept name of its photo. */
  readonly draft?: string
}
