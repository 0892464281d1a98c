import { sql } from 'kysely'
import type { Message } from '#schema/wire/message'
import { violated } from '../../db/open.ts'
import type { Db, Tx } from '../../db/tables.ts'
import { refuse } from '../../http/refusal.ts'
import { newId } from '../../ids.ts'
import { publish } from '../../live/publish.ts'
import { messageOf, type AttachmentFacts, type MessageFacts } from './view.ts'

export interface Draft {
  readonly conversation: string
  readonly sender: string
  /** Cleaned; empty only with an attachment. */
  readonly content: string
  readonly attachment: AttachmentFacts | null
  readonly clientId: string | null
  /** Of the request, kept as long as the message (API.md 2). */
  readonly fingerprint: Buffer | null
  readonly now: Date
}

interface Place {
  last_seq: number
  buyer_id: string
  seller_id: string
  listing_id: string
  cover: string | null
  sender_username: string
  open: boolean
}

/**
 * Adds a message to a conversation (API.md 11.5): the next `seq` under the conversation's lock, both sides' lists, the events.
 * Throws 404 for who takes no part, 403 `cannot_message_user`, 422 for a key that another message has.
 */
export async function send(tx: Tx, draft: Draft): Promise<Message> {
  const place = await lock(tx, draft)
  const peer = place.buyer_id === draft.sender ? place.seller_id : place.buyer_id
  if (!place.open) throw refuse('cannot_message_user')
  const row = { ...factsOf(draft, place.last_seq + 1), sender_username: place.sender_username, sender_deleted: false }
  await write(tx, row, draft.fingerprint, peer)
  tell(tx, row, place, peer, draft.now)
  return messageOf(row, draft.sender)
}

/** Locks the conversation: what follows is the only send of it. A seller takes no part before the first message. */
async function lock(tx: Tx, { conversation, sender }: Draft): Promise<Place> {
  const { rows } = await sql<Place>`
    select c.last_seq, c.buyer_id, c.seller_id, c.listing_id, pic.hash as cover, me.username as sender_username,
      peer.deleted_at is null and peer.suspended_at is null and not exists (
        select from block b where (b.blocker_id = me.id and b.blocked_id = peer.id) or (b.blocker_id = peer.id and b.blocked_id = me.id)) as open
    from conversation c
    join app_user me on me.id = ${sender}
    join app_user peer on peer.id = case c.buyer_id when me.id then c.seller_id else c.buyer_id end
    join listing l on l.id = c.listing_id
    left join picture pic on pic.id = l.cover_id and pic.removed_at is null
    where c.id = ${conversation} and (c.buyer_id = me.id or (c.seller_id = me.id and c.last_seq > 0))
    for update of c`.execute(tx)
  const place = rows[0]
  if (place === undefined) throw refuse('not_found')
  return place
}

function factsOf(draft: Draft, seq: number) {
  return {
    id: newId(draft.now.getTime()),
    conversation_id: draft.conversation,
    seq,
    sender_id: draft.sender,
    content: draft.content,
    attachment: draft.attachment,
    client_id: draft.clientId,
    created_at: draft.now,
  }
}

async function write(tx: Tx, row: ReturnType<typeof factsOf>, fingerprint: Buffer | null, peer: string): Promise<void> {
  const at = row.created_at
  try {
    await sql`
      with counted as (
        update conversation set last_seq = ${row.seq} where id = ${row.conversation_id}
      ), mine as (
        insert into participant (user_id, conversation_id, sorted_at, updated_at)
        values (${row.sender_id}, ${row.conversation_id}, ${at}, ${at})
        on conflict (user_id, conversation_id) do update set sorted_at = excluded.sorted_at
      ), theirs as (
        insert into participant (user_id, conversation_id, unread, sorted_at, updated_at)
        values (${peer}, ${row.conversation_id}, 1, ${at}, ${at})
        on conflict (user_id, conversation_id) do update set unread = participant.unread + 1, sorted_at = excluded.sorted_at
      )
      insert into message (id, conversation_id, seq, sender_id, content, attachment, client_id, fingerprint, created_at)
      values (${row.id}, ${row.conversation_id}, ${row.seq}, ${row.sender_id}, ${row.content},
        ${row.attachment && JSON.stringify(row.attachment)}::jsonb, ${row.client_id}, ${fingerprint}, ${at})`.execute(tx)
  } catch (error) {
    if (violated(error) === 'message_key') throw refuse('idempotency_key_reused')
    throw error
  }
}

function tell(tx: Tx, row: MessageFacts & { seq: number }, place: Place, peer: string, now: Date): void {
  const shared = { conversation: row.conversation_id, listing: place.listing_id }
  const image = place.cover === null ? null : `/media/images/${place.cover}/320.webp`
  const message = { id: row.id, seq: row.seq, content: row.content }
  publish(tx, { to: peer, by: row.sender_id, at: now, fact: { event: 'message.created', ...shared, image, message } })
  publish(tx, { to: [peer, row.sender_id], by: null, at: now, fact: { event: 'conversation.updated', ...shared } })
}

/** The message that an author once sent with this key, and the fingerprint of that request (API.md 2, lifetime). */
export async function sentBefore(db: Db, sender: string, clientId: string): Promise<{ message: Message; fingerprint: Buffer | null } | null> {
  const row = await db
    .selectFrom('message as m')
    .innerJoin('app_user as u', 'u.id', 'm.sender_id')
    .select(['m.id', 'm.conversation_id', 'm.seq', 'm.sender_id', 'm.content', 'm.client_id', 'm.created_at', 'm.fingerprint', 'u.username as sender_username'])
    .select(sql<AttachmentFacts | null>`m.attachment`.as('attachment'))
    .where('m.sender_id', '=', sender)
    .where('m.client_id', '=', clientId)
    .executeTakeFirst()
  if (row === undefined) return null
  const { fingerprint, ...facts } = row
  return { message: messageOf({ ...facts, sender_deleted: false }, sender), fingerprint }
}
