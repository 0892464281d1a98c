import type { Db, Tx } from '../../../db/tables.ts'
import { refuse } from '../../../route/index.ts'
import { type Held, holdListing } from '../change.ts'
import { isReadable } from '../read/feed.ts'

/**
 * Locked until the commit. Throws 403 for another seller's public listing, 404 for everything else
 * [API 9], including an own deleted one.
 */
export async function lockOwn(tx: Tx, id: string, me: string, now: Date): Promise<Held> {
  const held = await holdListing(tx, id)
  if (held?.seller_id === me && held.deleted_at === null) return held
  const isForeign = held !== null && held.seller_id !== me && (await isReadable(tx, id, null, now))
  throw refuse(isForeign ? 'permission_denied' : 'listing_not_found')
}

export async function ownsListing(db: Db, id: string, me: string): Promise<boolean> {
  const row = await db
    .selectFrom('listing')
    .select('id')
    .where('id', '=', id)
    .where('seller_id', '=', me)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}
