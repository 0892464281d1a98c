import { sql } from 'kysely'
import * as v from 'valibot'
import { hasRows } from '../db/sql.ts'
import type { Db, Tx } from '../db/tables.ts'
import { enqueue, queueJob } from '../jobs/queue.ts'
import type { Database } from '../db/open.ts'
import type { JobContext } from '../jobs/run.ts'
import { avatarUrl } from './variants.ts'
import type { PreparedPicture } from './imageWorker/job.ts'
import { keepPicture } from './pictures.ts'
import type { FileStore } from './storage.ts'

interface Stores {
  readonly database: Database
  readonly files: FileStore
}

/** Longer than any request ([API 1.1], deadline). */
const GRACE_MS = 3_600_000

/** A check of each folder is queued first: after a crash or a refusal no row refers to it. */
export async function storePictures(
  stores: Stores,
  pictures: readonly PreparedPicture[],
  now: Date,
) {
  if (pictures.length === 0) return
  await doubtAhead(
    stores,
    pictures.map(({ folder }) => folder),
    now,
  )
  await Promise.all(pictures.map((picture) => keepPicture(stores.files, picture)))
}

export async function doubtAhead({ database }: Stores, folders: readonly string[], now: Date) {
  await database.tx((tx) => doubt(tx, folders, now, new Date(now.getTime() + GRACE_MS)))
}

/** Queues checks from `at` on: a folder without a row is removed then. */
export async function doubt(tx: Tx, folders: readonly string[], now: Date, at: Date = now) {
  for (const folder of [...new Set(folders)].toSorted()) {
    await lockMedia(tx, folder)
    await enqueue(tx, 'files', { folder }, now, at)
  }
}

export const filesJob = queueJob<JobContext & Stores>(
  'files',
  async ({ clock, database, files }, payload, id) => {
    const { folder } = v.parse(v.object({ folder: v.string() }), payload)
    await database.tx(async (tx) => {
      await lockMedia(tx, folder)
      if (!(await isNamed(tx, folder)) && !(await isQueuedAgain(tx, folder, id, clock())))
        await files.remove(folder)
    })
  },
)

const lockMedia = (tx: Tx, folder: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${folder}, 724005))`.execute(tx)

function isNamed(db: Db, folder: string) {
  const [room, hash = ''] = folder.split('/')
  const named = {
    images: sql`picture where hash = ${hash}`,
    avatars: sql`app_user where avatar = ${avatarUrl(hash)}`,
    attachments: sql`message where attachment->>'hash' = ${hash}`,
  }
  const rows = Object.entries(named).find(([name]) => name === room)?.[1]
  if (rows === undefined) throw new Error('no row names files of such a folder')
  return hasRows(db, rows)
}

/** The check of that upload will decide. */
const isQueuedAgain = (db: Db, folder: string, id: string, now: Date) =>
  hasRows(
    db,
    sql`job where kind = 'files' and run_at > ${now} and payload->>'folder' = ${folder}
      and id <> ${id}`,
  )
