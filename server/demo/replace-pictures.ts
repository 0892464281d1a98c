import { sql } from 'kysely'
import { avatarUrl } from '../files/variants.ts'
import type { Database } from '../db/open.ts'
import { liftTimeout } from '../db/timeouts.ts'
import { hasRows } from '../db/sql.ts'
import type { Tx } from '../db/tables.ts'
import { batches, insertRows, rowsOf } from './bulk.ts'
import { avatarOf, photosOf, pictureRows } from './pictures.ts'

type StalePhoto = Readonly<{
  id: string
  /** Photos of one subject are views of one thing. */
  subject: string
  kind: string
}>

/**
 * Bytes of an address never change: rows get pictures of the same kind, and listings count as
 * changed.
 */
export async function replacePictures(database: Database, now: Date) {
  const current = JSON.stringify(pictureRows.map(({ hash }) => hash))
  const stale = sql`d.hash not in (select jsonb_array_elements_text(${current}::jsonb))`
  if (!(await hasRows(database.db, sql`demo_picture d where ${stale}`))) return
  await database.tx(async (tx) => {
    await liftTimeout(tx)
    // Of several processes the others find nothing left.
    if (database.kind === 'postgresql') await sql`select pg_advisory_xact_lock(724006)`.execute(tx)
    await insertRows(tx, 'demo_picture', pictureRows, true)
    const photos =
      await sql<StalePhoto>`select p.id, coalesce(p.listing_id, p.id) as subject, d.kind
      from picture p join demo_picture d on d.hash = p.hash
      where ${stale} order by subject, p.position`.execute(tx)
    for (const batch of batches(currentPhotos(photos.rows)))
      await sql`update picture p set hash = given.hash, width = given.width, height = given.height,
        thumbhash = given.thumbhash, color = given.color, bytes = given.bytes
        from ${rowsOf('picture', batch)} where p.id = given.id`.execute(tx)
    await sql`update listing set updated_at = ${now} where id in (
      select listing_id from picture join demo_picture d using (hash) where not ${stale})`.execute(
      tx,
    )
    const sent = await sql<StalePhoto>`select m.id, m.id as subject, d.kind
      from message m join demo_picture d on d.hash = m.attachment->>'hash' where ${stale}`.execute(
      tx,
    )
    const attachments = currentPhotos(sent.rows).map(
      ({ id, hash, width, height, thumbhash, color }) => ({
        id,
        attachment: { hash, width, height, thumbhash, color },
      }),
    )
    for (const batch of batches(attachments))
      await sql`update message m set attachment = m.attachment || given.attachment
        from ${rowsOf('message', batch)} where m.id = given.id`.execute(tx)
    await replaceAvatars(tx, stale, now)
    await sql`delete from demo_picture d where ${stale}`.execute(tx)
  })
}

function currentPhotos(stale: readonly StalePhoto[]) {
  const used = new Map<string, number>()
  return stale.flatMap(({ id, subject, kind }) => {
    const name = `${subject} ${kind}`
    const photos = photosOf(kind, name)
    const position = used.get(name) ?? 0
    used.set(name, position + 1)
    const photo = photos[position % photos.length]
    return photo === undefined ? [] : [{ ...photo, id }]
  })
}

async function replaceAvatars(tx: Tx, stale: ReturnType<typeof sql>, now: Date) {
  const { rows } = await sql<{
    id: string
    username: string
  }>`select u.id, u.username
    from app_user u join demo_picture d on u.avatar = '/media/avatars/' || d.hash || '/256.webp'
    where ${stale}`.execute(tx)
  for (const batch of batches(rows)) {
    const given = batch.map(({ id, username }) => ({
      id,
      avatar: avatarUrl(avatarOf(username).hash),
    }))
    await sql`update app_user u set avatar = given.avatar, updated_at = ${now}
      from ${rowsOf('app_user', given)} where u.id = given.id`.execute(tx)
  }
}
