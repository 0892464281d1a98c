import { sendMessage } from '#schema/wire/message'
import { me } from '#schema/wire/account'
import { expect, test } from 'vitest'
import type { Outside } from '../outside.ts'
import type { NetworkObservation } from './watch.ts'
import { exchange, type HttpReply } from './http.ts'

interface Met {
  readonly reply: HttpReply
  readonly observations: readonly NetworkObservation[]
  readonly asked: readonly Request[]
}

interface Served {
  readonly status?: number
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
}

async function meet(
  served: Served | 'no network' | 'silence' | 'cut in the body',
  token: string | null = 'T1',
  more: { etag?: string; next?: string } = {},
): Promise<Met> {
  const observations: NetworkObservation[] = []
  const asked: Request[] = []
  const outside: Pick<Outside, 'now' | 'setTimer' | 'fetch'> = {
    now: () => 0,
    setTimer(_ms, what) {
      if (served === 'silence') queueMicrotask(what)
      return () => undefined
    },
    async fetch(request) {
      asked.push(request)
      if (served === 'no network') throw new TypeError('Failed to fetch')
      if (served === 'silence') return new Promise(() => undefined)
      if (served === 'cut in the body') return new Response(cut())
      const { status = 200, text = '', headers = {} } = served
      return status === 0 ? Response.error() : new Response(text || null, { status, headers })
    },
  }
  const callbacks = {
    begin: () => (one: NetworkObservation) => void observations.push(one),
    bytes: () => undefined,
  }
  const reply = await exchange({ ...missing, ...outside }, callbacks, {
    call: token === null ? me : sendMessage,
    params: { id: 'C 1' },
    ...(token === null ? {} : { body: { content: 'Bonjour' }, key: 'K1' }),
    authContext: { token, language: 'en', sessionId: 'S1' },
    ...more,
  })
  return { reply, observations, asked }
}

/** Half a body, then the connection breaks. */
function cut(): ReadableStream {
  return new ReadableStream({
    start(body) {
      body.enqueue(new TextEncoder().encode('{"id":'))
    },
    pull: (body) => body.error(new TypeError('network error')),
  })
}

const missing: Outside = {
  origin: 'https://yaar.example',
  now: () => 0,
  setTimer: () => () => undefined,
  random: () => 0,
  newId: () => '',
  fetch: () => Promise.reject(new Error('unused')),
  upload: () => Promise.reject(new Error('unused')),
  measure: () => () => null,
  openSocket: () => ({ send: () => undefined, close: () => undefined }),
  lock: () => Promise.resolve(null),
  channel: () => ({ post: () => undefined, close: () => undefined }),
  askBackground: () => undefined,
  freeSpace: () => Promise.resolve(),
  estimate: () => Promise.resolve({ usage: 0, quota: 0 }),
}

const ours = (code: string): string => JSON.stringify({ detail: 'No.', code })

