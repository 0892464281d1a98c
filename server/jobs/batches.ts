import { setImmediate as turn } from 'node:timers/promises'
import { sql, type RawBuilder } from 'kysely'
import type { Db, Tables, Tx } from '../db/tables.ts'
import type { JobContext } from './run.ts'

/** Rows of one statement: some 100 ms of work. */
const BATCH = 5000

/** Until a batch is not full; resolves to the sum. */
export async function untilDone(batch: (limit: number) => Promise<number>, limit = BATCH) {
  for (let done = 0; ;) {
    const some = await batch(limit)
    done += some
    if (some < limit) return done
    // the embedded database blocks this process
    await turn()
  }
}

export const inBatches = (
  { database, clock }: JobContext,
  batch: (tx: Tx, now: Date) => Promise<number>,
  limit: number,
) => untilDone(() => database.tx((tx) => batch(tx, clock())), limit)

export const sweepRows = (db: Db, table: keyof Tables, old: RawBuilder<unknown>) =>
  untilDone(async (limit) => {
    const result = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where ${old} limit ${limit}))`.execute(db)
    return Number(result.numAffectedRows ?? 0)
  })
