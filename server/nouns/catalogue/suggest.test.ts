import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../tests/server/support/server.ts'

let server: TestServer
const now = new Date('2026-03-01T10:00:00Z')
beforeAll(async () => {
  server = await testServer([], { RATE_LIMITS: 'on' }, { clock: () => now })
})
afterAll(() => server.close())

const ask = (headers: Record<string, string> = {}) =>
  server.call('GET', 'locations-suggest/?q=bobo', { headers })

test('[API 1.6] suggestions: a 304 does not count, a full response does', async () => {
  const tag = (await ask()).headers.get('ETag') ?? ''
  for (let n = 0; n < 120; n += 1) expect((await ask({ 'If-None-Match': tag })).status).toBe(304)
  for (let n = 1; n < 120; n += 1) expect((await ask()).status).toBe(200)
  const refused = await ask()
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '60'])
})

test('[API 1.5] the whole gazetteer is cached like static files', async () => {
  const all = await server.call('GET', 'locations-suggest/?all=1')
  expect([all.status, all.headers.get('Cache-Control')]).toEqual([
    200,
    'public, max-age=3600, stale-while-revalidate=86400',
  ])
})
