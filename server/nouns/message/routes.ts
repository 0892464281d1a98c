import type { InferOutput } from 'valibot'
import { MESSAGES_PAGE, MESSAGES_PAGE_MAX } from '#schema/limits'
import { listMessages, sendMessage } from '#schema/wire/message'
import { randomBytes } from 'node:crypto'
import type { Db, Tx } from '../../db/tables.ts'
import { doubtAhead, storePictures } from '../../files/orphanCheck.ts'
import { copyPicture } from '../../files/pictures.ts'
import { newId } from '../../ids.ts'
import {
  REPLAYED,
  linkTo,
  preparedRoute,
  readRoute,
  refuse,
  refuseField,
  refuseFields,
  reply,
  type Route,
  type Services,
  type UploadedFile,
} from '../../route/index.ts'
import { conversationFor } from '../conversation/queries.ts'
import { type Taking, UNUSED } from '../listing/photos.ts'
import { marksOf, messagesOf, type AttachmentFacts, type Marks } from './queries.ts'
import { send, sentBefore } from './send.ts'

export const messageRoutes: readonly Route[] = [
  readRoute(listMessages, async ({ db, me, params, query }) => {
    if (query.before !== undefined && query.after !== undefined)
      throw refuseField('before', 'invalid')
    const marks = await marksOf(db, me.id, params.id)
    return { ...(await messagePage(db, me.id, params.id, marks, query)), ...marks }
  }),

  preparedRoute(
    sendMessage,
    async (input) => {
      const { body, db, files, key, me, now, params, services } = input
      const [file] = files['attachment'] ?? []
      const upload = body.attachment_upload_id ?? null
      if (file === undefined && upload === null) return null
      // First, so that a refused or replayed request stores no picture.
      if ((await sentBefore(db, me.id, key)) !== null) return null
      if ((await conversationFor(db, me.id, params.id, now))?.can_send !== true) return null
      return file === undefined
        ? attachUpload(db, services, me.id, upload ?? '', now)
        : attachFile(input, file)
    },
    async ({ body, files, fingerprint, key, me, now, params }, tx, attached) => {
      const content = body.content ?? ''
      const given =
        files['attachment'] !== undefined || (body.attachment_upload_id ?? null) !== null
      if (content === '' && !given) throw refuseField('content', 'message_empty')
      const sent = await send(tx, {
        conversation_id: params.id,
        sender_id: me.id,
        content,
        attachment: attached?.facts ?? null,
        reply_to_id: body.reply_to_id ?? null,
        client_id: key,
        fingerprint,
        now,
      })
      if (sent.replayed) return reply(sent.message, { headers: REPLAYED })
      // Skipped above: the text is never sent without its picture.
      if (given && attached === null) throw refuse('cannot_message_user')
      if (attached !== null) await useUpload(tx, attached, sent.message.id, now)
      return sent.message
    },
    {
      limit: {
        name: 'messages',
        user: [
          { count: 30, seconds: 60 },
          { count: 600, seconds: 3600 },
        ],
      },
    },
  ),
]

type Wanted = InferOutput<typeof listMessages.query>

/**
 * [API 11.4]. The link uses `before` or `after`, so that following it repeats and skips nothing.
 */
export async function messagePage(
  db: Db,
  reader: string,
  conversation: string,
  marks: Marks,
  wanted: Wanted,
) {
  const size = Math.min(wanted.page_size ?? MESSAGES_PAGE, MESSAGES_PAGE_MAX)
  const offset = ((wanted.page ?? 1) - 1) * size
  const numbered = wanted.before === undefined && wanted.after === undefined
  if (numbered && offset > 0 && offset >= marks.last_seq) throw refuse('invalid_page')
  const range =
    wanted.after === undefined
      ? { before: wanted.before ?? Infinity, offset: numbered ? offset : 0 }
      : { after: wanted.after }
  const found = await messagesOf(db, reader, conversation, range, size + 1)
  const results = found.slice(0, size)
  const last = results.at(-1)
  const way = wanted.after === undefined ? 'before' : 'after'
  const next =
    found.length > size && last !== undefined
      ? linkTo(`conversations/${conversation}/messages/`, { [way]: last.seq, page_size: size })
      : null
  return { next, results }
}

interface Attached {
  readonly facts: AttachmentFacts
  readonly upload: string | null
}

/** 128 random bits: the URL is the only access control [API 11.5]. */
const address = () => randomBytes(16).toString('hex')

async function attachFile({ services, now, signal }: Taking, file: UploadedFile) {
  if (file.tooLarge) throw refuseField('attachment', 'image_too_large')
  const picture = await services.imageWorker.photo(file.path, signal)
  if ('code' in picture) throw refuseField('attachment', picture.code)
  const { width, height, formats, thumbhash, color } = picture
  const facts = { id: newId(), hash: address(), width, height, formats, thumbhash, color }
  await storePictures(services, [{ ...picture, folder: `attachments/${facts.hash}` }], now)
  return { facts, upload: null }
}

/** Throws `upload_not_found` for all but the user's unused, live ones [API 6.2]. */
async function attachUpload(db: Db, services: Services, person: string, upload: string, now: Date) {
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
async function useUpload(tx: Tx, { upload }: Attached, message: string, now: Date) {
  if (upload === null) return
  const used = await tx
    .updateTable('picture')
    .set({ message_id: message, expires_at: null, removed_at: now })
    .where('id', '=', upload)
    .where((is) => is.and(UNUSED))
    .executeTakeFirst()
  if (used.numUpdatedRows === 0n) throw notFound(upload)
}

const notFound = (upload: string) =>
  refuseFields({
    attachment_upload_id: [{ code: 'upload_not_found', more: { upload_id: upload } }],
  })
