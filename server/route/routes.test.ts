import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { sql } from 'kysely'
import * as v from 'valibot'
import { call } from '#schema/wire/call'
import { clientId, text, whole } from '#schema/wire/shapes'
import { problem } from '#schema/wire/problem'
import { testServer, type TestServer } from '../../tests/server/support/server.ts'
import { readRoute, writeRoute } from './routes.ts'
import { newId } from '../ids.ts'
import { reply } from './reply.ts'
import { refuse } from './refusal.ts'

/** Node needs it for a body that is a stream; the types of browsers do not know it. */
const STREAMED = { duplex: 'half' }

const thing = v.object({
  name: v.string(),
  size: v.nullable(v.number()),
  tags: v.array(v.string()),
  open: v.nullable(v.boolean()),
})
const show = call('thing.show', 'GET', 'things/{id}/', {
  query: v.object({
    size: v.optional(whole(1, 10)),
    tags: v.optional(v.array(v.string())),
    open: v.optional(v.boolean()),
    sort: v.optional(v.picklist(['new', 'old'])),
  }),
  body: null,
  answer: thing,
})
const make = call('thing.make', 'POST', 'things/', {
  access: 'open',
  status: 201,
  query: null,
  body: v.object({ name: text(2, 5), size: v.nullish(whole(1, 10)), client_id: clientId }),
  answer: v.object({ name: v.string(), made: v.number() }),
})
const large = call('thing.large', 'GET', 'things/large/', {
  query: null,
  body: null,
  answer: v.object({ text: v.string() }),
})

let made = 0
/** Writes named `slow` and `fails` resolve `asked` and wait for `goOn`; `fails` then refuses. */
let asked = Promise.withResolvers<void>()
let goOn = Promise.withResolvers<void>()
/** Whether writes named `twin` wait and refuse too. */
let late = false
const afresh = () => {
  asked = Promise.withResolvers()
  goOn = Promise.withResolvers()
}
const routes = [
  readRoute(show, async ({ params, query }) => ({
    name: params.id,
    size: query.size ?? null,
    tags: query.tags ?? [],
    open: query.open ?? null,
  })),
  readRoute(large, async () => ({ text: 'marché '.repeat(1000) })),
  writeRoute(make, async ({ body, now }, tx) => {
    await tx
      .insertInto('setting')
      .values({ name: `thing ${body.name} ${newId(now.getTime())}`, value: '' })
      .execute()
    if (body.name === 'sold') throw refuse('listing_is_sold')
    if (body.name === 'slow' || body.name === 'fails' || (body.name === 'twin' && late)) {
      asked.resolve()
      await goOn.promise
      if (body.name !== 'slow') throw refuse('listing_is_sold')
    }
    if (body.name === 'bug') throw new Error('select secrets from here')
    made += 1
    return reply({ name: body.name, made }, { headers: { Location: '/api/things/1/' } })
  }),
]

let server: TestServer
beforeAll(async () => {
  server = await testServer(routes)
})
afterAll(() => server.close())

const rows = async () =>
  (
    await server.services.database.db
      .selectFrom('setting')
      .select('name')
      .where('name', 'like', 'thing %')
      .execute()
  ).length
