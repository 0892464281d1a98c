import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../db/open.ts'
import type { Job } from './run.ts'

/** The embedded database has no autovacuum. */
export const vacuumJob: Job = {
  name: 'vacuum',
  everyMs: 6 * 3_600_000,
  run: async ({ database }) => (database.kind === 'pglite' ? vacuum(database) : 0),
}

/** Each table has the statement timeout for itself. */
export async function vacuum(database: Database) {
  const { rows } = await sql<{
    name: string
  }>`select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by tablename`.execute(
    database.db,
  )
  for (const { name } of rows) {
    await database.script(`vacuum analyze ${name}`)
    await turn()
  }
  return rows.length
}
