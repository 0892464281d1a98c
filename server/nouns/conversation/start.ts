import type { Tx } from '../../db/tables.ts'
import { refuse } from '../../route/index.ts'
import { newId } from '../../ids.ts'
import { isBlocked } from '../shop/person.ts'
import { statusOf } from '../listing/status.ts'
import { conversationChanged } from './changes.ts'

interface Beginning {
  readonly listing: string
  readonly buyer: string
  readonly now: Date
}

/** Finds in any state of the listing [D60], or creates; throws by the table of [API 11.1]. */
export async function begin(tx: Tx, beginning: Beginning) {
  const { listing: listingId, buyer, now } = beginning
  const listing = await tx
    .selectFrom('listing')
    .selectAll()
    .where('id', '=', listingId)
    .executeTakeFirstOrThrow(() => refuse('listing_not_found'))
  if (listing.seller_id === buyer) throw refuse('own_listing')
  const known = await existing(tx, listingId, buyer)
  if (known !== null) return { id: known, isNew: false }
  const status = statusOf(listing, now)
  if (status === 'pending' || status === 'rejected' || status === 'deleted')
    throw refuse('listing_not_found')
  if (status !== 'active' && status !== 'reserved') throw refuse('listing_unavailable')
  if (await isBlocked(tx, buyer, listing.seller_id)) throw refuse('cannot_message_user')
  return create(tx, beginning, listing.seller_id)
}

/** Of two concurrent starts, the second waits here. */
async function create(tx: Tx, { listing, buyer, now }: Beginning, seller: string) {
  const made = await tx
    .insertInto('conversation')
    .values({
      id: newId(now.getTime()),
      listing_id: listing,
      buyer_id: buyer,
      seller_id: seller,
      created_at: now,
    })
    .onConflict((on) => on.columns(['listing_id', 'buyer_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made === undefined) {
    const known = await existing(tx, listing, buyer)
    if (known === null) throw new Error('a conversation is neither new nor known')
    return { id: known, isNew: false }
  }
  await tx
    .insertInto('participant')
    .values({ user_id: buyer, conversation_id: made.id, sorted_at: now, updated_at: now })
    .execute()
  // For the buyer's other devices.
  conversationChanged(tx, buyer, { conversation: made.id, listing }, now)
  return { id: made.id, isNew: true }
}

async function existing(tx: Tx, listing: string, buyer: string) {
  const row = await tx
    .selectFrom('conversation')
    .select('id')
    .where('listing_id', '=', listing)
    .where('buyer_id', '=', buyer)
    .executeTakeFirst()
  return row?.id ?? null
}
