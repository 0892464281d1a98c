import { EVENTS_KEPT_DAYS, NOTIFICATION_DAYS } from '#schema/limits'
import type { Db } from '../db/tables.ts'

const DAY_MS = 86_400_000
const BATCH = 5000

/** Throws away what has lived its time: events of the socket after 7 days, notifications after 180 (API.md 4.9, 14.2). Answers how many. */
export async function sweepEvents(db: Db, now: Date): Promise<number> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS)
  let swept = 0
  for (;;) {
    const old = db
      .selectFrom('event')
      .select('id')
      .where((is) => is.or([is('created_at', '<', before(NOTIFICATION_DAYS)), is.and([is('notification_id', 'is', null), is('created_at', '<', before(EVENTS_KEPT_DAYS))])]))
      .limit(BATCH)
    const { numDeletedRows } = await db.deleteFrom('event').where('id', 'in', old).executeTakeFirst()
    swept += Number(numDeletedRows)
    if (numDeletedRows < BATCH) return swept
  }
}
