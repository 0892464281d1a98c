import { sql } from 'kysely'
import { health, ping } from '#schema/wire/health'
import { version } from '../version.ts'
import { readRoute, type Route } from './handle.ts'
import { reply } from './reply.ts'

export const healthRoutes: readonly Route[] = [
  readRoute(ping, async () => undefined),
  readRoute(health, async ({ services: { database } }) => {
    const state = { version, database: database.kind }
    const answers = await sql`select 1`.execute(database.db).then(() => true, () => false)
    return answers ? { status: 'ok' as const, ...state } : reply({ status: 'down' as const, ...state }, { status: 503 })
  }),
]
