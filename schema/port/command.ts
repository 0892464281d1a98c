import * as v from 'valibot'
import { BIO_MAX, MESSAGE_MAX, REPORT_MAX, SHOP_NAME_MAX } from '../limits.ts'
import { somePreferences } from '../wire/notification.ts'
import { language } from '../wire/shapes.ts'

const id = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,80}$/))
const content = v.pipe(v.string(), v.trim(), v.minLength(1, 'message_empty'), v.maxLength(2 * MESSAGE_MAX, 'too_long'))

/** Payload of every command. Each works offline, is queued with its id as the idempotency key, and happens once. */
export const commands = {
  'message.send': v.object({ conversation: id, content }),
  /**
   * Begins a conversation with its first message; the local conversation is `new-LISTING`. `conversation` is filled in by the
   * engine where a plainer server made the conversation and left the message.
   */
  'conversation.start': v.object({ listing: id, content, conversation: v.optional(id) }),
  'conversation.read': v.object({ conversation: id, upTo: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
  'listing.save': v.object({ listing: id, saved: v.boolean() }),
  'listing.viewed': v.object({ listing: id, source: v.pipe(v.string(), v.maxLength(40)) }),
  'notification.read': v.object({ id }),
  /** `upTo` is the newest one that was on the screen (API.md 12.1). */
  'notification.readAll': v.object({ upTo: id }),
  /** What is given replaces; what is absent stays (API.md 12.2). */
  'preferences.change': somePreferences,
  /** API.md 7.4; null clears. */
  'account.edit': v.partial(
    v.object({
      shop_name: v.nullable(v.pipe(v.string(), v.maxLength(2 * SHOP_NAME_MAX))),
      bio: v.pipe(v.string(), v.maxLength(2 * BIO_MAX)),
      phone: v.nullable(v.pipe(v.string(), v.maxLength(30))),
      language,
    }),
  ),
  /** Visitors may report too (API.md 10.4). */
  'report.send': v.object({
    category: v.picklist(['spam', 'fraud', 'inappropriate', 'other']),
    message: v.pipe(v.string(), v.maxLength(2 * REPORT_MAX)),
    listing: v.nullable(id),
    user: v.nullable(id),
  }),
  /** The desired end state (API.md 10.6). */
  'user.block': v.object({ user: id, blocked: v.boolean() }),
} as const

export type CommandName = keyof typeof commands
export type Payload<N extends CommandName> = v.InferOutput<(typeof commands)[N]>
/** `id` is a UUIDv7 made at the tap: sending the same command again is the same command. */
export interface Command<N extends CommandName = CommandName> {
  readonly id: string
  readonly name: N
  readonly payload: Payload<N>
  /** Key of the kept text that this command uses up: it goes in the transaction that queues the command. */
  readonly draft?: string
}
