import { sql, type RawBuilder, type Updateable } from 'kysely'
import type { Row, Tables, Tx } from '../../db/tables.ts'
import { previewUrl } from '../../files/variants.ts'
import type { Fact } from '../../live/fact.ts'
import { publish } from '../../live/publish.ts'
import { listingChanged } from '../conversation/changes.ts'

/** `image`: path of the cover. */
export type Held = Row<'listing'> & { readonly image: string | null }

/** `which` of `listing l` must lock them until the commit. */
export async function holdListings(tx: Tx, which: RawBuilder<unknown>): Promise<Held[]> {
  const { rows } = await sql<Row<'listing'> & { hash: string | null }>`
    select l.*, (select hash from picture p where p.id = l.cover_id and p.removed_at is null) as hash
    from listing l where ${which}`.execute(tx)
  return rows.map(({ hash, ...held }) => ({
    ...held,
    image: hash === null ? null : previewUrl(hash),
  }))
}

export async function holdListing(tx: Tx, id: string) {
  const [held = null] = await holdListings(tx, sql`l.id = ${id} for update`)
  return held
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

type Act = Readonly<{
  actor: 'owner' | 'moderator' | 'server'
  action: string
  fields?: readonly string[]
  reason?: string | null
}>

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
