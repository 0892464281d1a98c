import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { health, live, ping, ready } from '#schema/wire/operations'
import type { Database } from '../../db/open.ts'
import { type Services, readRoute, type Route, reply } from '../../route/index.ts'
import { version } from '../../version.ts'

/** A slower database counts as down. */
const PATIENCE_MS = 2000

async function answers({ db }: Database) {
  const asked = sql`select 1`.execute(db).then(
    () => true,
    () => false,
  )
  return Promise.race([asked, pause(PATIENCE_MS, false, { ref: false })])
}

async function stateOf({ services: { database } }: { services: Services }) {
  const state = { version, database: database.kind }
  if (await answers(database)) return { status: 'ok' as const, ...state }
  return reply(
    { status: 'down' as const, ...state },
    { status: 503, headers: { 'Retry-After': '5' } },
  )
}

export const healthRoutes: readonly Route[] = [
  readRoute(ping, async () => undefined),
  readRoute(health, stateOf),
  readRoute(ready, stateOf),
  readRoute(live, async () => ({ status: 'ok' as const, version })),
]
