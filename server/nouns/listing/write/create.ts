import type { Db, Tx } from '../../../db/tables.ts'
import { refuse } from '../../../route/index.ts'
import { lockPerson } from '../../shop/person.ts'
import { newId } from '../../../ids.ts'
import { derive } from '../derive.ts'
import type { Said } from './fields.ts'
import { changePhotos, type PhotoChanges } from '../photos/photos.ts'
import { approve } from '../moderation/moderation.ts'

/** Limit of listings not archived, not deleted and not sold [API 5.3]. */
const LIVE_MAX = 200

export interface NewListing {
  readonly seller: string
  readonly said: Said
  readonly photos: PhotoChanges
  readonly clientId: string | null
  /** Of the request; stored as long as the listing [API 2]. */
  readonly fingerprint: Buffer
  readonly auto: boolean
}

/**
 * [API 9.1]; returns the id. Throws 409 `listing_limit`, 400 for photos that cannot be attached.
 */
export async function createListing(
  tx: Tx,
  { seller, said, photos, clientId, fingerprint, auto }: NewListing,
  now: Date,
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
      ...said,
      ...derive(said),
      id,
      seller_id: seller,
      seller_verified: verified_seller,
      specs: JSON.stringify(said.specs),
      created_at: now,
      updated_at: now,
      client_id: clientId,
      client_fingerprint: clientId === null ? null : fingerprint,
    })
    .execute()
  await changePhotos(tx, id, seller, photos, now)
  if (auto) await approve(tx, id, 'server', now)
  return id
}

/** The lock on the seller's row prevents two concurrent creations from exceeding the limit. */
async function requireRoom(tx: Tx, seller: string): Promise<void> {
  await lockPerson(tx, seller)
  const { count } = await tx
    .selectFrom('listing')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('seller_id', '=', seller)
    .where('is_archived', '=', false)
    .where('is_sold', '=', false)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (count >= LIVE_MAX) throw refuse('listing_limit')
}

/**
 * The id created with this key, valid for the listing's lifetime [API 2]. Throws 422 for a
 * different request, 404 when the listing is deleted.
 */
export async function madeBefore(
  db: Db,
  seller: string,
  clientId: string,
  fingerprint: Buffer,
): Promise<string | null> {
  const row = await db
    .selectFrom('listing')
    .select(['id', 'client_fingerprint', 'deleted_at'])
    .where('seller_id', '=', seller)
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  if (row === undefined) return null
  if (row.client_fingerprint?.equals(fingerprint) !== true) throw refuse('idempotency_key_reused')
  if (row.deleted_at !== null) throw refuse('listing_not_found')
  return row.id
}
