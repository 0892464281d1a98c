import { sql } from 'kysely'
import type { Tx } from './tables.ts'

/** Others queue behind whoever waits for a table lock. */
const LOCK_WAIT = '10s'

/** Lifts the statement timeout (25 s) for work that no caller waits for. */
export async function liftTimeout(tx: Tx) {
  await sql`select set_config('statement_timeout', '0', true), set_config('lock_timeout', ${LOCK_WAIT}, true)`.execute(
    tx,
  )
}
