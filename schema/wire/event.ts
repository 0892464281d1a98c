import * as v from 'valibot'
import { conversation } from './conversation.ts'
import { message } from './message.ts'
import { notification } from './notification.ts'

/**
 * A notification with the whole message (for `message.created`), and the whole conversation as its
 * reader sees it (for both conversation events) [API 14.4].
 */
export const serverEvent = v.object({
  ...notification.entries,
  message: v.union([message, v.string()]),
  conversation: v.optional(conversation),
})
export type ServerEvent = v.InferOutput<typeof serverEvent>
