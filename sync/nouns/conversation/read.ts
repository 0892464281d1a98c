import type { ConversationDocument } from '#schema/disk/documents'
import { listingStatus } from '#schema/wire/listing'
import { readMessage } from '../message/read.ts'
import { amount, flag, idOf, image, members, moment, msOf, seller, text } from '../plainer.ts'

const CANNOT = ['blocked_by_me', 'account_deleted', 'unavailable'] as const

/** A conversation as the phone keeps it; null: none. */
export function readConversation(body: unknown): ConversationDocument | null {
  const object = members(body)
  const id = idOf(object['id'])
  if (id === null) return null
  const listing = members(object['listing'])
  const last = readMessage(object['last_message'], id)
  const created = moment(object['created_at']) ?? last?.created_at ?? '1970-01-01T00:00:00.000Z'
  const lastSeq = amount(object['last_seq']) ?? last?.seq ?? 0
  return {
    id,
    listing: {
      id: idOf(object['listing']) ?? '',
      title: text(listing['title']) ?? '',
      price: amount(listing['price']) || null,
      currency: 'XOF',
      image: image(listing['image']),
      status: listingStatus.options.find((status) => status === listing['status']) ?? 'active',
      seller_id: idOf(listing['seller_id']) ?? idOf(listing['seller']) ?? '',
    },
    participants: Array.isArray(object['participants']) ? object['participants'].map(seller) : [],
    unread_count: amount(object['unread_count']) ?? 0,
    last_message: last,
    last_seq: lastSeq,
    my_read_until: amount(object['my_read_until']) ?? 0,
    peer_read_until: amount(object['peer_read_until']) ?? 0,
    can_send: flag(object['can_send']) ?? true,
    cannot_send_reason: CANNOT.find((reason) => reason === object['cannot_send_reason']) ?? null,
    created_at: created,
    updated_at: moment(object['updated_at']) ?? last?.created_at ?? created,
    newest: -msOf(last?.created_at ?? created),
    movedTo: null,
  }
}

/**
 * The newer of two states of a conversation. The own read position only moves forward: what was read here and not told
 * yet stays read.
 */
export function newerConversation(here: ConversationDocument, coming: ConversationDocument): ConversationDocument {
  if (coming.updated_at < here.updated_at) return here
  const ahead = here.my_read_until > coming.my_read_until
  return {
    ...coming,
    my_read_until: Math.max(here.my_read_until, coming.my_read_until),
    peer_read_until: Math.max(here.peer_read_until, coming.peer_read_until),
    unread_count: ahead ? Math.min(coming.unread_count, Math.max(0, coming.last_seq - here.my_read_until)) : coming.unread_count,
    movedTo: here.movedTo,
  }
}
