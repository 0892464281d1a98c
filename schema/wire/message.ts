import * as v from 'valibot'
import { MESSAGE_MAX } from '../limits.ts'
import { call, personal } from './call.ts'
import {
  atLeast,
  atMost,
  clientId,
  count,
  id,
  image,
  moment,
  nullableText,
  pages,
} from './shapes.ts'

export const attachment = v.object({
  ...v.omit(image, ['position']).entries,
  type: v.literal('image'),
})
export type Attachment = v.InferOutput<typeof attachment>

/** [API 4.8]; ordered by `seq`, never edited. */
export const message = v.object({
  id,
  conversation: id,
  seq: count,
  client_id: nullableText,
  content: v.string(),
  sender_username: v.string(),
  sender_id: id,
  attachment: v.nullable(attachment),
  reply_to_id: v.nullable(id),
  created_at: moment,
})
export type Message = v.InferOutput<typeof message>

/** [API 11.4, API 11.6] */
export const seq = v.pipe(v.number(), v.integer('invalid'), v.minValue(0, 'invalid'))
/** [API 5.3] */
export const messageContent = v.pipe(v.string(), atLeast(1, 'message_empty'), atMost(MESSAGE_MAX))

/** [API 11.4]: newest first, with `after` oldest first. */
export const listMessages = call('message.list', 'GET', 'conversations/{id}/messages/', {
  ...personal,
  query: v.object({
    ...pages,
    before: v.optional(seq),
    after: v.optional(seq),
  }),
  answer: v.object({
    next: nullableText,
    results: v.array(message),
    last_seq: count,
    my_read_until: count,
    peer_read_until: count,
  }),
})

/** [API 11.5] */
export const sendMessage = call('message.send', 'POST', 'conversations/{id}/messages/', {
  body: v.object({
    content: v.nullish(v.pipe(v.string(), atMost(MESSAGE_MAX))),
    client_id: clientId,
    attachment_upload_id: v.optional(nullableText),
    reply_to_id: v.optional(nullableText),
  }),
  answer: message,
  status: 201,
  form: 'both',
  files: { attachment: 1 },
})
