import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as v from 'valibot'
import { register } from '#schema/wire/account'
import { makeDatabase } from './support/database.ts'
import { discard } from '../support/folder.ts'
import { withPostgres } from '../support/postgres.ts'
import { connect as openSocket } from './support/socketClient.ts'
import {
  exitOf,
  newFolder,
  runToEnd,
  spawnServer,
  startServer,
  type Started,
} from './start-server.ts'

// Processes start slowly on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const problem = v.looseObject({ code: v.string() })

/** Resolves however the socket ends: a peer that is cut while sending gets a reset. */
const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.once('close', () => resolve()))

describe('[SURFACE 1] a server that runs', () => {
  let server: Started
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(async () => {
    await server.stop()
    discard(server.dataDir)
  })

  /** Sends bytes and returns the answer until the server closes. */
  async function raw(text: string): Promise<string> {
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    let answer = ''
    socket.on('data', (chunk) => (answer += chunk.toString()))
    socket.on('error', () => undefined)
    socket.write(text)
    await closed(socket)
    return answer
  }
  const line = (request: string, headers = '') =>
    `${request} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`

  test('[API 1.2] a URL that is too long is 414, too many headers are 431', async () => {
    const long = await fetch(`${server.url}/api/health/?x=${'x'.repeat(9000)}`)
    expect([long.status, v.parse(problem, await long.json()).code]).toEqual([414, 'uri_too_long'])
    expect(await raw(line('GET /api/health/', `X-Large: ${'x'.repeat(17_000)}\r\n`))).toMatch(
      /^HTTP\/1.1 431 /,
    )
  })

  test.each([
    ['TRACE /api/health/', 405],
    ['BREW /api/health/', 400],
    ['OPTIONS /api/health/', 405],
    ['GET /api/%ff/', 404],
    ['GET /api/things/%00', 404],
    ['GET //api/health/', 404],
    ['GET /api/health/?q=%ff', 400],
  ])('[API 1.1] %s is answered with %i', async (request, status) => {
    expect(await raw(line(request))).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  })

  test('[API 1.1] invalid HTTP gets the usual error shape', async () => {
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    let answer = ''
    socket.on('data', (chunk) => (answer += chunk.toString()))
    socket.on('error', () => undefined)
    socket.write(
      Buffer.from('GET /api/listings/?search=\xe9 HTTP/1.1\r\nHost: x\r\n\r\n', 'latin1'),
    )
    await closed(socket)
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/)
    for (const one of [
      'content-type: application/json',
      'x-request-id: ',
      'cache-control: no-store',
      'x-content-type-options: nosniff',
    ])
      expect(head.toLowerCase()).toContain(one)
    expect(v.parse(problem, JSON.parse(body))).toMatchObject({
      code: 'parse_error',
      detail: 'Requête invalide. Actualisez la page et réessayez.',
    })
    const long = await raw(line('GET /api/health/', `X-Large: ${'x'.repeat(17_000)}\r\n`))
    expect(v.parse(problem, JSON.parse(long.split('\r\n\r\n')[1] ?? '')).code).toBe(
      'headers_too_large',
    )
  })

  test('[API 1.2] a body with a Content-Length over the limit is refused unread', async () => {
    const answer = await raw(
      line(
        'POST /api/auth/login/',
        'Content-Type: application/json\r\nContent-Length: 999999999\r\n',
      ),
    )
    expect(answer).toMatch(/^HTTP\/1.1 413 /)
  })

  test('[API 1.2] a body without a length is refused at the first byte too many', async () => {
    const piece = 'a'.repeat(60_000)
    const chunked = `${piece.length.toString(16)}\r\n${piece}\r\n`.repeat(6)
    const answer = await raw(
      line(
        'POST /api/auth/login/',
        'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n',
      ) + chunked,
    )
    expect(answer).toMatch(/^HTTP\/1.1 413 /)
  })

  test('[API 1.2] endless headers are cut, however often a byte arrives', async () => {
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    let answer = ''
    socket.on('data', (chunk) => (answer += chunk.toString()))
    socket.on('error', () => undefined)
    socket.write('GET /api/health/ HTTP/1.1\r\nHost: x\r\n')
    const trickle = setInterval(() => socket.write('X-Slow: 1\r\n'), 200)
    await closed(socket)
    clearInterval(trickle)
    // A byte that arrives after the end resets the connection, and may discard the answer.
    expect(answer).toMatch(/^(?:HTTP\/1.1 408 |$)/)
  })

  test.each([
    '/metrics',
    '/media/nothing',
    '/media/images/00000000/160.webp',
    '/robots.txt',
    '/sitemap.xml',
    '/nothing.js',
    '/api/docs',
    '/api/health/',
    '/ws/notifications/',
  ])('[API 1.1] %s carries the headers of every response', async (path) => {
    const { headers } = await fetch(`${server.url}${path}`, {
      headers: { 'X-Forwarded-For': '196.28.1.1' },
    })
    expect([
      headers.get('X-Content-Type-Options'),
      headers.get('Referrer-Policy'),
      headers.get('Cache-Control'),
    ]).toEqual(['nosniff', 'no-referrer', expect.stringMatching(/no-store|max-age=\d/)])
  })

  test('[D122] metrics are for this machine, and not through a proxy', async () => {
    expect(await (await fetch(`${server.url}/metrics`)).text()).toContain(
      'http_request_duration_seconds',
    )
    expect(
      (await fetch(`${server.url}/metrics`, { headers: { 'X-Forwarded-For': '1.2.3.4' } })).status,
    ).toBe(404)
  })

  test('[API 1.1] metrics have open sockets, the event loop, and Redis where it is used', async () => {
    const metrics = async () => (await fetch(`${server.url}/metrics`)).text()
    const before = await metrics()
    expect(before).toMatch(/^sockets_open 0$/m)
    expect(before).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m)
    expect(/^redis_available (\d)$/m.exec(before)?.[1]).toBe(
      process.env['REDIS_URL'] === undefined ? undefined : '1',
    )
    const response = await fetch(`${server.url}/api/auth/register/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ username: 'sali', email: 'sali@example.com', password: 'secret1' }),
    })
    const { token } = v.parse(register.answer, await response.json())
    const client = openSocket(Number(new URL(server.url).port), { token })
    await client.until((frame) => frame.type === 'hello')
    expect(await metrics()).toMatch(/^sockets_open 1$/m)
    client.socket.close()
    await expect.poll(metrics).toMatch(/^sockets_open 0$/m)
  })
})

test('[API 1.1] metrics say that Redis is away, and limits are counted by the process', async () => {
  const server = await startServer({ REDIS_URL: 'redis://127.0.0.1:1' })
  expect((await fetch(`${server.url}/api/listings/`)).status).toBe(200)
  await expect
    .poll(async () => (await fetch(`${server.url}/metrics`)).text())
    .toMatch(/^redis_available 0$/m)
  await server.stop()
  discard(server.dataDir)
})

test('[SURFACE 1] SIGTERM, even twice as from npm, finishes a request, ends with 0 and keeps the data', async () => {
  const first = await startServer()
  const body = { username: 'kadi', email: 'kadi@example.com', password: 'secret1' }
  const post = (url: string, path: string, json: unknown) =>
    fetch(`${url}/api/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(json),
    })
  const { hostname, port } = new URL(first.url)
  const socket = connect(Number(port), hostname)
  const text = JSON.stringify(body)
  socket.write(
    `POST /api/auth/register/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${text.length}\r\nExpect: 100-continue\r\n\r\n`,
  )
  // "100 Continue": the server has the request, and now it is stopped.
  await once(socket, 'data')
  const ended = first.stop()
  await expect
    .poll(() =>
      fetch(first.url).then(
        () => 'takes more',
        () => 'takes no more',
      ),
    )
    .toBe('takes no more')
  void first.stop()
  socket.write(text)
  const answer = await new Promise<string>((resolve) =>
    socket.once('data', (bytes) => resolve(bytes.toString())),
  )
  expect([answer.split('\r\n')[0], await ended]).toEqual(['HTTP/1.1 201 Created', 0])
  const second = await startServer(first.same)
  expect((await post(second.url, 'auth/login/', body)).status).toBe(200)
  expect(await second.stop('SIGKILL')).toBe('SIGKILL')
  const third = await startServer(first.same)
  expect((await post(third.url, 'auth/login/', body)).status).toBe(200)
  await third.stop()
  discard(first.dataDir)
})

