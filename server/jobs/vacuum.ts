import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Job } from './run.ts'

/**
 * The embedded database has no autovacuum. Table by table, since it blocks this process meanwhile.
 */
export const vacuumJob: Job = {
  name: 'vacuum',
  everyMs: 6 * 3_600_000,
  async run({ database }) {
    if (database.kind !== 'pglite') return 0
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
  },
}
