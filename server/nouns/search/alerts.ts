import { sql, type Updateable } from 'kysely'
import type { Row, Tables, Tx } from '../../db/tables.ts'
import { inBatches } from '../../jobs/batches.ts'
import type { Job } from '../../jobs/run.ts'
import { publish } from '../../live/publish.ts'
import { dayOf } from '../listing/card.ts'
import { countNew } from './routes.ts'

/** Small: the embedded database runs in this process. */
const BATCH = 10
const INSTANT_MAX = 5
/** In Ouagadougou. */
const HOUR = 8

type Due = Pick<Row<'saved_search'>, 'id' | 'user_id' | 'name' | 'params'> & {
  since: Date
  sent: number
}

/** Daily at eight, or within minutes of publication. */
export const alertsJob: Job = {
  name: 'alerts',
  everyMs: 60_000,
  run: async (context) =>
    (await inBatches(context, instant, BATCH)) + (await inBatches(context, daily, BATCH)),
}

/** Not evaluated since the newest listing; `alerted_at` is the last evaluation. */
async function instant(tx: Tx, now: Date) {
  const { rows } = await sql<Due>`
    select id, user_id, name, params, greatest(created_at, last_run_at, alerted_at) as since,
      case when alerts_day = ${dayOf(now)}::date then alerts_count else 0 end as sent
    from saved_search
    where alerts = 'instant' and coalesce(alerted_at, created_at)
      < (select max(posted_at) from listing where listed and posted_at <= ${now})
      and (alerts_day is distinct from ${dayOf(now)}::date or alerts_count < ${INSTANT_MAX})
    order by id limit ${BATCH} for update skip locked`.execute(tx)
  for (const due of rows) {
    const count = await notify(tx, due, now)
    const set = count > 0 ? { alerts_day: dayOf(now), alerts_count: due.sent + 1 } : {}
    await mark(tx, due, { alerted_at: now, ...set })
  }
  return rows.length
}

const mark = (tx: Tx, { id }: Due, set: Updateable<Tables['saved_search']>) =>
  tx.updateTable('saved_search').set(set).where('id', '=', id).execute()

async function daily(tx: Tx, now: Date) {
  if (now.getUTCHours() < HOUR) return 0
  const { rows } = await sql<Due>`
    select id, user_id, name, params, coalesce(last_run_at, created_at) as since, 0 as sent
    from saved_search where alerts = 'daily' and alerts_day is distinct from ${dayOf(now)}::date
    order by id limit ${BATCH} for update skip locked`.execute(tx)
  for (const due of rows) {
    await notify(tx, due, now)
    await mark(tx, due, { alerts_day: dayOf(now), alerted_at: now })
  }
  return rows.length
}

async function notify(tx: Tx, { id, user_id, name, params, since }: Due, now: Date) {
  const new_count = await countNew(tx, params, since, now)
  const fact = { event: 'saved_search.matched', search: id, name, new_count } as const
  if (new_count > 0) publish(tx, { to: user_id, at: now, fact })
  return new_count
}
