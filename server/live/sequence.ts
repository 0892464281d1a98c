import { sql } from 'kysely'
import type { Db, Tx } from '../db/tables.ts'

/** The next number of a person's log. Its row stays locked until the commit. */
export async function advance(tx: Tx, user: string) {
  const { last } = await tx
    .insertInto('event_sequence')
    .values({ user_id: user, last: 1 })
    .onConflict((on) =>
      on.column('user_id').doUpdateSet((of) => ({ last: of('event_sequence.last', '+', 1) })),
    )
    .returning('last')
    .executeTakeFirstOrThrow()
  return last
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
