import { sql, type RawBuilder } from 'kysely'
import type { Db } from './tables.ts'

export async function countOf(db: Db, from: RawBuilder<unknown>) {
  const { rows } = await sql<{
    count: number
  }>`select count(*)::integer as count from ${from}`.execute(db)
  return rows[0]?.count ?? 0
}
