import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as v from 'valibot'
import { register } from '#schema/wire/account'
import { discard } from '../support/folder.ts'
import { withPostgres } from '../support/postgres.ts'
import { Proxy } from '../support/proxy.ts'
import { resetAt, stagesOf } from './chaos/reset.ts'
import { exitOf, startServer, type Started } from './start-server.ts'

// Processes start slowly on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const problem = v.looseObject({ code: v.string(), request_id: v.string() })

async function signedIn(server: Started): Promise<string> {
  const username = `u${randomUUID().slice(0, 12)}`
  const body = JSON.stringify({ username, email: `${username}@example.com`, password: 'secret1' })
  const response = await fetch(`${server.url}/api/auth/register/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  })
  return v.parse(register.answer, await response.json()).token
}

const isUp = async (server: Started): Promise<number> =>
  (await fetch(`${server.url}/api/health/`)).status

describe('a server among clients that reset their connections', () => {
  let server: Started
  let proxy: Proxy
  let token: string
  beforeAll(async () => {
    server = await startServer({ RATE_LIMITS: 'off' })
    proxy = await new Proxy(Number(new URL(server.url).port)).listen()
    token = await signedIn(server)
  })
  afterAll(async () => {
    await proxy.close()
    await server.stop()
    discard(server.dataDir)
  })

  test.each(stagesOf('t').map(({ name }, n) => [name, n] as const))(
    '%s: the server keeps running, directly and behind a proxy',
    async (_, n) => {
      const stage = stagesOf(token)[n]
      if (stage === undefined) throw new Error('no such stage')
      for (let round = 0; round < 5; round += 1)
        await Promise.all([
          resetAt(Number(new URL(server.url).port), stage),
          resetAt(proxy.port, stage),
        ])
      expect([await isUp(server), server.errors()]).toEqual([200, ''])
    },
  )
})

describe.skipIf(process.env['DATABASE_URL'] === undefined)(
  'a server whose connections to PostgreSQL are ended',
  () => {
    let server: Started
    beforeAll(async () => {
      server = await startServer({ RATE_LIMITS: 'off' })
    })
    afterAll(async () => {
      await server.stop()
      discard(server.dataDir)
    })

    test('[API 1.1] interrupted calls are 503 with Retry-After, no others fail, and the next one works', async () => {
      const ended = exitOf(server.process)
      const admin = new pg.Client(server.same['DATABASE_URL'] ?? '')
      await admin.connect()
      let reading = true
      const answers: { status: number; retry: string | null; code: string }[] = []
      const readers = Array.from({ length: 10 }, async () => {
        while (reading) {
          const response = await fetch(
            `${server.url}/api/listings/?page_size=50&search=${randomUUID().slice(0, 3)}`,
          )
          const body: unknown = await response.json()
          answers.push({
            status: response.status,
            retry: response.headers.get('Retry-After'),
            code: response.ok ? '' : v.parse(problem, body).code,
          })
        }
      })
      const others =
        'from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
      let cut = 0
      for (let round = 0; round < 60; round += 1) {
        const { rowCount } = await admin.query(
          `select pg_terminate_backend(pid) ${others} and state = 'active'`,
        )
        cut += rowCount ?? 0
      }
      // Idle connections and the one that listens for notifications, all at once.
      cut += (await admin.query(`select pg_terminate_backend(pid) ${others}`)).rowCount ?? 0
      reading = false
      await Promise.all(readers)
      await expect.poll(() => isUp(server)).toBe(200)
      const { rows } = await admin.query<{ n: number }>(
        `select 1 as n ${others} and query like 'listen %'`,
      )
      await expect
        .poll(
          async () => (await admin.query(`select 1 ${others} and query like 'listen %'`)).rowCount,
        )
        .toBe(process.env['REDIS_URL'] === undefined ? 1 : rows.length)
      await admin.end()
      // No lost connection counts as busy.
      const busy = async (): Promise<string> =>
        /^database_connections\{state="busy"\} (\d+)$/m.exec(
          await (await fetch(`${server.url}/metrics`)).text(),
        )?.[1] ?? 'untold'
      await expect.poll(busy).toBe('0')
      expect(await Promise.race([ended, Promise.resolve('still running')])).toBe('still running')
      expect(cut).toBeGreaterThan(0)
      expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
      expect(
        answers.filter(
          ({ status, retry, code }) =>
            status === 503 && (retry !== '5' || code !== 'service_unavailable'),
        ),
      ).toEqual([])
    })
  },
)

// Without Redis only: it takes the whole deadline.
test.skipIf(process.env['DATABASE_URL'] === undefined || process.env['REDIS_URL'] !== undefined)(
  '[API 1.1] [API 2] while PostgreSQL is frozen calls are 503 at their deadline, and a repeat is done once',
  () =>
    withPostgres(async (databaseUrl, postgres) => {
      const server = await startServer({ DATABASE_URL: databaseUrl, RATE_LIMITS: 'off' })
      const body = { username: 'frozen', email: 'frozen@example.com', password: 'secret1' }
      const write = (key: string) =>
        fetch(`${server.url}/api/auth/register/`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
          body: JSON.stringify(body),
        })
      const key = randomUUID()
      await postgres.signal('SIGSTOP')
      const began = performance.now()
      const answers = await Promise.all([
        write(key),
        fetch(`${server.url}/api/listings/?search=frozen`),
      ])
      const waited = performance.now() - began
      await postgres.signal('SIGCONT')
      expect(answers.map(({ status, headers }) => [status, headers.get('Retry-After')])).toEqual([
        [503, '5'],
        [503, '5'],
      ])
      // At 30 s; without a deadline they would wait until it runs again.
      expect(waited).toBeLessThan(60_000)
      await expect.poll(async () => (await write(key)).status).toBe(201)
      expect((await write(randomUUID())).status).toBe(400)
      await server.stop()
      discard(server.dataDir)
    }),
)

test('an unexpected error is logged once, with its stack, and ends the process with 70', async () => {
  const fault = "process.on('SIGUSR2', () => { throw new Error('nobody expected this') })"
  const server = await startServer({
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(fault)}`,
  })
  const ended = exitOf(server.process)
  server.process.kill('SIGUSR2')
  expect(await ended).toBe(70)
  const lines = server.errors().trim().split('\n')
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 60,
    origin: 'uncaughtException',
    err: { message: 'nobody expected this' },
  })
  expect(lines[0]).toContain('at process.')
  const again = await startServer(server.same)
  expect(await isUp(again)).toBe(200)
  await again.stop()
  discard(server.dataDir)
})

test('an unhandled promise rejection ends the process the same way', async () => {
  const fault = "process.on('SIGUSR2', () => { Promise.reject(new Error('nobody waited')) })"
  const server = await startServer({
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(fault)}`,
  })
  const ended = exitOf(server.process)
  server.process.kill('SIGUSR2')
  expect(await ended).toBe(70)
  expect(JSON.parse(server.errors())).toMatchObject({
    origin: 'unhandledRejection',
    err: { message: 'nobody waited' },
  })
  discard(server.dataDir)
})
