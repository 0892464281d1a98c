import { sql } from 'kysely'
import type { AnswerOf } from '#schema/wire/call'
import type { listMessages, Message } from '#schema/wire/message'
import { columnsOf } from '../../db/columns.ts'
import { plannedOnce } from '../../db/postgres.ts'
import type { Db } from '../../db/tables.ts'
import { refuse } from '../../route/index.ts'
import { MESSAGE, messageOf, peerId, type AttachmentFacts, type MessageFacts } from './view.ts'

export type Marks = Omit<AnswerOf<typeof listMessages>, 'next' | 'results'>

type Range = { readonly before: number; readonly offset: number } | { readonly after: number }

const SEQ_MAX = 2_147_483_647

/** Throws 404 for a user who is not a participant. */
export async function marksOf(db: Db, reader: string, conversation: string): Promise<Marks> {
  const { rows } = await sql<Marks>`
    select c.last_seq, p.read_until as my_read_until, coalesce(peer.read_until, 0) as peer_read_until
    from participant p
    join conversation c on c.id = p.conversation_id
    left join participant peer on peer.conversation_id = c.id
      and peer.user_id = ${peerId}
    where p.user_id = ${reader} and p.conversation_id = ${conversation}`.execute(db)
  const marks = rows[0]
  if (marks === undefined) throw refuse('not_found')
  return marks
}

export const messageRows = (db: Db) =>
  db
    .selectFrom('message as m')
    .innerJoin('app_user as u', 'u.id', 'm.sender_id')
    .select([
      'm.id',
      'm.conversation_id',
      'm.seq',
      'm.sender_id',
      'm.content',
      'm.reply_to_id',
      'm.client_id',
      'm.created_at',
      'u.username as sender_username',
    ])
    .select(sql<AttachmentFacts | null>`m.attachment`.as('attachment'))
    .select(sql<boolean>`u.deleted_at is not null`.as('sender_deleted'))

export async function messagesOf(
  db: Db,
  reader: string,
  conversation: string,
  range: Range,
  limit: number,
): Promise<Message[]> {
  const query = messageRows(db).where('m.conversation_id', '=', conversation).limit(limit)
  const rows =
    'after' in range
      ? await query.where('m.seq', '>', Math.min(range.after, SEQ_MAX)).orderBy('m.seq').execute()
      : await query
          .where('m.seq', '<', Math.min(range.before, SEQ_MAX))
          .orderBy('m.seq', 'desc')
          .offset(range.offset)
          .execute()
  return rows.map((row) => messageOf(row, reader))
}

/**
 * Loads single messages by conversation and seq; the returned function formats each for its reader.
 */
export async function messagesAt(
  db: Db,
  places: readonly { reader: string; conversation: string; seq: number }[],
): Promise<(reader: string, conversation: string, seq: number) => Message | undefined> {
  if (places.length === 0) return () => undefined
  const { rows } = await sql<MessageFacts>`${plannedOnce}
    select ${columnsOf('m', MESSAGE)}, u.username as sender_username, u.deleted_at is not null as sender_deleted
    from (select distinct * from unnest(${places.map((one) => one.conversation)}::text[],
      ${places.map((one) => one.seq)}::integer[]) as place(conversation_id, seq)) place
    join message m using (conversation_id, seq)
    join app_user u on u.id = m.sender_id`.execute(db)
  const found = new Map(rows.map((row) => [`${row.conversation_id} ${row.seq}`, row]))
  return (reader, conversation, seq) => {
    const row = found.get(`${conversation} ${seq}`)
    return row && messageOf(row, reader)
  }
}
