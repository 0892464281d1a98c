import type { ConversationDocument } from '#schema/disk/documents'
import type { Conversation } from '#schema/wire/conversation'
import { listingStatus } from '#schema/wire/listing'
import * as v from 'valibot'
import { readMessage } from '../message/read.ts'
import {
  amount,
  EPOCH,
  flag,
  idOf,
  image,
  members,
  moment,
  msOf,
  seller,
  text,
} from '../tolerant.ts'

const reasons = v.picklist(['blocked_by_me', 'account_deleted', 'unavailable'])

export function readConversation(body: unknown): Conversation | null {
  const object = members(body)
  const id = idOf(object['id'])
  if (id === null || !Array.isArray(object['participants'])) return null
  const listing = members(object['listing'])
  const status = v.safeParse(listingStatus, listing['status'])
  const reason = v.safeParse(reasons, object['cannot_send_reason'])
  const last = readMessage(object['last_message'])
  const created = moment(object['created_at']) ?? last?.created_at ?? EPOCH
  return {
    id,
    listing: {
      id: idOf(object['listing']) ?? '',
      title: text(listing['title']) ?? '',
      price: amount(listing['price']) || null,
      currency: 'XOF',
      image: image(listing['image']),
      status: status.success ? status.output : 'active',
      seller_id: idOf(listing['seller_id'] ?? listing['seller']) ?? '',
    },
    participants: object['participants'].map(seller),
    unread_count: amount(object['unread_count']) ?? 0,
    last_message: last,
    last_seq: amount(object['last_seq']) ?? last?.seq ?? 0,
    my_read_until: amount(object['my_read_until']) ?? 0,
    peer_read_until: amount(object['peer_read_until']) ?? 0,
    can_send: flag(object['can_send']) ?? true,
    cannot_send_reason: reason.success ? reason.output : null,
    created_at: created,
    updated_at: moment(object['updated_at']) ?? last?.created_at ?? created,
  }
}

export function documentOf(conversation: Conversation): ConversationDocument {
  return {
    ...conversation,
    newest: -msOf(conversation.last_message?.created_at ?? conversation.created_at),
    movedTo: null,
  }
}