test.each<[string, Served | 'no network' | 'silence' | 'cut in the body', object]>([
  ['our JSON', { text: '{"id":"M1"}' }, { kind: 'done', answer: { id: 'M1' } }],
  ['204 without a body', { status: 204 }, { kind: 'done', answer: null }],
  ['304', { status: 304 }, { kind: 'unchanged' }],
  [
    'a portal that answers 200',
    { text: '<!doctype html><a href="/buy">', headers: { 'content-type': 'text/html' } },
    { kind: 'later', why: 'captive', reached: false },
  ],
  ['a portal that redirects', { status: 0 }, { kind: 'later', why: 'captive' }],
  [
    'a portal that forbids',
    { status: 403, text: '<html>', headers: { 'content-type': 'text/html' } },
    { kind: 'later', why: 'captive' },
  ],
  [
    'a proxy in trouble',
    { status: 520, text: '<html>' },
    { kind: 'later', why: 'server', reached: true },
  ],
  [
    '[S8.05] a server in trouble',
    { status: 500, text: ours('server_error') },
    { kind: 'later', why: 'server', reached: true },
  ],
  [
    'a limit with its time',
    { status: 429, text: ours('rate_limited'), headers: { 'retry-after': '7' } },
    { kind: 'later', why: 'limit', retryAfterMs: 7000 },
  ],
  [
    'a limit without one',
    { status: 429, text: ours('rate_limited') },
    { kind: 'later', retryAfterMs: 30_000 },
  ],
  [
    'the same key still running',
    { status: 409, text: ours('idempotency_in_progress'), headers: { 'retry-after': '1' } },
    { kind: 'later', retryAfterMs: 1000 },
  ],
  [
    'a conflict',
    { status: 409, text: ours('edit_conflict') },
    { kind: 'refused', status: 409, problem: { code: 'edit_conflict' } },
  ],
  [
    'a refusal',
    { status: 400, text: ours('message_empty') },
    { kind: 'refused', status: 400, problem: { code: 'message_empty' } },
  ],
  [
    '[S8.03] a refusal of a simpler server',
    { status: 400, text: '{"content":["Too long."]}' },
    { kind: 'refused', problem: { detail: 'Too long.', code: 'http_400' } },
  ],
  [
    'a refusal that is not JSON',
    { status: 404, text: 'Not Found' },
    { kind: 'later', why: 'server' },
  ],
  [
    '[S8.04] a session that ended',
    { status: 401, text: ours('token_invalid') },
    { kind: 'signed-out' },
  ],
  ['a 401 that is not ours', { status: 401, text: '<html>' }, { kind: 'later' }],
  ['no network', 'no network', { kind: 'later', why: 'offline', reached: false }],
  ['a request that hangs', 'silence', { kind: 'later', why: 'weak', reached: false }],
  ['an answer that is cut', 'cut in the body', { kind: 'later', why: 'offline', reached: false }],
  ['half a body', { text: '{"id":"M1"' }, { kind: 'later', why: 'server' }],
])('%s', async (_what, served, expected) => {
  expect((await meet(served)).reply).toMatchObject(expected)
})

test('[S8.04] 401 without a token observations nobody out', async () => {
  expect((await meet({ status: 401, text: ours('not_authenticated') }, null)).reply).toMatchObject({
    kind: 'refused',
    status: 401,
  })
})

test('each answer is a sign of the network', async () => {
  expect((await meet({ text: '{}' })).observations).toMatchObject([{ kind: 'answered', ms: 0 }])
  expect((await meet({ status: 204 })).observations).toMatchObject([
    { kind: 'answered', works: true },
  ])
  expect((await meet({ status: 500 })).observations).toMatchObject([{ kind: 'answered', ms: 0 }])
  expect((await meet({ text: '<html>' })).observations).toEqual([{ kind: 'captive' }])
  expect((await meet('no network')).observations).toEqual([{ kind: 'failed' }])
  expect((await meet('silence')).observations).toEqual([{ kind: 'silent' }])
})

test('[S6.05][S7.38] the request carries token, key, language and session, and its path is safe', async () => {
  const { asked } = await meet({ text: '{}' })
  const [sent] = asked
  expect(sent?.method).toBe('POST')
  expect(sent?.url).toBe('https://yaar.example/api/conversations/C%201/messages/')
  expect(Object.fromEntries(sent?.headers ?? [])).toEqual({
    accept: 'application/json',
    authorization: 'Token T1',
    'idempotency-key': 'K1',
    'accept-language': 'en',
    'x-session-id': 'S1',
    'content-type': 'application/json',
  })
  expect(sent).toMatchObject({ redirect: 'manual', cache: 'no-store', credentials: 'omit' })
})

test('the body is JSON, and the query has no empty members', async () => {
  const bodies: string[] = []
  const fetch = async (request: Request): Promise<Response> => {
    bodies.push(`${request.url} ${await request.text()}`)
    return new Response('{}')
  }
  await exchange(
    { ...missing, fetch },
    { begin: () => () => undefined, bytes: () => undefined },
    {
      call: sendMessage,
      params: { id: 'C1' },
      query: { q: 'a b&c', page: 2, all: true, none: undefined, no: null },
      body: { content: 'Bonjour' },
      authContext: { token: null, language: 'fr', sessionId: '' },
    },
  )
  expect(bodies).toEqual([
    'https://yaar.example/api/conversations/C1/messages/?q=a+b%26c&page=2&all=true' +
      ' {"content":"Bonjour"}',
  ])
})

test('an absolute next page on an internal host goes to the API', async () => {
  expect(
    (await meet({ text: '{}' }, null, { next: 'http://10.0.0.7:8000/api/listings/?page=3' }))
      .asked[0]?.url,
  ).toBe('https://yaar.example/api/listings/?page=3')
})
