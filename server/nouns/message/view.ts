import { sql } from 'kysely'
import type { Attachment, Message } from '#schema/wire/message'
import { DELETED_NAME } from '#schema/wire/shapes'
import type { Row } from '../../db/tables.ts'
import { pictureOf, type PictureFacts } from '../../files/variants.ts'

/** The other one of `conversation c` than `participant p`. */
export const peerId = sql`case p.user_id when c.buyer_id then c.seller_id else c.buyer_id end`

/** The stored fields of a picture in a message; its address has 128 random bits [API 11.5]. */
export type AttachmentFacts = PictureFacts & { readonly id: string }

export const MESSAGE = [
  'id',
  'conversation_id',
  'seq',
  'sender_id',
  'content',
  'attachment',
  'reply_to_id',
  'client_id',
  'created_at',
] as const

export interface MessageFacts extends Omit<
  Pick<Row<'message'>, (typeof MESSAGE)[number]>,
  'attachment' | 'created_at'
> {
  readonly attachment: AttachmentFacts | null
  readonly created_at: Date | string
  readonly sender_username: string
  readonly sender_deleted: boolean
}

/** The Message of [API 4.8] as `reader` sees it: only its author gets the `client_id`. */
export function messageOf(row: MessageFacts, reader: string): Message {
  return {
    id: row.id,
    conversation: row.conversation_id,
    seq: row.seq,
    client_id: row.sender_id === reader ? row.client_id : null,
    content: row.content,
    sender_username: row.sender_deleted ? DELETED_NAME : row.sender_username,
    sender_id: row.sender_id,
    attachment: row.attachment && attachmentOf(row.attachment),
    reply_to_id: row.reply_to_id,
    created_at: new Date(row.created_at).toISOString(),
  }
}

const attachmentOf = (facts: AttachmentFacts): Attachment => ({
  id: facts.id,
  type: 'image',
  ...pictureOf('attachments', facts),
})
