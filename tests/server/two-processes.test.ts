import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as v from 'valibot'
import { register } from '#schema/wire/account'
import { startServer, type Started } from './start-server.ts'

// Processes start slowly on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const post = (server: Started, path: string, json: unknown, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/api/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(json),
  })

describe.skipIf(process.env['DATABASE_URL'] === undefined)(
  'two processes on one PostgreSQL',
  () => {
    let servers: [Started, Started]
    beforeAll(async () => {
      const first = await startServer()
      servers = [first, await startServer(first.same)]
    })
    afterAll(() => Promise.all(servers.map((server) => server.stop())))

    test('[API 2] 100 parallel requests of one key make one account, and each gets its answer', async () => {
      const json = { username: 'once', email: 'once@example.com', password: 'secret1' }
      const key = randomUUID()
      const answers = await Promise.all(
        Array.from({ length: 100 }, async (_, n) => {
          const response = await post(servers[n % 2 === 0 ? 0 : 1], 'auth/register/', json, {
            'Idempotency-Key': key,
          })
          const body: unknown = await response.json()
          return { status: response.status, body }
        }),
      )
      const late = answers.filter(({ status }) => status === 409)
      const made = answers
        .filter(({ status }) => status === 201)
        .map(({ body }) => v.parse(register.answer, body).user.id)
      expect([late.length + made.length, new Set(made).size]).toEqual([100, 1])
      // A request answered 409 before gets its answer now.
      const again = await post(servers[1], 'auth/register/', json, { 'Idempotency-Key': key })
      expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([201, 'true'])
    })

    test('[API 7.3] a session of one process is valid in the other, and ends in both', async () => {
      const json = { username: 'both', email: 'both@example.com', password: 'secret1' }
      const { token } = v.parse(
        register.answer,
        await (await post(servers[0], 'auth/register/', json)).json(),
      )
      const headers = { Authorization: `Token ${token}` }
      expect((await fetch(`${servers[1].url}/api/auth/me/`, { headers })).status).toBe(200)
      expect((await post(servers[1], 'auth/logout/', {}, headers)).status).toBe(204)
      expect((await fetch(`${servers[0].url}/api/auth/me/`, { headers })).status).toBe(401)
    })

    test.skipIf(process.env['REDIS_URL'] === undefined)(
      '[API 1.6] rate limits count calls of both processes',
      async () => {
        const attempt = async (n: number) =>
          (
            await post(servers[n % 2 === 0 ? 0 : 1], 'auth/login/', {
              username: 'counted',
              password: 'secret1',
            })
          ).status
        const statuses: number[] = []
        for (let n = 0; n < 12; n += 1) statuses.push(await attempt(n))
        expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429, 429])
      },
    )
  },
)
