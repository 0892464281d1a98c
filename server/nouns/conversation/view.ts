import { sql } from 'kysely'
import type { Conversation } from '#schema/wire/conversation'
import { plannedOnce } from '../../db/postgres.ts'
import { imageOf, type PictureFacts } from '../../files/variants.ts'
import type { Db } from '../../db/tables.ts'
import { statusOf, type ListingFlags } from '../listing/status.ts'
import { messageOf, peerId, type MessageFacts } from '../message/view.ts'
import { miniColumns, miniOf, type MiniRow } from '../shop/summary.ts'

export interface Seen {
  readonly reader: string
  readonly conversation: string
}

export const keyOf = (seen: Seen): string => `${seen.reader} ${seen.conversation}`

interface Row {
  reader: string
  id: string
  last_seq: number
  created_at: Date
  buyer_id: string
  read_until: number
  unread: number
  updated_at: Date
  peer_read_until: number | null
  listing: ListingFlags & { id: string; title: string; price: number | null; seller_id: string }
  cover: (PictureFacts & { id: string }) | null
  buyer: MiniRow
  seller: MiniRow
  last_message: MessageFacts | null
  blocks: boolean
  blocked: boolean
}

/**
 * Conversations as their readers see them [API 4.7], by `keyOf`, in one query; invisible ones are
 * absent.
 */
export async function readConversations(
  db: Db,
  seen: readonly Seen[],
  now: Date,
): Promise<Map<string, Conversation>> {
  if (seen.length === 0) return new Map()
  const { rows } = await sql<Row>`${plannedOnce}
    select p.user_id as reader, c.id, c.last_seq, c.created_at, c.buyer_id, p.read_until, p.unread, p.updated_at,
      peer.read_until as peer_read_until,
      jsonb_build_object('id', l.id, 'title', l.title, 'price', l.price, 'seller_id', l.seller_id,
        'review_status', l.review_status,
        'is_active', l.is_active, 'is_sold', l.is_sold, 'is_reserved', l.is_reserved, 'is_archived', l.is_archived,
        'seller_hidden', l.seller_hidden, 'deleted_at', l.deleted_at, 'expires_at', l.expires_at) as listing,
      case when pic.id is null then null else jsonb_build_object('id', pic.id, 'hash', pic.hash,
        'width', pic.width, 'height', pic.height,
        'formats', pic.formats, 'thumbhash', pic.thumbhash, 'color', pic.color) end as cover,
      ${miniColumns('buyer')} as buyer, ${miniColumns('seller')} as seller,
      case when m.seq is null then null else jsonb_build_object('id', m.id,
        'conversation_id', m.conversation_id, 'seq', m.seq, 'sender_id', m.sender_id,
        'content', m.content, 'attachment', m.attachment, 'client_id', m.client_id, 'created_at', m.created_at,
        'sender_username', sender.username, 'sender_deleted', sender.deleted_at is not null) end as last_message,
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
    left join participant peer on peer.conversation_id = c.id
      and peer.user_id = ${peerId}
    left join message m on m.conversation_id = c.id and m.seq = c.last_seq
    left join app_user sender on sender.id = m.sender_id`.execute(db)
  return new Map(
    rows.map((row) => [
      keyOf({ reader: row.reader, conversation: row.id }),
      conversationOf(row, now),
    ]),
  )
}

function conversationOf(row: Row, now: Date): Conversation {
  const { listing } = row
  const reason = reasonOf(row)
  return {
    id: row.id,
    listing: {
      id: listing.id,
      title: listing.title,
      price: listing.price,
      currency: 'XOF',
      image: row.cover && imageOf(row.cover.id, 0, row.cover),
      status: statusOf(listing, now),
      seller_id: listing.seller_id,
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
function reasonOf(row: Row): Conversation['cannot_send_reason'] {
  const peer = row.reader === row.buyer_id ? row.seller : row.buyer
  if (row.blocks) return 'blocked_by_me'
  if (peer.deleted) return 'account_deleted'
  return peer.suspended || row.blocked ? 'unavailable' : null
}
