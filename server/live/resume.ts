import { sql } from 'kysely'
import * as v from 'valibot'
import { DAY_MS, EVENTS_KEPT_DAYS, RESUME_MAX } from '#schema/limits'
import { id } from '#schema/wire/shapes'
import type { Db } from '../db/tables.ts'

/** [API 14.2] */
type Resumption = Readonly<
  | { kind: 'replay'; after: number; until: number }
  | { kind: 'resync'; reason: 'unknown_event' | 'too_old' | 'too_many' }
>

interface End {
  readonly place: number
  readonly eventId: string | null
}

const KEPT_MS = EVENTS_KEPT_DAYS * DAY_MS

/** One query, so that both are consistent. */
export async function endOf(db: Db, user: string): Promise<End> {
  const { rows } = await sql<{ last: number; id: string | null }>`
    select last, (select id from event where user_id = event_sequence.user_id and live order by seq desc limit 1) as id
    from event_sequence where user_id = ${user}`.execute(db)
  const row = rows[0]
  return { place: row?.last ?? 0, eventId: row?.id ?? null }
}

export async function resumption(
  db: Db,
  user: string,
  eventId: string,
  end: End,
  now: Date,
): Promise<Resumption> {
  // a database rejects NUL, which no id contains
  if (!v.is(id, eventId)) return { kind: 'resync', reason: 'unknown_event' }
  const given = await db
    .selectFrom('event')
    .select(['seq', 'created_at'])
    .where('id', '=', eventId)
    .where('user_id', '=', user)
    .executeTakeFirst()
  if (given === undefined) return { kind: 'resync', reason: 'unknown_event' }
  if (now.getTime() - given.created_at.getTime() > KEPT_MS)
    return { kind: 'resync', reason: 'too_old' }
  const later = db
    .selectFrom('event')
    .select('seq')
    .where('user_id', '=', user)
    .where('live', '=', true)
  const { length } = await later
    .where('seq', '>', given.seq)
    .where('seq', '<=', end.place)
    .limit(RESUME_MAX + 1)
    .execute()
  if (length > RESUME_MAX) return { kind: 'resync', reason: 'too_many' }
  return { kind: 'replay', after: given.seq, until: end.place }
}
