import { PAGE_SIZE, PAGE_SIZE_MAX, QUICK_MESSAGES } from '#schema/limits'
import * as wire from '#schema/wire/conversation'
import type { ListingCard } from '#schema/wire/listing'
import type { Db, Tx } from '../../db/tables.ts'
import {
  REPLAYED,
  created,
  filled,
  paged,
  readRoute,
  refuse,
  reply,
  requireSame,
  writeRoute,
  type Route,
} from '../../route/index.ts'
import { deltasOf } from '../../live/delta.ts'
import { cardsById } from '../listing/card.ts'
import { marksOf } from '../message/queries.ts'
import { messagePage } from '../message/routes.ts'
import { send, sentBefore } from '../message/send.ts'
import { countersOf } from '../notification/queries.ts'
import { changedConversations, conversationFor, newestConversations } from './queries.ts'
import { markRead, conversationChanged } from './changes.ts'
import texts from '#schema/data/texts.json' with { type: 'json' }
import type { LocalizedText } from '#schema/wire/shapes'
import { newId } from '../../ids.ts'
import { isBlocked } from '../shop/person.ts'
import { statusOf } from '../listing/status.ts'

export const conversationRoutes: readonly Route[] = [
  writeRoute(
    wire.startConversation,
    async ({ body, fingerprint, key, me, now }, tx) => {
      const before = body.content === undefined ? null : await sentBefore(tx, me.id, key)
      if (before !== null) {
        requireSame(before.fingerprint, fingerprint)
        const conversation = await mustSee(tx, me.id, before.message.conversation, now)
        return reply({ ...conversation, message: before.message }, { headers: REPLAYED })
      }
      const { id, isNew } = await begin(tx, { listing: body.listing_id, buyer: me.id, now })
      if (body.content === undefined) return created(await mustSee(tx, me.id, id, now), isNew)
      const { message } = await send(tx, {
        conversation_id: id,
        sender_id: me.id,
        content: body.content,
        attachment: null,
        reply_to_id: null,
        client_id: key,
        fingerprint,
        now,
      })
      return created({ ...(await mustSee(tx, me.id, id, now)), message }, isNew)
    },
    {
      limit: { name: 'starts', user: [{ count: 30, seconds: 3600 }] },
      signInCode: 'conversation_login_required',
    },
  ),

  readRoute(wire.listConversations, async (input) => {
    const { db, me, now, query } = input
    const deltas = await deltasOf(db, 'conversations', me.id, now)
    const { unread_messages: unread_total } = await countersOf(db, me.id)
    if (query.updated_after === undefined) {
      const list = await paged(input, PAGE_SIZE, PAGE_SIZE_MAX, (page) =>
        newestConversations(db, me.id, query.search ?? '', page, now),
      )
      return { ...list, cursor: deltas.cursor, unread_total }
    }
    const { shown, next, cursor } = await deltas.page(
      input,
      'updated_after',
      (start, limit) => changedConversations(db, me.id, start, limit, now),
      ({ change, conversation_id: id }) => ({ change, id }),
    )
    return { next, results: shown.map((one) => one.conversation), cursor, unread_total }
  }),

  readRoute(wire.readConversation, ({ db, me, now, params }) => mustSee(db, me.id, params.id, now)),

  readRoute(wire.initConversation, async ({ db, language, me, now, params }) => {
    const conversation = await mustSee(db, me.id, params.id, now)
    const marks = await marksOf(db, me.id, params.id)
    const messages = await messagePage(db, me.id, params.id, marks, {})
    const [card] = await cardsById(db, [conversation.listing.id], { me: me.id, now, language })
    if (card === undefined) return { conversation, messages, listing: null, quick_messages: [] }
    const quick_messages = quickMessages({ ...card, category: card.category.slug })
    return { conversation, messages, listing: isReadable(card) ? card : null, quick_messages }
  }),

  writeRoute(wire.markConversationRead, async ({ body, me, now, params }, tx) => {
    const marks = await markRead(tx, me.id, params.id, body.up_to ?? null, now)
    const { unread_messages: unread_total } = await countersOf(tx, me.id)
    return { conversation: params.id, ...marks, unread_total }
  }),
]

async function mustSee(db: Db, reader: string, id: string, now: Date) {
  const conversation = await conversationFor(db, reader, id, now)
  if (conversation === null) throw refuse('not_found')
  return conversation
}

/** [API 5.1] */
const isReadable = (card: ListingCard) =>
  card.is_owner ? card.status !== 'deleted' : ['active', 'reserved', 'sold'].includes(card.status)

interface Offered extends LocalizedText {
  readonly categories?: readonly string[]
}

/** At most six, those of the category first [API 11.3]; none with open placeholders. */
export function quickMessages(
  about: Pick<ListingCard, 'town_name' | 'is_owner'> & { category: string },
): LocalizedText[] {
  const offered: readonly Offered[] = about.is_owner
    ? texts.quick_messages.seller
    : texts.quick_messages.buyer
  const values = about.town_name === null ? {} : { town: about.town_name }
  return offered
    .filter(({ categories }) => categories === undefined || categories.includes(about.category))
    .toSorted((a, b) => Number(b.categories !== undefined) - Number(a.categories !== undefined))
    .map(({ fr, en }) => ({ fr: filled(fr, values), en: filled(en, values) }))
    .filter(({ fr }) => !fr.includes('{'))
    .slice(0, QUICK_MESSAGES)
}

type Beginning = Readonly<{
  listing: string
  buyer: string
  now: Date
}>

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
