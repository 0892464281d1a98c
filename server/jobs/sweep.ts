import { IDEMPOTENCY_DAYS } from '#schema/limits'
import { SESSION_MS } from '../http/caller.ts'
import { sweepEvents } from '../live/sweep.ts'
import type { Job } from './run.ts'

const DAY = 24 * 3_600_000
const BATCH = 5000

/** Throws away what has lived its time: keys, dead sessions, links of mails, events. */
export const sweepJob: Job = {
  name: 'sweep',
  everyMs: DAY / 24,
  async run({ database, clock }) {
    const now = clock().getTime()
    const before = (ms: number) => new Date(now - ms)
    const { db } = database
    const keys = await db
      .deleteFrom('idempotency')
      .where((is) => is(is.refTuple('scope', 'key'), 'in', is.selectFrom('idempotency').select(['scope', 'key']).where('created_at', '<', before((IDEMPOTENCY_DAYS + 1) * DAY)).limit(BATCH).$asTuple('scope', 'key')))
      .executeTakeFirst()
    const sessions = await db.deleteFrom('session').where('last_used_at', '<', before(SESSION_MS)).executeTakeFirst()
    const links = await db.deleteFrom('one_time_token').where('expires_at', '<', before(30 * DAY)).executeTakeFirst()
    const reports = await db.deleteFrom('rum').where('created_at', '<', before(30 * DAY)).executeTakeFirst()
    return Number(keys.numDeletedRows + sessions.numDeletedRows + links.numDeletedRows + reports.numDeletedRows) + (await sweepEvents(db, clock()))
  },
}
