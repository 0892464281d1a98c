import { sql } from 'kysely'
import type { Tables, Tx } from '../db/tables.ts'

const BATCH = 1000

/** Rows of equal members. `known`: they may exist already. */
export async function insertRows(
  tx: Tx,
  table: keyof Tables,
  rows: Iterable<object>,
  known = false,
) {
  const again = known ? sql`on conflict do nothing` : sql``
  for (const batch of batches(rows)) {
    const columns = sql.join(Object.keys(batch[0] ?? {}).map((name) => sql.ref(name)))
    await sql`insert into ${sql.table(table)} (${columns})
      select ${columns} from ${rowsOf(table, batch)} ${again}`.execute(tx)
  }
}

/** For `from`: the rows as `given`; members without a column are left out. */
export const rowsOf = (table: keyof Tables, rows: readonly object[]) =>
  sql`jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb) as given`

export function* batches<T>(rows: Iterable<T>): Generator<T[]> {
  let batch: T[] = []
  for (const row of rows) {
    batch.push(row)
    if (batch.length === BATCH) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}
