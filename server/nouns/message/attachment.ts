import { randomBytes } from 'node:crypto'
import type { Db, Tx } from '../../db/tables.ts'
import { doubtAhead, storePictures } from '../../files/orphanCheck.ts'
import { copyPicture } from '../../files/pictures.ts'
import {
  refuseField,
  refuseFields,
  type Exchange,
  type Refusal,
  type Services,
  type UploadedFile,
} from '../../route/index.ts'
import { newId } from '../../ids.ts'
import { UNUSED } from '../listing/photos.ts'
import type { AttachmentFacts } from './queries.ts'

interface Attached {
  readonly facts: AttachmentFacts
  readonly upload: string | null
}

/** 128 random bits: the URL is the only access control [API 11.5]. */
const address = () => randomBytes(16).toString('hex')

export async function attachFile(
  { services, now, signal }: Pick<Exchange, 'services' | 'now' | 'signal'>,
  file: UploadedFile,
): Promise<Attached> {
  if (file.tooLarge) throw refuseField('attachment', 'image_too_large')
  const picture = await services.imageWorker.photo(file.path, signal)
  if ('code' in picture) throw refuseField('attachment', picture.code)
  const { width, height, formats, thumbhash, color } = picture
  const facts = { id: newId(), hash: address(), width, height, formats, thumbhash, color }
  await storePictures(services, [{ ...picture, folder: `attachments/${facts.hash}` }], now)
  return { facts, upload: null }
}

/** Throws `upload_not_found` for all but the user's unused, live ones [API 6.2]. */
export async function attachUpload(
  db: Db,
  services: Services,
  person: string,
  upload: string,
  now: Date,
): Promise<Attached> {
  const row = await db
    .selectFrom('picture')
    .select(['id', 'hash', 'width', 'height', 'thumbhash', 'color'])
    .where('id', '=', upload)
    .where('owner_id', '=', person)
    .where((is) => is.and(UNUSED))
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow(() => notFound(upload))
  const facts = { ...row, hash: address(), formats: ['webp'] }
  const folder = `attachments/${facts.hash}`
  await doubtAhead(services, [folder], now)
  await copyPicture(services.files, { ...row, formats: ['webp'] }, folder)
  return { facts, upload }
}

/** The second of two concurrent uses fails. */
export async function useUpload(tx: Tx, { upload }: Attached, message: string, now: Date) {
  if (upload === null) return
  const used = await tx
    .updateTable('picture')
    .set({ message_id: message, expires_at: null, removed_at: now })
    .where('id', '=', upload)
    .where((is) => is.and(UNUSED))
    .executeTakeFirst()
  if (used.numUpdatedRows === 0n) throw notFound(upload)
}

const notFound = (upload: string): Refusal =>
  refuseFields({
    attachment_upload_id: [{ code: 'upload_not_found', more: { upload_id: upload } }],
  })
