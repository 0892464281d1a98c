import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/tables.ts'
import { countOf, hasRows } from '../../../db/sql.ts'
import { refuse, requireSame, type Caller, type Exchange } from '../../../route/index.ts'
import { lockPerson } from '../../shop/person.ts'
import { newId } from '../../../ids.ts'
import { derive } from '../derive.ts'
import { type ListingValues, readFields, type ListingBody } from './fields.ts'
import { changePhotos, type PhotoChanges, reorderPhotos } from '../photos.ts'
import { approve } from '../moderation/moderation.ts'
import { isDeepStrictEqual } from 'node:util'
import { changeListing, type Held, holdListing } from '../change.ts'
import { isReadable } from '../read/feed.ts'

/** Not archived, deleted or sold [API 5.3]. */
const LIVE_MAX = 200

type Creating = Pick<Exchange, 'key' | 'fingerprint' | 'services' | 'now'> & { readonly me: Caller }

/** [API 9.1]; returns the id. */
export async function createListing(
  tx: Tx,
  { me: { id: seller }, key, fingerprint, services, now }: Creating,
  values: ListingValues,
  photos: PhotoChanges,
) {
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
export async function madeBefore(db: Db, seller: string, key: string | null, fingerprint: Buffer) {
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

type Edit = Readonly<{
  body: ListingBody
  photos: PhotoChanges
  /** null: the last write wins. */
  baseVersion: number | null
  auto: boolean
}>

/** Fields that somebody else changed; then nothing was stored. */
type Edited = 'done' | { readonly conflicts: readonly string[] }

/** [API 9.2]; compares normalised values. Text, category and new photos go back to review [D50]. */
export async function editListing(
  tx: Tx,
  id: string,
  me: string,
  edit: Edit,
  now: Date,
): Promise<Edited> {
  const row = await lockOwn(tx, id, me, now)
  const conflicts = await conflictsOf(tx, row, edit)
  if (conflicts.length > 0) return { conflicts }
  const before: ListingValues = row
  const values = readFields(edit.body, before, now.getUTCFullYear())
  const fields: string[] = NAMES.filter((name) => !isDeepStrictEqual(values[name], before[name]))
  const photos = await changePhotos(tx, id, me, edit.photos, now)
  if (photos.added || photos.removed) fields.push('images')
  if (fields.length === 0) return 'done'
  const toReview =
    row.review_status === 'rejected' ||
    REVIEWED.some((name) => fields.includes(name)) ||
    photos.added
  const review =
    toReview && !edit.auto ? { review_status: 'pending' as const, review_reason: null } : {}
  const set = { ...values, ...derive(values), specs: JSON.stringify(values.specs), ...review }
  await changeListing(tx, row, set, { actor: 'owner', action: EDITED, fields }, now)
  if (edit.auto && row.review_status !== 'approved') await approve(tx, id, 'server', now)
  return 'done'
}

/** [API 9.6] */
export async function reorderImages(
  tx: Tx,
  id: string,
  me: string,
  ids: readonly string[],
  now: Date,
) {
  const row = await lockOwn(tx, id, me, now)
  if (await reorderPhotos(tx, id, ids))
    await changeListing(tx, row, {}, { actor: 'owner', action: EDITED, fields: ['images'] }, now)
}

const EDITED = 'edited'
const NAMES = [
  'title',
  'description',
  'category',
  'price',
  'negotiable',
  'region',
  'town',
  'neighbourhood',
  'location_note',
  'contact_phone',
  'specs',
] as const
const REVIEWED = ['title', 'description', 'category']
const PLACE = ['region', 'town', 'neighbourhood', 'location_note']

/** Changed by another edit after `baseVersion`; toggles do not count. */
async function conflictsOf(tx: Tx, row: Held, { body, photos, baseVersion }: Edit) {
  if (baseVersion === null || baseVersion >= row.version) return []
  const edits = await tx
    .selectFrom('listing_history')
    .select('fields')
    .where('listing_id', '=', row.id)
    .where('version', '>', baseVersion)
    .where('action', '=', EDITED)
    .execute()
  const changed = new Set(edits.flatMap(({ fields }) => fields))
  const given = NAMES.filter((name) => body[name] !== undefined)
  const touched =
    photos.files.length + photos.uploads.length + photos.removed.length > 0
      ? [...given, 'images']
      : given
  const clashes = (name: string) =>
    changed.has(name) ||
    (PLACE.includes(name) &&
      PLACE.some((other) => other !== 'region' && name !== 'region' && changed.has(other)))
  return touched.filter(clashes)
}

/** Locked until the commit. 403 for another seller's public listing, else 404 [API 9]. */
export async function lockOwn(tx: Tx, id: string, me: string, now: Date) {
  const held = await holdListing(tx, id)
  if (held?.seller_id === me && held.deleted_at === null) return held
  const isForeign = held !== null && held.seller_id !== me && (await isReadable(tx, id, null, now))
  throw refuse(isForeign ? 'permission_denied' : 'listing_not_found')
}

export const ownsListing = (db: Db, id: string, me: string) =>
  hasRows(db, sql`listing where id = ${id} and seller_id = ${me} and deleted_at is null`)
