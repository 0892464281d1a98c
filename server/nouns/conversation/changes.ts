import type { Db, Tx } from '../../db/tables.ts'
import { publish } from '../../live/publish.ts'

/** [API 14.4] */
export async function listingChanged(tx: Tx, listing: string, now: Date) {
  await publishChanged(tx, participants(tx).where('c.listing_id', '=', listing), now)
}

/** [API 14.4]: a block (`other`) or the account's state (null) changed who may write. */
export async function peopleChanged(tx: Tx, person: string, other: string | null, now: Date) {
  let query = participants(tx)
  for (const one of other === null ? [person] : [person, other])
    query = query.where((either) => either.or({ 'c.buyer_id': one, 'c.seller_id': one }))
  await publishChanged(tx, query, now)
}

function participants(db: Db) {
  return db
    .selectFrom('conversation as c')
    .innerJoin('participant as p', (on) =>
      on
        .onRef('p.conversation_id', '=', 'c.id')
        .on(({ eb, ref }) => eb(ref('p.user_id'), 'in', [ref('c.buyer_id'), ref('c.seller_id')])),
    )
    .select(['c.id', 'c.listing_id', 'p.user_id'])
    .orderBy('c.id')
}

async function publishChanged(tx: Tx, changed: ReturnType<typeof participants>, now: Date) {
  for (const { id, listing_id, user_id } of await changed.execute())
    conversationChanged(tx, user_id, { conversation: id, listing: listing_id }, now)
}

/** `unread`: by a message. */
export const conversationChanged = (
  tx: Tx,
  to: string | readonly string[],
  which: { conversation: string; listing: string },
  now: Date,
  unread?: number,
): void =>
  publish(tx, {
    to,
    at: now,
    ...(unread !== undefined && { unread }),
    fact: { event: 'conversation.updated', ...which },
  })
