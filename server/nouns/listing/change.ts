import { sql, type Updateable } from 'kysely'
import type { Tables, Tx } from '../../db/tables.ts'
import { previewUrl } from '../../files/variants.ts'
import { listingChanged } from '../conversation/changes.ts'
import { flagColumns, type ListingFlags } from './status.ts'

export interface Held extends ListingFlags {
  readonly id: string
  readonly seller_id: string
  readonly title: string
  readonly version: number
  readonly is_featured: boolean
  readonly posted_at: Date | null
  readonly expires_at: Date | null
  readonly deleted_at: Date | null
  /** Path of the cover, for events about the listing. */
  readonly image: string | null
}

export async function holdListing(tx: Tx, id: string): Promise<Held | null> {
  const { rows } = await sql<Omit<Held, 'image'> & { hash: string | null }>`
    select l.id, l.seller_id, l.title, l.version, l.is_featured, l.posted_at, ${flagColumns},
      (select hash from picture p where p.id = l.cover_id and p.removed_at is null) as hash
    from listing l where l.id = ${id} for update`.execute(tx)
  const [row] = rows
  if (!row) return null
  const { hash, ...held } = row
  return { ...held, image: hash === null ? null : previewUrl(hash) }
}

export const NOT_FEATURED = {
  is_featured: false,
  featured_by_moderator: false,
  featured_until: null,
}

export interface Act {
  readonly actor: 'owner' | 'moderator' | 'server'
  readonly action: string
  readonly fields?: readonly string[]
  readonly reason?: string | null
}

/**
 * One real change [API 5.2]: raises version and time, writes the history, updates conversations.
 */
export async function changeListing(
  tx: Tx,
  { id, version }: Pick<Held, 'id' | 'version'>,
  change: Updateable<Tables['listing']>,
  act: Act,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('listing')
    .set({ ...change, version: version + 1, updated_at: now })
    .where('id', '=', id)
    .execute()
  await tx
    .insertInto('listing_history')
    .values({
      listing_id: id,
      version: version + 1,
      at: now,
      actor: act.actor,
      action: act.action,
      fields: [...(act.fields ?? [])],
      reason: act.reason ?? null,
    })
    .execute()
  await listingChanged(tx, id, now)
}