test.skipIf(process.env['DATABASE_URL'] === undefined)(
  '[SURFACE 1] stopped while PostgreSQL is down it answers running calls and ends with 0',
  async () => {
    await withPostgres(async (url, postgres) => {
      const server = await startServer({ DATABASE_URL: url })
      const { hostname, port } = new URL(server.url)
      const socket = connect(Number(port), hostname)
      let answer = ''
      socket.on('data', (bytes) => (answer += bytes.toString()))
      socket.on('error', () => undefined)
      const text = JSON.stringify({
        username: 'kadi',
        email: 'kadi@example.com',
        password: 'secret1',
      })
      const head =
        `POST /api/auth/register/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${text.length}\r\nExpect: 100-continue\r\n\r\n`
      socket.write(head)
      await expect.poll(() => answer).toMatch(/^HTTP\/1.1 100 /)
      postgres.stop('immediate')
      const ended = server.stop()
      await expect
        .poll(() =>
          fetch(server.url).then(
            () => 'takes more',
            () => 'takes no more',
          ),
        )
        .toBe('takes no more')
      socket.write(text)
      await closed(socket)
      postgres.start()
      expect([/\r\nHTTP\/1.1 503 /.test(answer), await ended]).toEqual([true, 0])
      discard(server.dataDir)
    })
  },
)

