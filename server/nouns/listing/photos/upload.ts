import type { InferOutput } from 'valibot'
import type { uploadPhoto } from '#schema/wire/own'
import type { Db, Row, Tx } from '../../../db/tables.ts'
import { imageOf, type PictureFacts } from '../../../files/variants.ts'
import type { PreparedPicture } from '../../../files/imageWorker/job.ts'
import { refuse, requireSame } from '../../../route/index.ts'
import { rowOf } from './photos.ts'

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
    ...rowOf(picture, owner, now),
    client_id: clientId,
    client_fingerprint: clientId === null ? null : fingerprint,
    expires_at: new Date(now.getTime() + LIFE_MS),
  }
  await tx.insertInto('picture').values(row).execute()
  return uploadOf(row)
}

/** The upload created with this key. Throws 422 for a different request, 404 when it is removed. */
export async function uploadedBefore(
  db: Db,
  owner: string,
  clientId: string | null,
  fingerprint: Buffer,
): Promise<Upload | null> {
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

type Stored = PictureFacts &
  Pick<Row<'picture'>, 'id' | 'bytes' | 'client_id'> & { readonly expires_at: Date }

const uploadOf = (row: Stored): Upload => ({
  id: row.id,
  upload_id: row.id,
  client_id: row.client_id,
  bytes: row.bytes,
  expires_at: row.expires_at.toISOString(),
  image: imageOf(row.id, 0, row),
})
