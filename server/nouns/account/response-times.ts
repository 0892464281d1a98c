import { sql } from 'kysely'
import { liftTimeout } from '../../db/timeouts.ts'
import type { Tx } from '../../db/tables.ts'
import type { Job } from '../../jobs/run.ts'

const HOUR = 3_600_000
const DAYS = 90

/** Median until a buyer's first message is answered [API 4.3]. */
export async function measureResponses(tx: Tx, now: Date) {
  await liftTimeout(tx)
  const since = new Date(now.getTime() - DAYS * 24 * HOUR)
  const result = await sql`
    with asked as (
      select c.id, c.seller_id, min(m.created_at) as at from conversation c
        join message m on m.conversation_id = c.id and m.sender_id = c.buyer_id
      group by c.id, c.seller_id having min(m.created_at) >= ${since}
    ), answered as (
      select a.seller_id, extract(epoch from min(m.created_at) - a.at) / 3600 as hours
      from asked a join message m on m.conversation_id = a.id and m.sender_id = a.seller_id and m.created_at >= a.at
      group by a.id, a.seller_id, a.at
    ), typical as (
      select seller_id,
        least(72, greatest(1, ceil(percentile_cont(0.5) within group (order by hours))))::integer as hours
      from answered group by seller_id having count(*) >= 3
    )
    update app_user u set typical_response_hours = t.hours
    from app_user x left join typical t on t.seller_id = x.id
    where u.id = x.id and u.typical_response_hours is distinct from t.hours`.execute(tx)
  return Number(result.numAffectedRows ?? 0)
}

export const responseTimesJob: Job = {
  name: 'response-times',
  everyMs: HOUR,
  async run({ database, clock }) {
    const now = clock()
    const day = now.toISOString().slice(0, 10)
    return database.tx(async (tx) => {
      const lock = sql<{ free: boolean }>`select pg_try_advisory_xact_lock(724006) as free`
      if ((await lock.execute(tx)).rows[0]?.free !== true) return 0
      const { rows } = await sql`
        insert into setting (name, value) values ('response_times_day', ${day})
        on conflict (name) do update set value = excluded.value
          where setting.value <> excluded.value returning name`.execute(tx)
      return rows.length === 0 ? 0 : measureResponses(tx, now)
    })
  },
}