test.skipIf(process.env['DATABASE_URL'] !== undefined)(
  'a first start killed while it creates its database is repaired by the next',
  async () => {
    const files = (name: string) =>
      readdir(`${dataDir}/${name}`).then(
        (list) => list.length,
        () => 0,
      )
    let dataDir = ''
    // On a busy machine the kill may come after the creation: then another first start is killed.
    do {
      if (dataDir !== '') discard(dataDir)
      dataDir = await newFolder()
      const { child } = spawnServer({ PORT: '0', DEMO: '0', DATA_DIR: dataDir })
      await expect
        .poll(async () => (await files('db.new')) + (await files('db')), {
          timeout: 60_000,
          interval: 5,
        })
        .toBeGreaterThan(0)
      child.kill('SIGKILL')
      await exitOf(child)
    } while ((await files('db')) > 0)
    expect(await files('db.new')).toBeGreaterThan(0)
    const next = await startServer({ DATA_DIR: dataDir })
    expect(await (await fetch(`${next.url}/api/health/`)).json()).toMatchObject({ status: 'ok' })
    expect([await next.stop(), await files('db.new')]).toEqual([0, 0])
    discard(dataDir)
  },
)

test.skipIf(process.env['DATABASE_URL'] !== undefined)(
  'two processes on one folder: the second ends with 75 and gives the reason',
  async () => {
    const first = await startServer()
    const second = await runToEnd({ PORT: '0', DEMO: '0', DATA_DIR: first.dataDir })
    expect([second.code, second.out, second.err.split('\n').length]).toEqual([75, '', 2])
    expect(second.err).toContain(first.dataDir)
    await first.stop()
    discard(first.dataDir)
  },
)

