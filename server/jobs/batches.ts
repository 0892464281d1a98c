import { setImmediate as turn } from 'node:timers/promises'
import { sql, type RawBuilder } from 'kysely'
import type { Db, Tables } from '../db/tables.ts'

/** Rows of one statement: some 100 ms of work. */
const BATCH = 5000

/** Calls `batch` until it finds less than it may take, so that a sweep keeps up with whatever was written; answers the sum. */
export async function untilDone(
  batch: (limit: number) => Promise<number>,
  limit = BATCH,
): Promise<number> {
  for (let done = 0; ;) {
    const some = await batch(limit)
    done += some
    if (some < limit) return done
    // the embedded database works in this very process: others get their turn in between
    await turn()
  }
}

/** Deletes all rows of a table that are `old`, a batch at a time; answers how many. */
export const sweepRows = (db: Db, table: keyof Tables, old: RawBuilder<unknown>): Promise<number> =>
  untilDone(async (limit) => {
    const result = await sql`
      delete from ${sql.table(table)} where ctid = any(array(select ctid from ${sql.table(table)} where ${old} limit ${limit}))`.execute(
      db,
    )
    return Number(result.numAffectedRows ?? 0)
  })
