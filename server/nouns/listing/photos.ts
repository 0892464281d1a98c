import { sql } from 'kysely'
import { IMAGES_PER_LISTING } from '#schema/limits'
import type { Tx, Db, Row } from '../../db/tables.ts'
import { pick } from '#schema/pick'
import { UPLOADED, imageOf, type PictureFacts } from '../../files/variants.ts'
import { storePictures } from '../../files/orphanCheck.ts'
import type { PreparedPicture } from '../../files/imageWorker/job.ts'
import {
  refuseField,
  refuseFields,
  type Exchange,
  type FieldFault,
  type UploadedFile,
  refuse,
  requireSame,
} from '../../route/index.ts'
import { newId } from '../../ids.ts'
import type { InferOutput } from 'valibot'
import type { uploadPhoto } from '#schema/wire/own'

export type PhotoChanges = Readonly<{
  files: readonly PreparedPicture[]
  uploads: readonly string[]
  removed: readonly string[]
}>

export type Taking = Pick<Exchange, 'services' | 'now' | 'signal'>

/**
 * All photos, or none when one is invalid; `uploaded_images` are also named `images.<index>` [API
 * 5.4].
 */
export async function takePhotos(
  { services, now, signal }: Taking,
  files: readonly UploadedFile[],
  field: string,
) {
  const good: PreparedPicture[] = []
  const faults: Record<string, FieldFault[]> = {}
  // One by one: a failed request leaves no job behind.
  for (const [at, file] of files.entries()) {
    const one = file.tooLarge
      ? ({ code: 'image_too_large' } as const)
      : await services.imageWorker.photo(file.path, signal)
    if (!('code' in one)) good.push(one)
    else {
      faults[field] ??= [{ code: one.code }]
      if (field === 'uploaded_images') faults[`images.${at}`] = [{ code: one.code }]
    }
  }
  if (Object.keys(faults).length > 0) throw refuseFields(faults)
  await storePictures(services, good, now)
  return good
}

/** `upload_not_found` names each id that is no unused upload of the owner. */
export async function changePhotos(
  tx: Tx,
  listing: string,
  owner: string,
  changes: PhotoChanges,
  now: Date,
) {
  const uploads = [...new Set(changes.uploads)]
  const removed = await drop(tx, listing, changes.removed, now)
  requireRoom((await shownPhotos(tx, listing)).length, changes.files, uploads)
  await addFiles(tx, listing, owner, changes.files, now)
  await useUploads(tx, listing, owner, uploads, now)
  const added = changes.files.length + uploads.length > 0
  if (added || removed) await settle(tx, listing)
  return { added, removed }
}

export function requireRoom(
  present: number,
  files: readonly unknown[],
  uploads: readonly string[],
) {
  if (present + files.length + new Set(uploads).size <= IMAGES_PER_LISTING) return
  const field = files.length > 0 ? 'uploaded_images' : 'uploaded_image_ids'
  throw refuseField(field, 'too_many_images')
}

async function shownPhotos(tx: Tx, listing: string) {
  const rows = await tx
    .selectFrom('picture')
    .select('id')
    .where('listing_id', '=', listing)
    .where('removed_at', 'is', null)
    .orderBy('position')
    .execute()
  return rows.map(({ id }) => id)
}

