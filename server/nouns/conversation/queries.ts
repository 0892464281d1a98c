import { sql } from 'kysely'
import type { Conversation } from '#schema/wire/conversation'
import type { Start } from '../../live/cursor.ts'
import { changedAfter } from '../../live/delta.ts'
import { countOf, jsonOf } from '../../db/sql.ts'
import type { Db, Row } from '../../db/tables.ts'
import {
  joinPeer,
  peerId,
  MESSAGE,
  messageOf,
  type MessageFacts,
  messagesAt,
} from '../message/queries.ts'
import { pick } from '#schema/pick'
import { plannedOnce } from '../../db/postgres.ts'
import { imageOf, pictureJson, type PictureFacts } from '../../files/variants.ts'
import { FLAGS, statusOf, type ListingFlags } from '../listing/status.ts'
import { miniColumns, miniOf, type MiniRow } from '../shop/person.ts'
import type { ConversationReads } from '../../live/context.ts'

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
  const found = await withViews(db, reader, rows, now)
  return { count: await countOf(db, mine), rows: found.map(({ conversation }) => conversation) }
}

function matches(search: string) {
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
  return withViews(db, reader, rows, now)
}

export async function conversationFor(db: Db, reader: string, id: string, now: Date) {
  const views = await readConversations(db, [{ reader, conversation: id }], now)
  return views.get(keyOf(reader, id)) ?? null
}

async function withViews<R extends { conversation_id: string }>(
  db: Db,
  reader: string,
  rows: readonly R[],
  now: Date,
) {
  const seen = rows.map((row) => ({ reader, conversation: row.conversation_id }))
  const views = await readConversations(db, seen, now)
  return rows.flatMap((row) => {
    const conversation = views.get(keyOf(reader, row.conversation_id))
    return conversation === undefined ? [] : [{ ...row, conversation }]
  })
}

/** null: a block, or no message yet. undefined: `person` is not a participant. */
async function peerToTell(db: Db, person: string, conversation: string) {
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

const keyOf = (reader: string, conversation: string) => `${reader} ${conversation}`

const LISTING = ['id', 'title', 'price', 'seller_id'] as const
const lastMessage = jsonOf(
  'm',
  MESSAGE,
  "'sender_username', sender.username, 'sender_deleted', sender.deleted_at is not null",
)

type SeenRow = Pick<Row<'conversation'>, 'id' | 'last_seq' | 'created_at' | 'buyer_id'> &
  Pick<Row<'participant'>, 'read_until' | 'unread' | 'updated_at'> & {
    reader: string
    peer_read_until: number | null
    listing: ListingFlags & Pick<Row<'listing'>, (typeof LISTING)[number]>
    cover: (PictureFacts & { id: string }) | null
    buyer: MiniRow
    seller: MiniRow
    last_message: MessageFacts | null
    blocks: boolean
    blocked: boolean
  }

/** [API 4.7], by `keyOf`; invisible ones are absent. */
async function readConversations(
  db: Db,
  seen: Parameters<ConversationReads['conversations']>[1],
  now: Date,
): Promise<Map<string, Conversation>> {
  if (seen.length === 0) return new Map()
  const { rows } = await sql<SeenRow>`${plannedOnce}
    select p.user_id as reader, c.id, c.last_seq, c.created_at, c.buyer_id, p.read_until, p.unread, p.updated_at,
      peer.read_until as peer_read_until,
      ${jsonOf('l', [...LISTING, ...FLAGS])} as listing,
      case when pic.id is null then null else ${pictureJson('pic')} end as cover,
      ${miniColumns('buyer')} as buyer, ${miniColumns('seller')} as seller,
      case when m.seq is null then null else ${lastMessage} end as last_message,
      exists (select from block b where b.blocker_id = p.user_id
        and b.blocked_id = ${peerId}) as blocks,
      exists (select from block b where b.blocked_id = p.user_id
        and b.blocker_id = ${peerId}) as blocked
    from unnest(${seen.map((one) => one.reader)}::text[],
      ${seen.map((one) => one.conversation)}::text[]) as wanted(reader, id)
    join participant p on p.user_id = wanted.reader and p.conversation_id = wanted.id
    join conversation c on c.id = p.conversation_id
    join listing l on l.id = c.listing_id
    left join picture pic on pic.id = l.cover_id and pic.removed_at is null
    join app_user buyer on buyer.id = c.buyer_id
    join app_user seller on seller.id = c.seller_id
    ${joinPeer}
    left join message m on m.conversation_id = c.id and m.seq = c.last_seq
    left join app_user sender on sender.id = m.sender_id`.execute(db)
  return new Map(rows.map((row) => [keyOf(row.reader, row.id), conversationOf(row, now)]))
}

function conversationOf(row: SeenRow, now: Date): Conversation {
  const { listing } = row
  const reason = reasonOf(row)
  return {
    id: row.id,
    listing: {
      ...pick(listing, LISTING),
      currency: 'XOF',
      image: row.cover && imageOf(row.cover.id, 0, row.cover),
      status: statusOf(listing, now),
    },
    participants: [miniOf(row.buyer), miniOf(row.seller)],
    unread_count: row.unread,
    last_message: row.last_message && messageOf(row.last_message, row.reader),
    last_seq: row.last_seq,
    my_read_until: row.read_until,
    peer_read_until: row.peer_read_until ?? 0,
    can_send: reason === null,
    cannot_send_reason: reason,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/** [API 4.7]: a suspension and a block by the peer give the same reason. */
function reasonOf(row: SeenRow): Conversation['cannot_send_reason'] {
  const peer = row.reader === row.buyer_id ? row.seller : row.buyer
  if (row.blocks) return 'blocked_by_me'
  if (peer.deleted) return 'account_deleted'
  return peer.suspended || row.blocked ? 'unavailable' : null
}

export const conversationReads: ConversationReads = {
  async conversations(db, seen, now) {
    const found = await readConversations(db, seen, now)
    return (reader, conversation) => found.get(keyOf(reader, conversation))
  },
  messages: messagesAt,
  peer: peerToTell,
}
