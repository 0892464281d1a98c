import type { InferOutput } from 'valibot'
import type { uploadPhoto } from '#schema/wire/own'
import type { Db, Tx } from '../../../db/tables.ts'
import { imageOf } from '../../../files/variants.ts'
import type { PreparedPicture } from '../../../files/imageWorker/job.ts'
import { refuse } from '../../../route/index.ts'
import { newId } from '../../../ids.ts'

type Upload = InferOutput<typeof uploadPhoto.answer>

const LIFE_MS = 7 * 86_400_000

export async function keepUpload(
  tx: Tx,
  owner: string,
  picture: PreparedPicture,
  clientId: string | null,
  fingerprint: Buffer,
  now: Date,
): Promise<Upload> {
  const row = {
    id: newId(now.getTime()),
    owner_id: owner,
    hash: picture.hash,
    width: picture.width,
    height: picture.height,
    formats: [...picture.formats],
    thumbhash: picture.thumbhash,
    color: picture.color,
    bytes: picture.bytes,
    client_id: clientId,
    client_fingerprint: clientId === null ? null : fingerprint,
    created_at: now,
    expires_at: new Date(now.getTime() + LIFE_MS),
  }
  await tx.insertInto('picture').values(row).execute()
  return uploadOf(row)
}

/** The upload created with this key. Throws 422 for a different request, 404 when it is removed. */
export async function uploadedBefore(
  db: Db,
  owner: string,
  clientId: string,
  fingerprint: Buffer,
): Promise<Upload | null> {
  const row = await db
    .selectFrom('picture')
    .selectAll()
    .where('owner_id', '=', owner)
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  if (row === undefined) return null
  if (row.client_fingerprint?.equals(fingerprint) !== true) throw refuse('idempotency_key_reused')
  if (row.removed_at !== null) throw refuse('not_found')
  return uploadOf({
    ...row,
    expires_at: row.expires_at ?? new Date(row.created_at.getTime() + LIFE_MS),
  })
}

/** Used or removed uploads stay unchanged. A job deletes the files later. */
export async function dropUpload(tx: Tx, owner: string, id: string, now: Date): Promise<void> {
  await tx
    .updateTable('picture')
    .set({ removed_at: now, expires_at: null })
    .where('id', '=', id)
    .where('owner_id', '=', owner)
    .where('listing_id', 'is', null)
    .where('message_id', 'is', null)
    .where('removed_at', 'is', null)
    .execute()
}

interface Row {
  id: string
  hash: string
  width: number
  height: number
  formats: string[]
  thumbhash: string | null
  color: string | null
  bytes: number
  client_id: string | null
  expires_at: Date
}

const uploadOf = (row: Row): Upload => ({
  id: row.id,
  upload_id: row.id,
  client_id: row.client_id,
  bytes: row.bytes,
  expires_at: row.expires_at.toISOString(),
  image: imageOf(row.id, 0, row),
})
