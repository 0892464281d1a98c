import { sql, type RawBuilder } from 'kysely'
import type { Conversation } from '#schema/wire/conversation'
import type { Start } from '../../live/cursor.ts'
import { changedAfter } from '../../live/delta.ts'
import { countOf } from '../../db/count.ts'
import type { Db } from '../../db/tables.ts'
import { keyOf, readConversations } from './view.ts'
import { peerId } from '../message/view.ts'

export async function newestConversations(
  db: Db,
  reader: string,
  search: string,
  page: { offset: number; size: number },
  now: Date,
) {
  const mine = sql`participant p ${search === '' ? sql`where` : matches(search)} p.user_id = ${reader}`
  const { rows } = await sql<{ conversation_id: string }>`
    select p.conversation_id from ${mine}
    order by p.sorted_at desc, p.conversation_id desc limit ${page.size} offset ${page.offset}`.execute(
    db,
  )
  return {
    count: await countOf(db, mine),
    rows: await inOrder(
      db,
      reader,
      rows.map((row) => row.conversation_id),
      now,
    ),
  }
}

/** Matches the peer's username and shop name and the listing's title, ignoring case and accents. */
function matches(search: string): RawBuilder<unknown> {
  const part = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return sql`
    join conversation c on c.id = p.conversation_id
    join listing l on l.id = c.listing_id
    join app_user peer on peer.id = ${peerId}
    where lower(unaccent(l.title || E'\n' || case when peer.deleted_at is null
      then peer.username || E'\n' || coalesce(peer.shop_name, '') else '' end))
      like lower(unaccent(${part})) and`
}

export async function changedConversations(
  db: Db,
  reader: string,
  start: Start,
  limit: number,
  now: Date,
) {
  const { rows } = await sql<{ conversation_id: string; change: number }>`
    select conversation_id, change from participant where user_id = ${reader} 
      and ${changedAfter(start, 'conversation_id', 'change', 'updated_at')}
    order by change, conversation_id limit ${limit}`.execute(db)
  const conversations = await inOrder(
    db,
    reader,
    rows.map((row) => row.conversation_id),
    now,
  )
  const places = new Map(
    rows.map((row) => [row.conversation_id, { change: row.change, id: row.conversation_id }]),
  )
  return conversations.flatMap((conversation) => {
    const place = places.get(conversation.id)
    return place === undefined ? [] : [{ conversation, place }]
  })
}

export async function conversationFor(
  db: Db,
  reader: string,
  id: string,
  now: Date,
): Promise<Conversation | null> {
  const seen = { reader, conversation: id }
  return (await readConversations(db, [seen], now)).get(keyOf(seen)) ?? null
}

async function inOrder(
  db: Db,
  reader: string,
  ids: readonly string[],
  now: Date,
): Promise<Conversation[]> {
  const views = await readConversations(
    db,
    ids.map((conversation) => ({ reader, conversation })),
    now,
  )
  return ids.flatMap((conversation) => views.get(keyOf({ reader, conversation })) ?? [])
}

/**
 * null: a block, or no message yet (then only the buyer sees the conversation). undefined: `person`
 * is not a participant.
 */
export async function peerToTell(
  db: Db,
  person: string,
  conversation: string,
): Promise<string | null | undefined> {
  const { rows } = await sql<{ peer: string; silent: boolean }>`
    select peer.id as peer, c.last_seq = 0 or exists (
      select from block where (blocker_id = peer.id and blocked_id = ${person})
        or (blocker_id = ${person} and blocked_id = peer.id)) as silent
    from participant p
    join conversation c on c.id = p.conversation_id
    join app_user peer on peer.id = ${peerId}
    where p.user_id = ${person} and p.conversation_id = ${conversation}`.execute(db)
  const row = rows[0]
  return row && (row.silent ? null : row.peer)
}
