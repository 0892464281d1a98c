import { sql } from 'kysely'
import { EVENTS_KEPT_DAYS, IDEMPOTENCY_DAYS, NOTIFICATION_DAYS } from '#schema/limits'
import { SESSION_MS } from './route/caller.ts'
import { sweepRows } from './jobs/batches.ts'
import type { Job } from './jobs/run.ts'

const DAY = 24 * 3_600_000

export const sweepJob: Job = {
  name: 'sweep',
  everyMs: DAY / 24,
  async run({ database: { db }, clock }) {
    const now = clock().getTime()
    const before = (ms: number) => new Date(now - ms)
    const swept = [
      await sweepRows(db, 'idempotency', sql`created_at < ${before((IDEMPOTENCY_DAYS + 1) * DAY)}`),
      await sweepRows(db, 'session', sql`last_used_at < ${before(SESSION_MS)}`),
      await sweepRows(db, 'one_time_token', sql`expires_at < ${before(30 * DAY)}`),
      await sweepRows(db, 'rum', sql`created_at < ${before(30 * DAY)}`),
      // [API 4.9, API 14.2]
      await sweepRows(
        db,
        'event',
        sql`created_at < ${before(NOTIFICATION_DAYS * DAY)}
          or (notification_id is null and created_at < ${before(EVENTS_KEPT_DAYS * DAY)})`,
      ),
    ]
    return swept.reduce((sum, rows) => sum + rows, 0)
  },
}
