import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
} from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseOf } from '../../db/open.ts'
import type { Tables } from '../../db/tables.ts'
import { testDatabase } from '../../../tests/server/support/database.ts'
import { testServer, type TestServer } from '../../../tests/server/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

const paths = ['health/live/', 'health/ready/', 'health/', 'ping/']
const statuses = (one: TestServer) =>
  Promise.all(paths.map(async (path) => (await one.call('GET', path)).status))

test('[API 1.1] with its database a server is live and ready', async () => {
  expect(await statuses(server)).toEqual([200, 200, 200, 204])
})

test('[API 1.1] without it the server is live, not ready, and sends Retry-After', async () => {
  const database = await testDatabase()
  const lost = await testServer([], {}, { database })
  await database.close()
  expect(await statuses(lost)).toEqual([200, 503, 503, 204])
  expect((await lost.call('GET', 'health/ready/')).headers.get('Retry-After')).toBe('5')
  await lost.close()
})

class Still extends DummyDriver {
  override acquireConnection = (): Promise<DatabaseConnection> => new Promise(() => undefined)
}

test('a database without an answer counts as down after two seconds', async () => {
  const dialect = {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new Still(),
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
  const database = databaseOf({
    kind: 'postgresql',
    kysely: new Kysely<Tables>({ dialect }),
    transaction: () => new Promise(() => undefined),
    script: () => new Promise(() => undefined),
    pool: () => ({ open: 10, idle: 0, waiting: 1 }),
    close: async () => undefined,
  })
  const still = await testServer([], {}, { database })
  const began = performance.now()
  expect(await statuses(still)).toEqual([200, 503, 503, 204])
  expect(performance.now() - began).toBeLessThan(25_000)
  await still.close()
})
