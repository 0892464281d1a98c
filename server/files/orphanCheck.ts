import { sql } from 'kysely'
import * as v from 'valibot'
import type { Db, Tx } from '../db/tables.ts'
import { enqueue, queueJob } from '../jobs/queue.ts'
import type { Services } from '../services.ts'
import { avatarUrl } from './pictureUrl.ts'
import type { PreparedPicture } from './imageWorker/job.ts'
import { keepPicture } from './pictures.ts'

type Rooms = Pick<Services, 'database' | 'files'>

/** Longer than any request may take ([API 1.1], deadline). */
const GRACE_MS = 3_600_000

/**
 * Stores the variants of photos before the rows that will name them. A crash or a refused transaction may leave them without
 * any, so each folder is doubted first, and looked at again when the request is long over.
 */
export async function storePictures(
  rooms: Rooms,
  pictures: readonly PreparedPicture[],
  now: Date,
): Promise<void> {
  if (pictures.length === 0) return
  await doubtAhead(
    rooms,
    pictures.map(({ folder }) => folder),
    now,
  )
  await Promise.all(pictures.map((picture) => keepPicture(rooms.files, picture)))
}

/** Doubts folders whose files are about to be written. */
export async function doubtAhead(
  { database }: Rooms,
  folders: readonly string[],
  now: Date,
): Promise<void> {
  await database.tx((tx) => doubt(tx, folders, now, new Date(now.getTime() + GRACE_MS)))
}

/** Has folders looked at from `at` on: one that no row names then is removed. For files to come, and for rows that go. */
export async function doubt(
  tx: Tx,
  folders: readonly string[],
  now: Date,
  at: Date = now,
): Promise<void> {
  for (const folder of [...new Set(folders)].toSorted()) {
    await hold(tx, folder)
    await enqueue(tx, 'files', { folder }, now, at)
  }
}

/** Looks at doubted folders. */
export const filesJob = queueJob('files', async ({ clock, database, files }, payload, id) => {
  const { folder } = v.parse(v.object({ folder: v.string() }), payload)
  await database.tx(async (tx) => {
    await hold(tx, folder)
    if (!(await isNamed(tx, folder)) && !(await isDoubtedAgain(tx, folder, id, clock())))
      await files.remove(folder)
  })
})

/** Who removes a folder and who is about to fill the same one again wait for each other. */
const hold = (tx: Tx, folder: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${folder}, 724005))`.execute(tx)

async function isNamed(db: Db, folder: string): Promise<boolean> {
  const [room, hash = ''] = folder.split('/')
  const named = {
    images: sql`select from picture where hash = ${hash}`,
    avatars: sql`select from app_user where avatar = ${avatarUrl(hash)}`,
    attachments: sql`select from message where attachment->>'hash' = ${hash}`,
  }
  const rows = Object.entries(named).find(([name]) => name === room)?.[1]
  if (rows === undefined) throw new Error('no row names files of such a folder')
  return (await sql`${rows} limit 1`.execute(db)).rows.length > 0
}

/** Somebody is sending the same photo once more: that doubt will tell. */
async function isDoubtedAgain(db: Db, folder: string, id: string, now: Date): Promise<boolean> {
  const { rows } =
    await sql`select from job where kind = 'files' and run_at > ${now} and payload->>'folder' = ${folder} and id <> ${id} limit 1`.execute(
      db,
    )
  return rows.length > 0
}
