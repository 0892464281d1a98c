import { sql } from 'kysely'
import { EVENTS_KEPT_DAYS, NOTIFICATION_DAYS } from '#schema/limits'
import type { Db } from '../db/tables.ts'
import { sweepRows } from '../jobs/batches.ts'

const DAY_MS = 86_400_000

/** Socket events after 7 days, notifications after 180 [API 4.9, API 14.2]. */
export async function sweepEvents(db: Db, now: Date): Promise<number> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS)
  return sweepRows(
    db,
    'event',
    sql`created_at < ${before(NOTIFICATION_DAYS)}
      or (notification_id is null and created_at < ${before(EVENTS_KEPT_DAYS)})`,
  )
}