const problemIn = async (response: Response) => v.parse(problem, await response.json())
const post = async (body: unknown, headers: Record<string, string> = {}) =>
  server.app.request('/api/things/', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

describe('[API 1.1] reading', () => {
  test('values are converted, lists joined, and the last repeated value counts', async () => {
    const response = await server.app.request(
      '/api/things/t1?size=3&tags=a,b&tags=c&open=1&size=4&unknown=x',
    )
    expect(await response.json()).toEqual({
      name: 't1',
      size: 4,
      tags: ['a', 'b', 'c'],
      open: true,
    })
  })

  test('[S7.01] paths start at the API root, with or without trailing slash, and never redirect', async () => {
    const whole = await server.app.request('/api/things/t1/')
    const short = await server.app.request('/api/things/t1')
    expect([whole.status, short.status, await short.text()]).toEqual([200, 200, await whole.text()])
    expect((await server.app.request('/things/t1/')).status).toBe(404)
  })

  test('invalid values have their codes and bounds', async () => {
    const response = await server.app.request('/api/things/t1/?size=11&sort=best')
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      code: 'validation_error',
      detail: 'La valeur doit être au plus 10.',
      size: ['La valeur doit être au plus 10.'],
      field_codes: {
        size: [{ code: 'max_value', min: 1, max: 10 }],
        sort: [{ code: 'invalid_choice' }],
      },
    })
  })

  test('a malformed id and an unknown path are 404, another method is 405 with Allow', async () => {
    expect((await server.app.request('/api/things/%00/')).status).toBe(404)
    expect((await server.app.request('/api/things/a%20b/')).status).toBe(404)
    expect((await server.app.request('/api/nothing/')).status).toBe(404)
    const wrong = await server.app.request('/api/things/t1/', { method: 'DELETE' })
    expect(wrong.status).toBe(405)
    expect(wrong.headers.get('Allow')).toBe('GET, HEAD')
  })

  test('[API 1.5] a tag, 304, HEAD and compression', async () => {
    const plain = await server.app.request('/api/things/large/')
    const tag = plain.headers.get('ETag') ?? ''
    expect(tag).toMatch(/^W\/"/)
    expect(plain.headers.get('Cache-Control')).toBe(
      'public, max-age=30, stale-while-revalidate=300',
    )
    expect(plain.headers.get('Vary')).toBe('Accept-Encoding, Accept-Language, Authorization')
    const again = await server.app.request('/api/things/large/', {
      headers: { 'If-None-Match': tag },
    })
    expect([again.status, again.headers.get('ETag'), await again.text()]).toEqual([304, tag, ''])
    const packed = await server.app.request('/api/things/large/', {
      headers: { 'Accept-Encoding': 'gzip, br' },
    })
    expect(packed.headers.get('Content-Encoding')).toBe('br')
    const head = await server.app.request('/api/things/large/', {
      method: 'HEAD',
      headers: { 'Accept-Encoding': 'br' },
    })
    expect([
      head.headers.get('Content-Length'),
      head.headers.get('Content-Encoding'),
      await head.text(),
    ]).toEqual([`${(await plain.arrayBuffer()).byteLength}`, null, ''])
  })
})

describe('[API 1.1] bodies', () => {
  test.each([
    ['[]', 'parse_error'],
    ['null', 'parse_error'],
    ['{', 'parse_error'],
    ['{"name":"a\\u0000b"}', 'parse_error'],
    ['{"name":"\\ud800"}', 'parse_error'],
    [`{"a":${'['.repeat(20)}${']'.repeat(20)}}`, 'parse_error'],
    ['{"name":7}', 'validation_error'],
    ['{}', 'validation_error'],
    ['', 'validation_error'],
  ])('%s is refused', async (body, code) => {
    const response = await post(body)
    expect([response.status, (await problemIn(response)).code]).toEqual([400, code])
  })

  test('texts are cleaned before they are counted, in code points', async () => {
    const before = await rows()
    expect((await post({ name: ' \u0001🐐🐐🐐🐐🐐\r\n ' })).status).toBe(201)
    const long = await post({ name: '🐐🐐🐐🐐🐐🐐' })
    expect((await problemIn(long)).field_codes).toEqual({
      name: [{ code: 'too_long', min: 2, max: 5 }],
    })
    expect(await rows()).toBe(before + 1)
  })

  test('another type is 415, too much is 413', async () => {
    expect(
      (await post('name=x', { 'Content-Type': 'application/x-www-form-urlencoded' })).status,
    ).toBe(415)
    expect((await post({ name: 'ok', more: 'x'.repeat(256 * 1024) })).status).toBe(413)
  })

  test('a refusal rolls back, and a bug reveals nothing', async () => {
    const before = await rows()
    expect((await post({ name: 'sold' })).status).toBe(409)
    const bug = await post({ name: 'bug' })
    expect([bug.status, (await bug.text()).includes('secrets')]).toEqual([500, false])
    expect(await rows()).toBe(before)
  })
})

