import * as v from 'valibot'
import { BIO_MAX, COMMENT_MAX, MESSAGE_MAX, REPORT_MAX, SHOP_NAME_MAX } from '../limits.ts'
import { parsed } from '../parsed.ts'
import { somePreferences } from '../wire/notification.ts'
import { count, language, localId as id, whole } from '../wire/shapes.ts'
import {
  listingEdit,
  listingFields,
  listingReactivation,
  listingState,
  photo,
  photos,
  storedPhoto,
} from './ownListing.ts'

/** The photo has the command's id, so that it is uploaded once. */
const messageContent = {
  content: v.pipe(v.string(), v.trim(), v.maxLength(2 * MESSAGE_MAX, 'too_long')),
  photo: v.optional(v.object(storedPhoto)),
  replyTo: v.optional(id),
}
export type MessageContent = v.InferOutput<v.ObjectSchema<typeof messageContent, undefined>>
const hasContent = ({ content, photo }: MessageContent) => content !== '' || photo !== undefined

const textUpTo = (units: number) => v.pipe(v.string(), v.maxLength(units))

/** What the outbox reads of a payload of any command. */
export const weighed = v.object({
  wifiOnly: v.optional(v.boolean(), false),
  photo: v.optional(v.object(storedPhoto)),
  photos: v.optional(v.array(photo), []),
})

/** Commands work offline: each is queued, and takes effect once. */
export const commands = {
  'message.send': v.pipe(
    v.object({ conversation: id, ...messageContent }),
    v.check((one) => hasContent(one), 'message_empty'),
  ),
  /**
   * The engine sets `conversation` when the message must follow the start: a start takes no photo,
   * and simpler servers ignore its text [API 11.1].
   */
  'conversation.start': v.pipe(
    v.object({ listing: id, ...messageContent, conversation: v.optional(id) }),
    v.check((one) => hasContent(one), 'message_empty'),
  ),
  'conversation.read': v.object({
    conversation: id,
    upTo: count,
  }),
  'listing.save': v.object({ listing: id, saved: v.boolean() }),
  'listing.viewed': v.object({ listing: id, source: textUpTo(40) }),
  'notification.read': v.object({ id }),
  /** The newest that was on the screen [API 12.1]. */
  'notification.readAll': v.object({ upTo: id }),
  'preferences.change': somePreferences,
  /** null clears a field [API 7.4]. */
  'account.edit': v.partial(
    v.object({
      shop_name: v.nullable(textUpTo(2 * SHOP_NAME_MAX)),
      bio: textUpTo(2 * BIO_MAX),
      phone: v.nullable(textUpTo(30)),
      language,
    }),
  ),
  'report.send': v.object({
    category: v.picklist(['spam', 'fraud', 'inappropriate', 'other']),
    message: textUpTo(2 * REPORT_MAX),
    listing: v.nullable(id),
    user: v.nullable(id),
  }),
  'user.block': v.object({ user: id, blocked: v.boolean() }),
  /** [API 10.1]; `user` as in the question `seller.follow`. */
  'user.follow': v.object({ user: id, following: v.boolean() }),
  /** A second review of a seller replaces the first [API 10.3]. */
  'review.write': v.object({
    seller: id,
    rating: whole(1, 5),
    comment: textUpTo(2 * COMMENT_MAX),
  }),
  'search.save': v.object({
    name: v.pipe(v.string(), v.trim(), v.minLength(1, 'required'), v.maxLength(60, 'too_long')),
    params: v.record(textUpTo(80), textUpTo(400)),
  }),
  'search.remove': v.object({ id }),
  /** The command's id is the draft's, so that it is published once [API 9.1]. */
  'listing.publish': v.object({
    draft: id,
    fields: listingFields,
    photos,
    whole: v.optional(v.boolean()),
    wifiOnly: v.boolean(),
  }),
  /**
   * Given fields replace [API 9.2]; `base` has their previous values. `images.order`: all photo
   * ids, the server's and those of `photos`, cover first; null: unchanged.
   */
  'listing.edit': listingEdit,
  /** [API 9.4] */
  'listing.state': listingState,
  'listing.reactivate': listingReactivation,
  'listing.delete': v.object({ listing: id }),
} as const

export type CommandName = keyof typeof commands
export type Payload<N extends CommandName> = v.InferOutput<(typeof commands)[N]>
export function payloadOf<N extends CommandName>(name: N, payload: unknown): Payload<N> | null {
  return parsed(commands[name], payload)
}

export type Command<N extends CommandName = CommandName> = Readonly<{
  id: string
  name: N
  payload: Payload<N>
  /** Key of the draft text that the queueing transaction deletes, with its quotation. */
  draft?: string
}>
