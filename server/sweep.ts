import { sql } from 'kysely'
import { IDEMPOTENCY_DAYS } from '#schema/limits'
import { SESSION_MS } from './route/caller.ts'
import { sweepEvents } from './live/sweep.ts'
import { sweepRows } from './jobs/batches.ts'
import type { Job } from './jobs/run.ts'

const DAY = 24 * 3_600_000

export const sweepJob: Job = {
  name: 'sweep',
  everyMs: DAY / 24,
  async run({ database: { db }, clock }) {
    const now = clock().getTime()
    const before = (ms: number) => new Date(now - ms)
    const keys = await sweepRows(
      db,
      'idempotency',
      sql`created_at < ${before((IDEMPOTENCY_DAYS + 1) * DAY)}`,
    )
    const sessions = await sweepRows(db, 'session', sql`last_used_at < ${before(SESSION_MS)}`)
    const links = await sweepRows(db, 'one_time_token', sql`expires_at < ${before(30 * DAY)}`)
    const reports = await sweepRows(db, 'rum', sql`created_at < ${before(30 * DAY)}`)
    return keys + sessions + links + reports + (await sweepEvents(db, clock()))
  },
}
