import type { Generated, Kysely, Transaction } from 'kysely'
import type { AuditTables } from '../admin/tables.ts'
import type { LiveTables } from '../live/tables.ts'
import type { AccountTables } from '../nouns/account/tables.ts'
import type { ConversationTables } from '../nouns/conversation/tables.ts'
import type { DemoTables } from '../demo/tables.ts'
import type { NotificationTables } from '../nouns/notification/tables.ts'
import type { PushTables } from '../nouns/push/tables.ts'
import type { BlockTables } from '../nouns/block/tables.ts'
import type { FavouriteTables } from '../nouns/favourite/tables.ts'
import type { FollowTables } from '../nouns/follow/tables.ts'
import type { ListingTables } from '../nouns/listing/tables.ts'
import type { ReportTables } from '../nouns/report/tables.ts'
import type { ReviewTables } from '../nouns/review/tables.ts'
import type { RumTables } from '../nouns/rum/tables.ts'
import type { SearchTables } from '../nouns/search/tables.ts'

/** Tables that belong to no domain module. */
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
    /** Smaller comes first. */
    priority: Generated<number>
    run_at: Date
    attempts: Generated<number>
    /** The service that the job depends on was down at the last try. */
    outage: Generated<boolean>
    locked_until: Date | null
    last_error: string | null
    created_at: Date
  }
  setting: { name: string; value: string }
}

/** All tables; a domain module adds its own in `nouns/NOUN/tables.ts` and one name here. */
export interface Tables
  extends
    HouseTables,
    AccountTables,
    AuditTables,
    BlockTables,
    ConversationTables,
    DemoTables,
    FavouriteTables,
    FollowTables,
    ListingTables,
    LiveTables,
    NotificationTables,
    PushTables,
    ReportTables,
    ReviewTables,
    RumTables,
    SearchTables {}

/** For reads; a query that takes it also runs on a Tx. */
export type Db = Kysely<Tables>
/** Inside `database.tx`; a function that takes it must be part of the caller's transaction. */
export type Tx = Transaction<Tables>
