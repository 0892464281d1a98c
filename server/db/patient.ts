import { sql } from 'kysely'
import type { Tx } from './tables.ts'

/** So long such a transaction waits for a lock, since others queue behind whoever waits for a whole table. */
const LOCK_WAIT = '10s'

/** Lets this transaction take as long as it needs: the pool ends a statement of any other after 25 s. For what no caller waits for. */
export async function takeYourTime(tx: Tx): Promise<void> {
  await sql`select set_config('statement_timeout', '0', true), set_config('lock_timeout', ${LOCK_WAIT}, true)`.execute(
    tx,
  )
}
