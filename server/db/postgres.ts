import pg from 'pg'
import { Kysely, PostgresDialect } from 'kysely'
import type { Driver } from './open.ts'
import type { Tables } from './tables.ts'
import { parsers } from './values.ts'

/** PostgreSQL 15 or newer through a pool. Timeouts keep one stuck statement or transaction from stopping everybody (API.md 1.1, deadline). */
export function openPostgres(url: string, connections: number): Driver {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    statement_timeout: 25_000,
    idle_in_transaction_session_timeout: 30_000,
    connectionTimeoutMillis: 10_000,
    types: { getTypeParser: (oid, format) => parsers[oid] ?? pg.types.getTypeParser(oid, format) },
  })
  // an idle connection that the server cut is replaced by the pool at its next use
  pool.on('error', () => undefined)
  return {
    kind: 'postgresql',
    kysely: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }),
    async script(sql) {
      await pool.query(sql)
    },
    close: () => pool.end(),
  }
}
