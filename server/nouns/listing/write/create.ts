import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/tables.ts'
import { countOf } from '../../../db/count.ts'
import { refuse, requireSame, type Caller, type Exchange } from '../../../route/index.ts'
import { lockPerson } from '../../shop/person.ts'
import { newId } from '../../../ids.ts'
import { derive } from '../derive.ts'
import type { ListingValues } from './fields.ts'
import { changePhotos, type PhotoChanges } from '../photos.ts'
import { approve } from '../moderation/moderation.ts'

/** Not archived, deleted or sold [API 5.3]. */
const LIVE_MAX = 200

type Creating = Pick<Exchange, 'key' | 'fingerprint' | 'services' | 'now'> & { readonly me: Caller }

/** [API 9.1]; returns the id. */
export async function createListing(
  tx: Tx,
  { me: { id: seller }, key, fingerprint, services, now }: Creating,
  values: ListingValues,
  photos: PhotoChanges,
): Promise<string> {
  await requireRoom(tx, seller)
  const id = newId(now.getTime())
  const { verified_seller } = await tx
    .selectFrom('app_user')
    .select('verified_seller')
    .where('id', '=', seller)
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('listing')
    .values({
      ...values,
      ...derive(values),
      id,
      seller_id: seller,
      seller_verified: verified_seller,
      specs: JSON.stringify(values.specs),
      created_at: now,
      updated_at: now,
      client_id: key,
      client_fingerprint: key === null ? null : fingerprint,
    })
    .execute()
  await changePhotos(tx, id, seller, photos, now)
  if (services.config.listingReview === 'auto') await approve(tx, id, 'server', now)
  return id
}

/** Two concurrent creations must not exceed the limit. */
async function requireRoom(tx: Tx, seller: string) {
  await lockPerson(tx, seller)
  const live = sql`listing where seller_id = ${seller} and not is_archived and not is_sold
    and deleted_at is null`
  if ((await countOf(tx, live)) >= LIVE_MAX) throw refuse('listing_limit')
}

/** By this key [API 2]. Throws 422 for a different request, 404 when deleted. */
export async function madeBefore(
  db: Db,
  seller: string,
  key: string | null,
  fingerprint: Buffer,
): Promise<string | null> {
  if (key === null) return null
  const row = await db
    .selectFrom('listing')
    .select(['id', 'client_fingerprint', 'deleted_at'])
    .where('seller_id', '=', seller)
    .where('client_id', '=', key)
    .executeTakeFirst()
  if (row === undefined) return null
  requireSame(row.client_fingerprint, fingerprint)
  if (row.deleted_at !== null) throw refuse('listing_not_found')
  return row.id
}
