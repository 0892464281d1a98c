import type { ConversationDocument } from '#schema/disk/documents'
import { type Conversation, conversation } from '#schema/wire/conversation'
import { listingStatus } from '#schema/wire/listing'
import * as v from 'valibot'
import { readMessage } from '../message/read.ts'
import {
  amount,
  EPOCH,
  fill,
  flag,
  idOf,
  image,
  members,
  moment,
  msOf,
  seller,
} from '../tolerant.ts'

export function readConversation(body: unknown): Conversation | null {
  const object = members(body)
  const { participants } = object
  if (idOf(object['id']) === null || !Array.isArray(participants)) return null
  const listing = members(object['listing'])
  const last = readMessage(object['last_message'])
  const created_at = moment(object['created_at']) ?? last?.created_at ?? EPOCH
  return fill(conversation.entries, body, {
    listing: fill(conversation.entries.listing.entries, listing, {
      id: idOf(object['listing']) ?? '',
      price: amount(listing['price']) || null,
      image: image(listing['image']),
      status: v.is(listingStatus, listing['status']) ? listing['status'] : 'active',
      seller_id: idOf(listing['seller_id'] ?? listing['seller']) ?? '',
    }),
    participants: participants.map(seller),
    last_message: last,
    last_seq: amount(object['last_seq']) ?? last?.seq ?? 0,
    can_send: flag(object['can_send']) ?? true,
    created_at,
    updated_at: moment(object['updated_at']) ?? last?.created_at ?? created_at,
  })
}

export function documentOf(conversation: Conversation): ConversationDocument {
  return {
    ...conversation,
    newest: -msOf(conversation.last_message?.created_at ?? conversation.created_at),
    movedTo: null,
  }
}
