import type { Generated, Kysely, Transaction } from 'kysely'
import type { AccountTables } from '../nouns/account/tables.ts'

/** What no noun owns: keys of writes, jobs, and the settings of this database. */
interface HouseTables {
  idempotency: {
    scope: string
    key: string
    fingerprint: Buffer
    status: number
    body: string | null
    location: string | null
    created_at: Date
  }
  job: {
    id: string
    kind: string
    payload: unknown
    run_at: Date
    attempts: Generated<number>
    locked_until: Date | null
    last_error: string | null
    created_at: Date
  }
  setting: { name: string; value: string }
}

/** Every table; a noun adds its own in `nouns/NOUN/tables.ts` and one word here. */
export interface Tables extends HouseTables, AccountTables {}

/** For reads; queries take it so that they run on a Tx as well. */
export type Db = Kysely<Tables>
/** Inside `database.tx`; asking for one says: this must be part of the caller's transaction. */
export type Tx = Transaction<Tables>