describe('[API 2] idempotency', () => {
  test('100 requests with one key make one effect, and all get its answer', async () => {
    const before = await rows()
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => post({ name: 'one' }, headers)),
    )
    const bodies = new Set(await Promise.all(responses.map((response) => response.text())))
    expect([
      bodies.size,
      new Set(responses.map((response) => response.status)),
      await rows(),
    ]).toEqual([1, new Set([201]), before + 1])
    expect(
      responses.filter((response) => response.headers.get('Idempotent-Replayed') === 'true'),
    ).toHaveLength(99)
    expect(
      responses.every((response) => response.headers.get('Location') === '/api/things/1/'),
    ).toBe(true)
  })

  test('another body is 422, a failure stores nothing, the order of members does not matter', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    expect((await post({ name: 'sold' }, headers)).status).toBe(409)
    expect((await post('{"name":"abc","size":1}', headers)).status).toBe(201)
    expect(
      (await post('{"size":1, "name":"abc"}', headers)).headers.get('Idempotent-Replayed'),
    ).toBe('true')
    expect((await post({ name: 'abd' }, headers)).status).toBe(422)
  })

  test('a conflict with the same request in another process gets that one’s response', async () => {
    const [done, key] = [crypto.randomUUID(), crypto.randomUUID()]
    const first = await post({ name: 'twin' }, { 'Idempotency-Key': done })
    const { db, kind } = server.services.database
    const columns = ['scope', 'fingerprint', 'status', 'body', 'location', 'created_at'] as const
    afresh()
    late = true
    const second = post({ name: 'twin' }, { 'Idempotency-Key': key })
    await asked.promise
    const twin = db
      .insertInto('idempotency')
      .columns([...columns, 'key'])
      .expression(
        db
          .selectFrom('idempotency')
          .select([...columns, sql.lit(key).as('key')])
          .where('key', '=', done),
      )
      .execute()
    // the embedded database runs one transaction at a time: there the insert waits for the other to
    // end
    if (kind === 'postgresql') await twin
    goOn.resolve()
    const answer = await second
    expect([answer.status, answer.headers.get('Idempotent-Replayed'), await answer.json()]).toEqual(
      [201, 'true', await first.json()],
    )
    // without a stored response it is refused
    expect((await post({ name: 'twin' }, { 'Idempotency-Key': crypto.randomUUID() })).status).toBe(
      409,
    )
    late = false
  })

  test('the key may be in the body; both must be equal; a visitor’s is a UUID', async () => {
    const key = crypto.randomUUID()
    expect((await post({ name: 'abc', client_id: key })).status).toBe(201)
    expect(
      (await post({ name: 'abc' }, { 'Idempotency-Key': key })).headers.get('Idempotent-Replayed'),
    ).toBe('true')
    expect(
      (
        await problemIn(
          await post({ name: 'abc', client_id: key }, { 'Idempotency-Key': crypto.randomUUID() }),
        )
      ).field_codes,
    ).toEqual({ client_id: [{ code: 'invalid' }] })
    expect(
      (await problemIn(await post({ name: 'abc' }, { 'Idempotency-Key': 'no-uuid-at-all' }))).code,
    ).toBe('idempotency_key_invalid')
  })
})

test('[S8.16] a malformed request gets a text with advice', async () => {
  const { detail } = await problemIn(
    await post({ name: 'abc' }, { 'Idempotency-Key': 'no-uuid-at-all' }),
  )
  expect(detail).toBe('Requête invalide. Actualisez la page et réessayez.')
})

describe('[API 2] [D59] a second request while the first runs', () => {
  beforeEach(() => {
    afresh()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** A request that waits for the first: its deadline and its wait are two timers. */
  async function waiting(
    name: string,
    headers: Record<string, string>,
  ): Promise<{ answer: Promise<Response> }> {
    const timers = vi.getTimerCount()
    const answer = post({ name }, headers)
    await vi.waitUntil(() => vi.getTimerCount() >= timers + 2, { timeout: 20_000, interval: 1 })
    return { answer }
  }

  test('waits five seconds, then gets Retry-After; it never runs itself', async () => {
    const before = await rows()
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const first = post({ name: 'slow' }, headers)
    await asked.promise
    const second = await waiting('slow', headers)
    vi.advanceTimersByTime(5000)
    const late = await second.answer
    expect([late.status, late.headers.get('Retry-After'), (await problemIn(late)).code]).toEqual([
      409,
      '1',
      'idempotency_in_progress',
    ])
    goOn.resolve()
    expect([(await first).status, await rows()]).toEqual([201, before + 1])
    expect((await post({ name: 'slow' }, headers)).headers.get('Idempotent-Replayed')).toBe('true')
  })

  test('gets the response in time, 422 when its body differs', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const first = post({ name: 'slow' }, headers)
    await asked.promise
    const same = await waiting('slow', headers)
    const other = await waiting('other', headers)
    goOn.resolve()
    expect([
      (await first).status,
      (await same.answer).headers.get('Idempotent-Replayed'),
      (await other.answer).status,
    ]).toEqual([201, 'true', 422])
  })

  test('is 409 when the first failed, and its next try runs', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const first = post({ name: 'fails' }, headers)
    await asked.promise
    const second = await waiting('fails', headers)
    goOn.resolve()
    expect([
      (await problemIn(await first)).code,
      (await problemIn(await second.answer)).code,
    ]).toEqual(['listing_is_sold', 'idempotency_in_progress'])
    expect((await post({ name: 'works' }, headers)).status).toBe(201)
  })
})

