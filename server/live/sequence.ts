import { sql } from 'kysely'
import type { Db, Tx } from '../db/tables.ts'

/**
 * One number per mention. The rows stay locked until the commit; locking in id order prevents
 * deadlocks.
 */
export async function advance(tx: Tx, users: readonly string[]): Promise<(user: string) => number> {
  const wanted = new Map<string, number>()
  for (const user of users) wanted.set(user, (wanted.get(user) ?? 0) + 1)
  const { rows } = await sql<{ user_id: string; next: number }>`
    insert into event_sequence (user_id, last)
    select key, value::bigint from jsonb_each_text(${JSON.stringify(Object.fromEntries(wanted))}::jsonb)
    order by key collate "C"
    on conflict (user_id) do update set last = event_sequence.last + excluded.last
    returning user_id,
      last - (${JSON.stringify(Object.fromEntries(wanted))}::jsonb ->> user_id)::bigint + 1 as next`.execute(
    tx,
  )
  const next = new Map(rows.map((row) => [row.user_id, row.next]))
  return (user) => {
    const number = next.get(user)
    if (number === undefined) throw new Error('a number is dealt to somebody who asked for none')
    next.set(user, number + 1)
    return number
  }
}

/** 0 before the first; and the epoch of this copy of the database. */
export async function sequenceOf(db: Db, user: string) {
  const { rows } = await sql<{ last: number; epoch: string }>`
    select coalesce((select last from event_sequence where user_id = ${user}), 0) as last, value as epoch
    from setting where name = 'epoch'`.execute(db)
  const row = rows[0]
  if (row === undefined) throw new Error('the database has no epoch')
  return row
}
