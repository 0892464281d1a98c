import { Hono } from 'hono'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as v from 'valibot'
import { problem } from '#schema/wire/problem'
import { testServer, type TestServer } from '../../../tests/server/support/server.ts'
import { addListing } from '../../../tests/server/support/sample.ts'
import { BAD_TOKENS, countRow, memoryLimiter, READS } from '../../route/limits.ts'
import type { Bindings } from './mount.ts'
import { pageLimit } from '../pages/page-limit.ts'
import { Refusal } from '../../route/refusal.ts'

/** Many people behind one address, and one client that sends too many requests [A2, A3]. */
let server: TestServer
let now = new Date('2026-11-21T12:00:00Z')
const page = `<!doctype html><html lang="fr"><head><title>x</title></head><body><div id="root"></div></body></html>`
const web = new Map([
  [
    '/index.html',
    {
      path: '/index.html',
      type: 'text/html',
      immutable: false,
      etag: '"x"',
      forms: { identity: Buffer.from(page), br: null, gzip: null },
    },
  ],
])
beforeAll(async () => {
  server = await testServer([], { RATE_LIMITS: 'on' }, { clock: () => now, web })
  const seller = await server.person()
  await addListing(server.services.database.db, seller.id)
})
afterAll(() => server.close())

const later = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000)
}
const codeOf = async (answer: Response) => v.parse(problem, await answer.json()).code

test('[A2] 2,000 visitors of one address browse for ten minutes; only 50 calls a second are refused', async () => {
  const limiter = memoryLimiter()
  const start = Date.UTC(2026, 0, 1)
  const ask = (visitor: number, ms: number) =>
    countRow(
      { limiter, config: { rateLimits: true } },
      READS,
      { caller: null, address: '196.28.1.1', visitorSession: `visitor-${visitor}` },
      new Date(start + ms),
    ).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Refusal) return false
        throw error
      },
    )
  let refused = 0
  let greedy = 0
  // twelve calls a minute each, and among them one visitor with fifty a second
  for (let ms = 0; ms < 600_000; ms += 20) {
    for (let n = 0; n < 8; n += 1) refused += (await ask((((ms / 20) * 8) % 2000) + n, ms)) ? 0 : 1
    if (!(await ask(9999, ms))) greedy += 1
  }
  expect(refused).toBe(0)
  expect(greedy).toBeGreaterThan(20_000)
})

/** Only the page limit, with no page behind it. */
function gate() {
  const limit = pageLimit(server.services)
  const app = new Hono<{ Bindings: Bindings }>().get('/', async (c) =>
    c.text('', (await limit(c)) === null ? 200 : 429),
  )
  return async (session?: string): Promise<number> =>
    (await app.request('/', { headers: session === undefined ? {} : { 'X-Session-Id': session } }))
      .status
}

test('[A2] visitors with session ids read lists and pages; one without pauses gets 429 with Retry-After', async () => {
  const list = async (session: string) =>
    server.app.request('/api/listings/?page_size=1', { headers: { 'X-Session-Id': session } })
  const open = gate()
  for (let n = 0; n < 120; n += 1) {
    expect((await list(`visitor-${n}`)).status).toBe(200)
    expect(await open(`visitor-${n}`)).toBe(200)
  }
  const answers = await Promise.all(Array.from({ length: 320 }, () => list('one-visitor')))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(300)
  expect(
    Number(answers.find(({ status }) => status === 429)?.headers.get('Retry-After')),
  ).toBeGreaterThan(0)
  const pages = await Promise.all(Array.from({ length: 400 }, () => open('one-visitor')))
  expect(pages.filter((status) => status === 200)).toHaveLength(300)
})

test('[A2] pages without a session id share a limit, which 50 a second exceed', async () => {
  const open = gate()
  later(3600)
  for (let second = 0; second < 60; second += 1) {
    later(1)
    expect(new Set(await Promise.all(Array.from({ length: 33 }, () => open())))).toEqual(
      new Set([200]),
    )
  }
  later(3600)
  let refused = 0
  for (let second = 0; second < 20; second += 1) {
    later(1)
    refused += (await Promise.all(Array.from({ length: 50 }, () => open()))).filter(
      (status) => status === 429,
    ).length
  }
  expect(refused).toBe(200)
  // a client that shares the address with the flood still gets the app
  const page = await server.app.request('/')
  expect([
    page.status,
    Number(page.headers.get('Retry-After')) > 0,
    (await page.text()).includes('id="root"'),
  ]).toEqual([429, true, true])
})

test('[A2] health and ping are not limited', async () => {
  later(3600)
  for (let n = 0; n < 320; n += 1) {
    expect((await server.call('GET', 'health/')).status).toBe(200)
    expect((await server.call('GET', 'ping/')).status).toBe(204)
  }
})

test('[A3] bad tokens count against their address, with any session id; a valid one is not refused', async () => {
  later(3600)
  const [window] = BAD_TOKENS.network ?? []
  const person = await server.person()
  const bad = (n: number) =>
    server.call('GET', 'auth/me/', {
      headers: {
        Authorization: `Token ${'A'.repeat(39)}${1000 + n}`,
        'X-Session-Id': `session-${n}`,
      },
    })
  for (let n = 0; n < (window?.count ?? 0); n += 1) expect((await bad(n)).status).toBe(401)
  const answer = await bad(0)
  expect([answer.status, await codeOf(answer)]).toEqual([429, 'rate_limited'])
  expect((await server.call('GET', 'auth/me/', { by: person })).status).toBe(200)
})
