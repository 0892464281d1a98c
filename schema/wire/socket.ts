import * as v from 'valibot'
import { id, moment, nullableText } from './shapes.ts'

/** `token`, `last_event_id` and `lang` are in the query [API 14.1]. */
export const SOCKET_PATH = '/ws/notifications/'

/** [API 14.1]; 1009 is a frame above 4 KB. */
export const CLOSE = {
  restart: 1012,
  overload: 1013,
  rubbish: 4400,
  signedOut: 4401,
  suspended: 4403,
  silent: 4408,
  tooManySockets: 4409,
  tooManyFrames: 4429,
} as const

export const hello = v.object({
  type: v.literal('hello'),
  server_time: moment,
  user_id: id,
  last_event_id: nullableText,
  heartbeat_s: v.number(),
  timeout_s: v.number(),
})

export const pong = v.object({
  type: v.literal('pong'),
  ts: v.optional(v.number()),
  server_time: moment,
})

export const resumed = v.object({
  type: v.literal('resumed'),
  replayed: v.number(),
  last_event_id: nullableText,
})

/** The client refetches what changed [API 3], whatever the reason. */
export const resync = v.object({
  type: v.literal('resync'),
  reason: v.string(),
  last_event_id: nullableText,
})

export const typingShown = v.object({
  type: v.literal('typing'),
  conversation: id,
  from_user: v.object({ id, username: v.string() }),
  active: v.boolean(),
})
export type TypingShown = v.InferOutput<typeof typingShown>

const frameError = v.object({
  type: v.literal('error'),
  code: v.string(),
  detail: v.string(),
})

/** [API 14.3] */
export const serverControl = v.variant('type', [
  hello,
  pong,
  resumed,
  resync,
  typingShown,
  frameError,
])
export type ServerControl = v.InferOutput<typeof serverControl>

/** [API 14.3]; an unknown `type` is ignored, and the bare word `ping` accepted. */
export const clientFrame = v.variant('type', [
  v.object({ type: v.literal('ping'), ts: v.optional(v.pipe(v.number(), v.finite())) }),
  v.object({ type: v.literal('resume'), last_event_id: v.pipe(v.string(), v.maxLength(64)) }),
  v.object({ type: v.literal('typing'), conversation: id, active: v.boolean() }),
  v.object({ type: v.literal('presence'), visible: v.boolean() }),
])
export type ClientFrame = v.InferOutput<typeof clientFrame>
export const CLIENT_FRAMES = ['ping', 'resume', 'typing', 'presence'] as const
