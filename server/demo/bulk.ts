import { sql } from 'kysely'
import type { Tables, Tx } from '../db/tables.ts'

type Row = Readonly<Record<string, unknown>>

const BATCH = 1000

/**
 * Inserts many rows with few statements; `columns` maps names to PostgreSQL types. `known`: rows
 * may exist already.
 */
export async function insertRows(
  tx: Tx,
  table: keyof Tables,
  columns: Readonly<Record<string, string>>,
  rows: Iterable<Row>,
  known = false,
): Promise<void> {
  const again = known ? sql`on conflict do nothing` : sql``
  const names = Object.keys(columns)
  const list = sql.join(names.map((name) => sql.ref(name)))
  const types = sql.join(
    Object.entries(columns).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`),
  )
  for (const batch of batches(rows)) {
    await sql`insert into ${sql.table(table)} (${list})
      select ${list} from jsonb_to_recordset(${JSON.stringify(batch)}::jsonb) as given(${types}) ${again}`.execute(
      tx,
    )
  }
}

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
