import * as v from 'valibot'
import { MESSAGE_MAX } from '../limits.ts'

const id = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,80}$/))
const content = v.pipe(v.string(), v.trim(), v.minLength(1, 'message_empty'), v.maxLength(2 * MESSAGE_MAX, 'too_long'))

/** Payload of every command. Each works offline, is queued with its id as the idempotency key, and happens once. */
export const commands = {
  'message.send': v.object({ conversation: id, content }),
  /** Begins a conversation with its first message; the local conversation is `new-LISTING`. */
  'conversation.start': v.object({ listing: id, content }),
  'conversation.read': v.object({ conversation: id, upTo: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
  'listing.save': v.object({ listing: id, saved: v.boolean() }),
  'listing.viewed': v.object({ listing: id, source: v.pipe(v.string(), v.maxLength(40)) }),
} as const

export type CommandName = keyof typeof commands
export type Payload<N extends CommandName> = v.InferOutput<(typeof commands)[N]>
/** `id` is a UUIDv7 made at the tap: sending the same command again is the same command. */
export interface Command<N extends CommandName = CommandName> {
  readonly id: string
  readonly name: N
  readonly payload: Payload<N>
}
