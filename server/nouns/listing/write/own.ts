import { sql, type Selectable } from 'kysely'
import type { Db, Tables, Tx } from '../../../db/tables.ts'
import { refuse } from '../../../route/index.ts'
import { mayRead } from '../read/feed.ts'

export type ListingRow = Selectable<Tables['listing']>

/**
 * Locked until the commit. Throws 403 for another seller's public listing, 404 for everything else
 * [API 9], including an own deleted one.
 */
export async function lockOwn(tx: Tx, id: string, me: string, now: Date): Promise<ListingRow> {
  const row = await tx
    .selectFrom('listing')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (row !== undefined && row.seller_id === me && row.deleted_at === null) return row
  if (row !== undefined && row.seller_id !== me) await refuseForeign(tx, id, now)
  throw refuse('listing_not_found')
}

async function refuseForeign(tx: Tx, id: string, now: Date): Promise<void> {
  const { rows } =
    await sql`select from listing l where l.id = ${id} and ${mayRead(null, now)}`.execute(tx)
  if (rows.length > 0) throw refuse('permission_denied')
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
