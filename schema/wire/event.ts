import * as v from 'valibot'
import { conversation } from './conversation.ts'
import { message } from './message.ts'
import { notification } from './notification.ts'

/** With the whole message, or the conversation as its reader sees it [API 14.4]. */
export const serverEvent = v.object({
  ...notification.entries,
  message: v.union([message, v.string()]),
  conversation: v.optional(conversation),
})
export type ServerEvent = v.InferOutput<typeof serverEvent>