async function drop(tx: Tx, listing: string, ids: readonly string[], now: Date) {
  if (ids.length === 0) return false
  const { numUpdatedRows } = await tx
    .updateTable('picture')
    .set({ removed_at: now })
    .where('listing_id', '=', listing)
    .where('id', 'in', [...ids])
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** With provisional positions; `settle` renumbers them. */
async function addFiles(
  tx: Tx,
  listing: string,
  owner: string,
  files: readonly PreparedPicture[],
  now: Date,
) {
  if (files.length === 0) return
  const rows = files.map((file, at) => ({
    ...rowOf(file, owner, now),
    listing_id: listing,
    position: APPENDED + at,
  }))
  await tx.insertInto('picture').values(rows).execute()
}

const rowOf = (picture: PreparedPicture, owner: string, now: Date) => ({
  ...pick(picture, [...UPLOADED, 'bytes']),
  id: newId(now.getTime()),
  owner_id: owner,
  created_at: now,
})

const APPENDED = 100

async function useUploads(
  tx: Tx,
  listing: string,
  owner: string,
  ids: readonly string[],
  now: Date,
) {
  if (ids.length === 0) return
  const { rows } = await sql<{ id: string }>`
    update picture p set listing_id = ${listing}, position = ${2 * APPENDED} + wanted.n, expires_at = null
    from unnest(${ids}::text[]) with ordinality as wanted(id, n)
    where p.id = wanted.id and p.owner_id = ${owner} and p.listing_id is null
      and p.message_id is null and p.removed_at is null and p.expires_at > ${now}
    returning p.id`.execute(tx)
  const used = new Set(rows.map(({ id }) => id))
  const lost = ids.filter((id) => !used.has(id))
  if (lost.length > 0)
    throw refuseFields({
      uploaded_image_ids: lost.map((id) => ({ code: 'upload_not_found', more: { upload_id: id } })),
    })
}

/** To the front, in this order; false when nothing moved. */
export async function reorderPhotos(tx: Tx, listing: string, ids: readonly string[]) {
  const before = await shownPhotos(tx, listing)
  const named = ids.filter((id) => before.includes(id))
  const after = [...named, ...before.filter((id) => !named.includes(id))]
  if (after.join() === before.join()) return false
  await sql`
    update picture p set position = wanted.n from unnest(${after}::text[]) with ordinality as wanted(id, n)
      where p.id = wanted.id`.execute(tx)
  await settle(tx, listing)
  return true
}

/** The first photo is the cover. */
async function settle(tx: Tx, listing: string) {
  await sql`
    update picture p set position = placed.n - 1
    from (select id, row_number() over (order by position) as n from picture
      where listing_id = ${listing} and removed_at is null) as placed
    where p.id = placed.id`.execute(tx)
  await sql`
    update listing set images_count = (select count(*) from picture where listing_id = ${listing}
      and removed_at is null),
      cover_id = (select id from picture where listing_id = ${listing} and removed_at is null order by position limit 1)
    where id = ${listing}`.execute(tx)
}

type Upload = InferOutput<typeof uploadPhoto.answer>

const LIFE_MS = 7 * 86_400_000

export async function keepUpload(
  tx: Tx,
  owner: string,
  picture: PreparedPicture,
  clientId: string | null,
  fingerprint: Buffer,
  now: Date,
) {
  const row = {
    ...rowOf(picture, owner, now),
    client_id: clientId,
    client_fingerprint: clientId === null ? null : fingerprint,
    expires_at: new Date(now.getTime() + LIFE_MS),
  }
  await tx.insertInto('picture').values(row).execute()
  return uploadOf(row)
}

/** By this key. Throws 422 for a different request, 404 when it is removed. */
export async function uploadedBefore(
  db: Db,
  owner: string,
  clientId: string | null,
  fingerprint: Buffer,
) {
  if (clientId === null) return null
  const row = await db
    .selectFrom('picture')
    .selectAll()
    .where('owner_id', '=', owner)
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  if (row === undefined) return null
  requireSame(row.client_fingerprint, fingerprint)
  if (row.removed_at !== null) throw refuse('not_found')
  const expires_at = row.expires_at ?? new Date(row.created_at.getTime() + LIFE_MS)
  return uploadOf({ ...row, expires_at })
}

export const UNUSED = { listing_id: null, message_id: null, removed_at: null }

/** A job deletes the files later. */
export async function dropUpload(tx: Tx, owner: string, id: string, now: Date) {
  await tx
    .updateTable('picture')
    .set({ removed_at: now, expires_at: null })
    .where('id', '=', id)
    .where('owner_id', '=', owner)
    .where((is) => is.and(UNUSED))
    .execute()
}

type Stored = PictureFacts &
  Pick<Row<'picture'>, 'id' | 'bytes' | 'client_id'> & { readonly expires_at: Date }

const uploadOf = (row: Stored): Upload => ({
  ...pick(row, ['id', 'client_id', 'bytes']),
  upload_id: row.id,
  expires_at: row.expires_at.toISOString(),
  image: imageOf(row.id, 0, row),
})
