import * as v from 'valibot'
import { count, id, image, moment } from './shapes.ts'

export const attachment = v.object({ ...v.omit(image, ['position']).entries, type: v.literal('image') })
export type Attachment = v.InferOutput<typeof attachment>

/** API.md 4.8; ordered by `seq`, never edited. */
export const message = v.object({
  id,
  conversation: id,
  seq: count,
  client_id: v.nullable(v.string()),
  content: v.string(),
  sender_username: v.string(),
  sender_id: id,
  attachment: v.nullable(attachment),
  created_at: moment,
})
export type Message = v.InferOutput<typeof message>
