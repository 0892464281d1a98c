import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServer, type TestServer } from '../tests/server/support/server.ts'

let server: TestServer
let offset = 0
beforeAll(async () => {
  server = await testServer([], {}, { clock: () => new Date(Date.now() + offset) })
})
afterAll(() => server.close())

const DAY = 24 * 3_600_000

test('[API 2] [API 7.3] keys are stored 30 days at least, sessions 180 from their last use', async () => {
  const { db } = server.services.database
  const person = await server.person()
  const register = () =>
    server.call('POST', 'auth/register/', {
      json: { username: 'swept', email: 'swept@example.com', password: 'secret1' },
      key: '01900000-0000-7000-8000-000000000001',
    })
  expect((await register()).status).toBe(201)
  offset = 30 * DAY
  await server.job('sweep')
  expect((await register()).headers.get('Idempotent-Replayed')).toBe('true')
  offset = 32 * DAY
  await server.job('sweep')
  expect((await register()).status).toBe(400)
  offset = 181 * DAY
  expect(await server.job('sweep')).toBeGreaterThan(0)
  expect(
    await db.selectFrom('session').selectAll().where('user_id', '=', person.id).execute(),
  ).toEqual([])
})

test('[API 2] one sweep deletes all expired keys, however many', async () => {
  const { db } = server.services.database
  const old = new Date(server.services.clock().getTime() - 40 * DAY)
  await sql`insert into idempotency (scope, key, fingerprint, status, created_at)
    select 'many', n::text, '\\x00', 201, ${old} from generate_series(1, 12001) as n`.execute(db)
  await server.job('sweep')
  expect(
    await db.selectFrom('idempotency').select('key').where('scope', '=', 'many').execute(),
  ).toEqual([])
})

test('[API 6.3] one sweep deletes all expired photos', async () => {
  const { db } = server.services.database
  const person = await server.person()
  const old = new Date(server.services.clock().getTime() - 8 * DAY)
  await sql`insert into picture (id, owner_id, hash, width, height, bytes, created_at, removed_at)
    select 'p' || n, ${person.id}, 'h' || n, 1, 1, 1, ${old}, ${old} from generate_series(1, 250) as n`.execute(
    db,
  )
  await server.job('forget')
  expect(
    await db.selectFrom('picture').select('id').where('owner_id', '=', person.id).execute(),
  ).toEqual([])
})