test.each([
  [{ PORT: 'eighty' }, 'PORT'],
  [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL'],
  [
    { DATABASE_URL: 'postgres://someone:secret@127.0.0.1:1/market' },
    'DATABASE_URL leads to no database that answers: connect ECONNREFUSED',
  ],
  [{ VAPID_PUBLIC_KEY: 'one', VAPID_PRIVATE_KEY: 'two' }, 'VAPID_PUBLIC_KEY'],
  [{ RATE_LIMITS: 'off', NODE_ENV: 'production' }, 'RATE_LIMITS'],
  [{ TEST_CLOCK_OFFSET_S: '5', NODE_ENV: 'production' }, 'TEST_CLOCK_OFFSET_S'],
  [{ PUSH_ALLOW_INSECURE: 'on', NODE_ENV: 'production' }, 'PUSH_ALLOW_INSECURE'],
  [{ CORS_ORIGINS: 'example.com' }, 'CORS_ORIGINS'],
  [{ S3_BUCKET: 'pictures' }, 'S3_ENDPOINT'],
  [{ TRUST_PROXY: '11' }, 'TRUST_PROXY'],
  [{ PORT: '0', HOST: '203.0.113.7' }, 'HOST'],
])('[API 16] %j stops the start with 78 and one line', async (env, name) => {
  const dataDir = await newFolder()
  const { code, err } = await runToEnd({ DEMO: '0', ...env, DATA_DIR: dataDir })
  expect([code, err.trim().split('\n')]).toEqual([78, [expect.stringContaining(name)]])
  discard(dataDir)
})

test('[API 16] an unusable data folder stops the start with 78 and one line', async () => {
  const dataDir = await newFolder()
  const file = join(dataDir, 'file')
  await writeFile(file, '')
  const { code, err } = await runToEnd({ DEMO: '0', DATA_DIR: join(file, 'data') })
  expect([code, err.trim().split('\n')]).toEqual([78, [expect.stringContaining('DATA_DIR')]])
  discard(dataDir)
})

test('[SURFACE 1] the demo’s accounts never run behind a public address, since their password is known', async () => {
  const open = { PORT: '0', PUBLIC_URL: 'https://yaar.example' }
  const filled = await startServer({ DEMO: '1', DEMO_LISTINGS: '10', DEMO_USERS: '10' })
  await filled.stop()
  const before = await runToEnd({ ...filled.same, ...open, DEMO: '0' })
  expect([before.code, before.err.trim().split('\n')]).toEqual([
    78,
    [
      expect.stringMatching(
        /^PUBLIC_URL https:\/\/yaar\.example .*take an empty one and set DEMO=0$/,
      ),
    ],
  ])
  const empty = await startServer()
  await empty.stop()
  const asked = await runToEnd({ ...empty.same, ...open, DEMO: '1' })
  expect([asked.code, asked.err.trim().split('\n')]).toEqual([
    78,
    [expect.stringMatching(/^PUBLIC_URL https:\/\/yaar\.example .*set DEMO=0$/)],
  ])
  const real = await startServer({ ...empty.same, ...open, DEMO: '0' })
  expect(await real.stop()).toBe(0)
  for (const { dataDir } of [filled, empty]) discard(dataDir)
})

test('[API 16] the command line never migrates the schema: it lists what is missing for a server', async () => {
  const dataDir = await newFolder()
  const outer = process.env['DATABASE_URL']
  const made = outer === undefined ? null : await makeDatabase(outer, false)
  const env = { DATA_DIR: dataDir, ...(made !== null && { DATABASE_URL: made.url }) }
  const stats = () => runToEnd(env, 'server/admin/main.ts', 'stats')
  for (let n = 0; n < 2; n += 1) {
    const refused = await stats()
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining('lacks 001-accounts.sql: start the server'),
    ])
  }
  const server = await startServer(env)
  await server.stop()
  const counted = await stats()
  expect([counted.code, counted.out]).toEqual([0, expect.stringContaining('users: 0')])
  await made?.drop()
  discard(dataDir)
})