describe('[API 1.1] the deadline', () => {
  beforeEach(() => {
    afresh()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('a request without an answer in 30 s is 503 and rolled back', async () => {
    const before = await rows()
    const response = post({ name: 'slow' })
    await asked.promise
    vi.advanceTimersByTime(30_000)
    const late = await response
    expect([late.status, late.headers.get('Retry-After'), (await problemIn(late)).code]).toEqual([
      503,
      '5',
      'service_unavailable',
    ])
    goOn.resolve()
    await server.services.database.db.selectFrom('setting').select('name').execute()
    expect(await rows()).toBe(before)
  })

  test('a body that does not end is cut off', async () => {
    const body = new ReadableStream({
      start: (stream) => stream.enqueue(new TextEncoder().encode('{"name":')),
    })
    const response = Promise.resolve(
      server.app.request(
        new Request('http://yaar.test/api/things/', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body,
          ...STREAMED,
        }),
      ),
    )
    let ended = false
    void response.then(() => (ended = true))
    await vi.waitUntil(() => vi.advanceTimersByTime(1000) && ended, {
      timeout: 20_000,
      interval: 1,
    })
    expect((await response).status).toBe(503)
  })
})

test('[API 1.1] headers of every answer', async () => {
  const response = await server.app.request('/api/ping/', {
    headers: {
      'X-Request-Id': 'abc-1',
      'Accept-Language': 'de, en;q=0.5',
      Authorization: 'Bearer x',
    },
  })
  expect(response.status).toBe(204)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'x-request-id': 'abc-1',
    'content-language': 'en',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  })
  const bad = await server.app.request('/api/things/large/', {
    headers: { Authorization: 'Bearer x' },
  })
  expect([bad.status, bad.headers.get('WWW-Authenticate'), (await problemIn(bad)).code]).toEqual([
    401,
    'Token',
    'token_invalid',
  ])
})

test('health names the kind of database', async () => {
  expect(await (await server.app.request('/api/health')).json()).toMatchObject({
    status: 'ok',
    database: server.services.database.kind,
  })
})

describe('[API 1.1] other origins', () => {
  let open: TestServer
  beforeAll(async () => {
    open = await testServer(routes, { CORS_ORIGINS: 'https://app.bf' })
  })
  afterAll(() => open.close())
  const from = async (origin: string, method = 'GET', headers: Record<string, string> = {}) =>
    open.app.request('/api/things/large/', { method, headers: { Origin: origin, ...headers } })

  test('a listed one is echoed, with what it may read; others get nothing', async () => {
    const listed = await from('https://app.bf')
    expect([
      listed.headers.get('Access-Control-Allow-Origin'),
      listed.headers.get('Access-Control-Expose-Headers'),
    ]).toEqual(['https://app.bf', expect.stringContaining('Idempotent-Replayed')])
    expect((await from('https://evil.bf')).headers.get('Access-Control-Allow-Origin')).toBeNull()
    expect(listed.headers.get('Access-Control-Allow-Credentials')).toBeNull()
  })

  test('a preflight is answered for a listed one alone', async () => {
    const asks = { 'Access-Control-Request-Method': 'POST' }
    const listed = await from('https://app.bf', 'OPTIONS', asks)
    expect([
      listed.status,
      listed.headers.get('Access-Control-Max-Age'),
      listed.headers.get('Access-Control-Allow-Headers'),
    ]).toEqual([204, '86400', expect.stringContaining('Idempotency-Key')])
    expect((await from('https://evil.bf', 'OPTIONS', asks)).status).toBe(405)
  })
})
