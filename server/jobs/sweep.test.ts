import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServer, type TestServer } from '../testing.ts'

let server: TestServer
let offset = 0
beforeAll(async () => {
  server = await testServer([], {}, { clock: () => new Date(Date.now() + offset) })
})
afterAll(() => server.close())

const DAY = 24 * 3_600_000

test('[API 2] [API 7.3] keys live 30 days at least, sessions 180 from their last use', async () => {
  const { db } = server.services.database
  const person = await server.person()
  const register = () => server.call('POST', 'auth/register/', { json: { username: 'swept', email: 'swept@example.com', password: 'secret1' }, key: '01900000-0000-7000-8000-000000000001' })
  expect((await register()).status).toBe(201)
  offset = 30 * DAY
  await server.job('sweep')
  expect((await register()).headers.get('Idempotent-Replayed')).toBe('true')
  offset = 32 * DAY
  await server.job('sweep')
  expect((await register()).status).toBe(400)
  offset = 181 * DAY
  expect(await server.job('sweep')).toBeGreaterThan(0)
  expect(await db.selectFrom('session').selectAll().where('user_id', '=', person.id).execute()).toEqual([])
})
