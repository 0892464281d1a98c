import type { Db, Tx } from '../../db/tables.ts'
import { publish } from '../../live/publish.ts'

interface Changed {
  id: string
  listing_id: string
  user_id: string
}

/** [API 14.4]: the listing's status or title changed. */
export async function listingChanged(tx: Tx, listing: string, now: Date): Promise<void> {
  publishChanged(tx, await participants(tx).where('c.listing_id', '=', listing).execute(), now)
}

/**
 * [API 14.4]: whether `person` may write changed, by a block (`other`), or because the account was
 * deleted, suspended or restored (null).
 */
export async function peopleChanged(
  tx: Tx,
  person: string,
  other: string | null,
  now: Date,
): Promise<void> {
  const query = participants(tx).where((either) =>
    either.or([either('c.buyer_id', '=', person), either('c.seller_id', '=', person)]),
  )
  const between =
    other === null
      ? query
      : query.where((either) =>
          either.or([either('c.buyer_id', '=', other), either('c.seller_id', '=', other)]),
        )
  publishChanged(tx, await between.execute(), now)
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

function publishChanged(tx: Tx, changed: readonly Changed[], now: Date): void {
  for (const { id, listing_id, user_id } of changed)
    publish(tx, {
      to: user_id,
      by: null,
      at: now,
      fact: { event: 'conversation.updated', conversation: id, listing: listing_id },
    })
}
