import { sql } from 'kysely'
import { CURSOR_MAX, DELTA_KEPT_DAYS } from '#schema/limits'
import { hasRows } from '../../../db/sql.ts'
import { epochOf } from '../../../db/epoch.ts'
import type { Db } from '../../../db/tables.ts'
import { refuse } from '../../../route/index.ts'
import { isMoment, sinceMoment } from '../../../live/cursor.ts'
import { type Asked, inScope, momentOf } from '../search/queries.ts'
import { everyCondition } from '../search/where.ts'

/** Per response [API 3]. */
const REMOVED_MAX = 500

/** [API 3]; holds the day, so it changes daily even when no listing does. */
export async function cursorAt(db: Db, position: string, now: Date) {
  return `${await epochOf(db)}.${position}.${dayNumber(now).toString(36)}`
}

export const cursorNow = async (db: Db, now: Date) =>
  cursorAt(db, (await momentOf(db)).position, now)

/** Others see only what was or is public [D101]. Throws 410 for an old or unreadable cursor. */
export async function changesOf(
  db: Db,
  asked: Asked,
  ids: readonly string[] | null,
  cursor: string,
  size: number,
  now: Date,
) {
  const from = await positionOf(db, asked, cursor, now)
  const rows = await changedRows(db, asked, ids, from, size + REMOVED_MAX + 1, now)
  const shown: string[] = []
  const removed: string[] = []
  let last = from
  let more = false
  for (const row of rows) {
    more = row.shown ? shown.length >= size : removed.length >= REMOVED_MAX
    if (more) break
    ;(row.shown ? shown : removed).push(row.id)
    last = row.position
  }
  return { shown, removed, cursor: await cursorAt(db, last, now), more }
}

async function changedRows(
  db: Db,
  asked: Asked,
  ids: readonly string[] | null,
  from: string,
  limit: number,
  now: Date,
) {
  const { change, only } = sequenceOf(asked)
  const [fromChange = '0', fromNum = '0'] = from.split('-')
  const shown =
    ids === null
      ? sql`${inScope(asked, now)} and ${everyCondition(asked, now)}`
      : mayRead(asked.me, now)
  const { rows } = await sql<{ id: string; position: string; shown: boolean }>`
    select l.id, ${change} || '-' || c.num as position, coalesce(${shown}, false) as shown
    from listing_change c join listing l on l.id = c.listing_id
    where ${only} and (${change}, c.num) > (${fromChange}::bigint, ${fromNum}::integer)
      ${ids === null ? sql`` : sql`and l.id = any(${ids}::text[])`}
    order by ${change}, c.num limit ${limit}`.execute(db)
  return rows
}

/** All public listings, and their own [API 5.1]. */
export function mayRead(me: string | null, now: Date) {
  const open = sql`l.readable and (l.is_sold or l.expires_at is null or l.expires_at > ${now})`
  return me === null ? open : sql`(${open} or (l.seller_id = ${me} and l.deleted_at is null))`
}

export const isReadable = (db: Db, id: string, me: string | null, now: Date) =>
  hasRows(db, sql`listing l where l.id = ${id} and ${mayRead(me, now)}`)

function sequenceOf({ scope, sellerId }: Asked) {
  if (scope === 'own') return { change: sql`c.change`, only: sql`c.seller_id = ${sellerId}` }
  const only =
    sellerId === null
      ? sql`c.public_change is not null`
      : sql`c.public_change is not null and c.seller_id = ${sellerId}`
  return { change: sql`c.public_change`, only }
}

async function positionOf(db: Db, asked: Asked, cursor: string, now: Date) {
  if (isMoment(cursor)) return positionAt(db, asked, cursor, now)
  const [, epoch, change, num, day] =
    (cursor.length <= CURSOR_MAX
      ? /^([0-9a-z]+)\.(\d{1,15})-(\d{1,9})\.([0-9a-z]{1,6})$/.exec(cursor)
      : null) ?? []
  const age = dayNumber(now) - Number.parseInt(day ?? '', 36)
  if (epoch === undefined || epoch !== (await epochOf(db)) || !(age <= DELTA_KEPT_DAYS))
    throw refuse('cursor_expired')
  return `${change}-${num}`
}

async function positionAt(db: Db, asked: Asked, instant: string, now: Date) {
  const start = sinceMoment(instant, now)
  if (start === null) throw refuse('cursor_expired')
  const { change, only } = sequenceOf(asked)
  const changed = asked.scope === 'own' ? sql`l.updated_at` : sql`c.public_at`
  const { rows } = await sql<{ change: number; num: number }>`
    select ${change} as change, c.num from listing_change c join listing l on l.id = c.listing_id
    where ${only} and ${changed} >= ${start.since} order by ${change}, c.num limit 1`.execute(db)
  const first = rows[0]
  return first === undefined ? (await momentOf(db)).position : `${first.change}-${first.num - 1}`
}

const dayNumber = (now: Date) => Math.floor(now.getTime() / 86_400_000)
