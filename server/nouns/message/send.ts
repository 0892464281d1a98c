import { sql } from 'kysely'
import { planned } from '../../db/postgres.ts'
import type { Db, Row, Tx } from '../../db/tables.ts'
import { refuse, refuseField, requireSame } from '../../route/index.ts'
import { newId } from '../../ids.ts'
import { publish } from '../../live/publish.ts'
import { conversationChanged } from '../conversation/changes.ts'
import { messageOf, type AttachmentFacts, type MessageFacts, messageColumns } from './queries.ts'

type Draft = Omit<Row<'message'>, 'id' | 'seq' | 'attachment' | 'created_at'> & {
  readonly attachment: AttachmentFacts | null
  readonly now: Date
}

interface Place {
  /** null when it was not written. */
  seq: number | null
  /** Never before the preceding message. */
  at: Date
  peer: string
  listing_id: string
  cover: string | null
  sender_username: string
  open: boolean
  /** One of this conversation; true without one. */
  answers: boolean
}

/** The conversation's lock orders messages [API 11.5]; a reused key returns its message [D96]. */
export async function send(tx: Tx, draft: Draft) {
  const { fingerprint, now, ...given } = draft
  const facts = { ...given, id: newId(now.getTime()), created_at: now }
  const place = await write(tx, facts, fingerprint)
  if (place === undefined || place.seq === null)
    return { message: await repeated(tx, draft, place), replayed: true }
  const row = {
    ...facts,
    seq: place.seq,
    created_at: place.at,
    sender_username: place.sender_username,
    sender_deleted: false,
  }
  publishEvents(tx, row, place, place.at)
  return { message: messageOf(row, row.sender_id), replayed: false }
}

/** Undefined for non-participants. The seller becomes one with the first message. */
async function write(
  tx: Tx,
  facts: Omit<MessageFacts, 'seq' | 'sender_username' | 'sender_deleted'>,
  fingerprint: Buffer | null,
) {
  const { id, conversation_id, sender_id, content, attachment, reply_to_id, client_id } = facts
  const at = facts.created_at
  const { rows } = await planned<Place>`
    with place as (
      select c.id, c.last_seq, greatest(${at}::timestamptz, c.last_at) as at, c.listing_id,
        pic.hash as cover, me.username as sender_username, peer.id as peer,
        peer.deleted_at is null and peer.suspended_at is null and not exists (
          select from block b where (b.blocker_id, b.blocked_id) in ((me.id, peer.id), (peer.id, me.id))) as open,
        ${reply_to_id}::text is null or exists (
          select from message m where m.id = ${reply_to_id} and m.conversation_id = c.id) as answers
      from conversation c
      join app_user me on me.id = ${sender_id}
      join app_user peer on peer.id = case c.buyer_id when me.id then c.seller_id else c.buyer_id end
      join listing l on l.id = c.listing_id
      left join picture pic on pic.id = l.cover_id and pic.removed_at is null
      where c.id = ${conversation_id} and (c.buyer_id = me.id or (c.seller_id = me.id and c.last_seq > 0))
      for update of c
    ), written as (
      insert into message (id, conversation_id, seq, sender_id, content, attachment, reply_to_id,
        client_id, fingerprint, created_at)
      select ${id}, place.id, place.last_seq + 1, ${sender_id}, ${content},
        ${attachment && JSON.stringify(attachment)}::jsonb, ${reply_to_id}::text,
        ${client_id}, ${fingerprint}::bytea, place.at
      from place where open and answers
      on conflict (sender_id, client_id) where client_id is not null do nothing
      returning seq
    ), counted as (
      update conversation set last_seq = written.seq, last_at = place.at from written, place
        where conversation.id = ${conversation_id}
    ), sides as (
      insert into participant (user_id, conversation_id, sorted_at, updated_at)
      select side.id, ${conversation_id}, place.at, place.at from written, place,
        lateral (values (${sender_id}), (place.peer)) as side(id)
      where place.last_seq = 0
      on conflict (user_id, conversation_id) do nothing
    )
    select (select seq from written) as seq, at, peer, listing_id, cover, sender_username, open,
      answers
    from place`.execute(tx)
  return rows[0]
}

async function repeated(
  tx: Tx,
  { sender_id, client_id, fingerprint }: Draft,
  place: Place | undefined,
) {
  const before = await sentBefore(tx, sender_id, client_id)
  if (before === null) throw refusal(place)
  requireSame(before.fingerprint, fingerprint)
  return before.message
}

function refusal(place: Place | undefined) {
  if (place === undefined) return refuse('not_found')
  return place.open && !place.answers
    ? refuseField('reply_to_id', 'invalid')
    : refuse('cannot_message_user')
}

function publishEvents(tx: Tx, row: MessageFacts, place: Place, now: Date) {
  const shared = { conversation: row.conversation_id, listing: place.listing_id }
  const image = place.cover === null ? null : `/media/images/${place.cover}/320.webp`
  const message = { id: row.id, seq: row.seq, content: row.content }
  publish(tx, {
    to: place.peer,
    by: row.sender_id,
    at: now,
    fact: { event: 'message.created', ...shared, image, message },
  })
  conversationChanged(tx, place.peer, shared, now, 1)
  conversationChanged(tx, row.sender_id, shared, now, 0)
}

/** With this key ([API 2]), and the request's fingerprint. */
export async function sentBefore(db: Db, sender: string, clientId: string | null) {
  if (clientId === null) return null
  const { rows } = await sql<MessageFacts & { fingerprint: Buffer | null }>`
    select ${messageColumns}, m.fingerprint from message m join app_user u on u.id = m.sender_id
    where m.sender_id = ${sender} and m.client_id = ${clientId}`.execute(db)
  const [row] = rows
  return row === undefined
    ? null
    : { message: messageOf(row, sender), fingerprint: row.fingerprint }
}
