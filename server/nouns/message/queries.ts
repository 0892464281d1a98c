import { sql } from 'kysely'
import type { Attachment, Message, listMessages } from '#schema/wire/message'
import { DELETED_NAME } from '#schema/wire/shapes'
import type { Row, Db } from '../../db/tables.ts'
import { pictureOf, type PictureFacts } from '../../files/variants.ts'
import type { AnswerOf } from '#schema/wire/call'
import { columnsOf } from '../../db/sql.ts'
import { plannedOnce } from '../../db/postgres.ts'
import { refuse } from '../../route/index.ts'

/** Of `conversation c`, other than `participant p`. */
export const peerId = sql`case p.user_id when c.buyer_id then c.seller_id else c.buyer_id end`

export const joinPeer = sql`left join participant peer on peer.conversation_id = c.id
  and peer.user_id = ${peerId}`

/** In a message; the address has 128 random bits [API 11.5]. */
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

/** [API 4.8]; only its author gets the `client_id`. */
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

export type Marks = Omit<AnswerOf<typeof listMessages>, 'next' | 'results'>

type Range = { readonly before: number; readonly offset: number } | { readonly after: number }

const SEQ_MAX = 2_147_483_647

/** Throws 404 for a non-participant. */
export async function marksOf(db: Db, reader: string, conversation: string) {
  const { rows } = await sql<Marks>`
    select c.last_seq, p.read_until as my_read_until, coalesce(peer.read_until, 0) as peer_read_until
    from participant p
    join conversation c on c.id = p.conversation_id ${joinPeer}
    where p.user_id = ${reader} and p.conversation_id = ${conversation}`.execute(db)
  const [marks] = rows
  if (marks === undefined) throw refuse('not_found')
  return marks
}

/** Of `message m` and its sender `u`. */
export const messageColumns = sql`${columnsOf('m', MESSAGE)}, u.username as sender_username,
  u.deleted_at is not null as sender_deleted`

export async function messagesOf(
  db: Db,
  reader: string,
  conversation: string,
  range: Range,
  limit: number,
) {
  const part =
    'after' in range
      ? sql`m.seq > ${Math.min(range.after, SEQ_MAX)} order by m.seq`
      : sql`m.seq < ${Math.min(range.before, SEQ_MAX)} order by m.seq desc offset ${range.offset}`
  const { rows } = await sql<MessageFacts>`
    select ${messageColumns} from message m join app_user u on u.id = m.sender_id
    where m.conversation_id = ${conversation} and ${part} limit ${limit}`.execute(db)
  return rows.map((row) => messageOf(row, reader))
}

export async function messagesAt(
  db: Db,
  places: readonly { reader: string; conversation: string; seq: number }[],
): Promise<(reader: string, conversation: string, seq: number) => Message | undefined> {
  if (places.length === 0) return () => undefined
  const { rows } = await sql<MessageFacts>`${plannedOnce}
    select ${messageColumns} from (select distinct * from unnest(${places.map((one) => one.conversation)}::text[],
      ${places.map((one) => one.seq)}::integer[]) as place(conversation_id, seq)) place
    join message m using (conversation_id, seq)
    join app_user u on u.id = m.sender_id`.execute(db)
  const found = new Map(rows.map((row) => [`${row.conversation_id} ${row.seq}`, row]))
  return (reader, conversation, seq) => {
    const row = found.get(`${conversation} ${seq}`)
    return row && messageOf(row, reader)
  }
}
