import { sql, type Updateable } from 'kysely'
import type { Row, Tables, Tx } from '../../db/tables.ts'
import { previewUrl } from '../../files/variants.ts'
import type { Fact } from '../../live/fact.ts'
import { publish } from '../../live/publish.ts'
import { listingChanged } from '../conversation/changes.ts'

/** `image`: path of the cover. */
export type Held = Row<'listing'> & { readonly image: string | null }

/** Locked until the commit. */
export async function holdListing(tx: Tx, id: string): Promise<Held | null> {
  const { rows } = await sql<Row<'listing'> & { hash: string | null }>`
    select l.*, (select hash from picture p where p.id = l.cover_id and p.removed_at is null) as hash
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

export const deletion = (now: Date) => ({
  deleted_at: now,
  is_featured: false,
  featured_until: null,
})

export const tellSeller = (
  tx: Tx,
  { id, title, image, seller_id }: Pick<Held, 'id' | 'title' | 'image' | 'seller_id'>,
  what: ListingFact,
  now: Date,
  by: string | null = null,
) => publish(tx, { to: seller_id, by, at: now, fact: { ...what, listing: id, title, image } })

type ListingFact<F extends Fact = Fact> = F extends { listing: string; title: string }
  ? Omit<F, 'listing' | 'title' | 'image'>
  : never

interface Act {
  readonly actor: 'owner' | 'moderator' | 'server'
  readonly action: string
  readonly fields?: readonly string[]
  readonly reason?: string | null
}

/** One change [API 5.2]: version, history, conversations. */
export async function changeListing(
  tx: Tx,
  { id, version }: Pick<Held, 'id' | 'version'>,
  change: Updateable<Tables['listing']>,
  act: Act,
  now: Date,
) {
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
