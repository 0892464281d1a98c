import { isMembers } from '#schema/members'
import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Language } from '#schema/wire/shapes'
import { Overloaded } from '../../files/imageWorker/imageWorker.ts'
import { isExhausted } from '../../files/storage.ts'
import {
  type Services,
  addressOf,
  callerOf,
  type Caller,
  type Known,
  type Exchange,
  type RawBody,
  type Route,
  languageOf,
  ALL,
  BAD_TOKENS,
  countRow,
  READS,
  type LimitRow,
  type Who,
  refuse,
  refuseField,
  Refusal,
  view,
  cacheControl,
  Reply,
} from '../../route/index.ts'
import { readBody } from './body.ts'
import { removeFiles } from './multipart.ts'
import { problemOf } from './problem.ts'
import { readQuery } from './query.ts'
import { finish } from './response.ts'

const DEADLINE_MS = 30_000
const URL_MAX = 8 * 1024

type Arrival = Readonly<{
  services: Services
  request: Request
  connection: string | undefined
  /** By a page of this server, which was already counted. */
  inner: boolean
  requestId: string
  language: Language
  now: Date
}>

export function arrive(
  services: Services,
  request: Request,
  connection: string | undefined,
  inner = false,
): Arrival {
  const given = request.headers.get('x-request-id') ?? ''
  return {
    services,
    request,
    connection,
    inner,
    requestId: /^[A-Za-z0-9-]{1,64}$/.test(given) ? given : randomUUID(),
    language: languageOf(request.headers.get('accept-language')),
    now: services.clock(),
  }
}

export async function serve(
  arrival: Arrival,
  route: Route | null,
  params: Record<string, string>,
  allowed: readonly string[],
): Promise<Response> {
  try {
    return await answer(arrival, pick(arrival, route, params, allowed), params)
  } catch (error) {
    const refusal = refusalOf(arrival, error)
    if (route?.options.silent?.includes(refusal.code) === true)
      return new Response(null, { status: 204, headers: headersOf(arrival) })
    return refused(arrival, refusal)
  }
}

function refused(arrival: Arrival, refusal: Refusal) {
  const { request, language, requestId } = arrival
  const headers = headersOf(arrival)
  for (const [name, value] of Object.entries(refusal.headers)) headers.set(name, value)
  if (refusal.status === 401) headers.set('WWW-Authenticate', 'Token')
  if (refusal.code === 'service_unavailable') headers.set('Retry-After', '5')
  return finish(
    request,
    refusal.status,
    JSON.stringify(problemOf(refusal, language, requestId)),
    headers,
    'none',
  )
}

function pick(
  { request }: Arrival,
  route: Route | null,
  params: Record<string, string>,
  allowed: readonly string[],
): Route {
  if (new URL(request.url).pathname.length + new URL(request.url).search.length > URL_MAX)
    throw refuse('uri_too_long')
  if (route === null && allowed.length > 0)
    throw new Refusal('method_not_allowed', { headers: { Allow: allowed.join(', ') } })
  if (route === null) throw refuse('not_found')
  const unknown = Object.values(params).some((id) => !/^[A-Za-z0-9_-]{1,64}$/.test(id))
  if (unknown)
    throw refuse(route.call.path.startsWith('listings/{id}') ? 'listing_not_found' : 'not_found')
  return route
}

async function answer(arrival: Arrival, route: Route, params: Record<string, string>) {
  const { services, request, language, now, inner } = arrival
  const { call, options } = route
  const named = call.keyed ? request.headers.get('idempotency-key') : null
  const visitor = visitorOf(arrival)
  const { caller, kept } = await knownCaller(arrival, route, named, visitor)
  const who = { ...visitor, caller }
  if (!inner && !UNCOUNTED.test(call.path))
    await countRow(services, call.method === 'GET' ? READS : ALL, who, now)
  if (caller === null && call.access === 'signed-in')
    throw refuse(options.signInCode ?? 'not_authenticated')
  const query = readQuery(request.url)
  const body = await bodyOf(route, request, services)
  try {
    const key = keyOf(route, request, body, caller)
    const fingerprint = fingerprintOf(request, query, body)
    const userAgent = (request.headers.get('user-agent') ?? '').slice(0, 300)
    const undo: (() => Promise<void>)[] = []
    const count = async (row: LimitRow) => {
      const back = await countRow(services, row, who, now)
      undo.push(back)
      return back
    }
    const exchange = {
      services,
      request,
      params,
      query,
      body,
      language,
      now,
      key,
      fingerprint,
      userAgent,
      count,
      kept: caller !== null && key === named ? kept : undefined,
      ...who,
    }
    const reply = await beforeDeadline((signal) => route.respond({ ...exchange, signal }))
    const response = await respond(arrival, route, caller, reply, exchange)
    // a 304 counts only among all calls [API 1.6]
    if (response.status === 304) await Promise.all(undo.map((one) => one()))
    return response
  } finally {
    await removeFiles(body.files)
  }
}

/** [A2] Not refused because of others behind the same address. */
const UNCOUNTED = /^(?:health|ping)\//

export function visitorOf({
  services,
  request,
  connection,
}: Pick<Arrival, 'services' | 'request' | 'connection'>): Who {
  const address = addressOf(
    connection,
    request.headers.get('x-forwarded-for'),
    services.config.trustProxy,
  )
  return { caller: null, address, visitorSession: visitorSessionOf(request) }
}

async function knownCaller(
  { services, request, now }: Arrival,
  { call }: Route,
  key: string | null,
  visitor: Who,
): Promise<Known> {
  try {
    return await beforeDeadline(() =>
      callerOf(services.database.db, request.headers.get('authorization'), key, call.access, now),
    )
  } catch (error) {
    if (error instanceof Refusal && error.code === 'token_invalid')
      await countRow(services, BAD_TOKENS, visitor, now)
    throw error
  }
}

/** [API 1.1] The signal rolls back what it would have committed. */
async function beforeDeadline<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController()
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(refuse('service_unavailable'))
    late.abort()
  }, DEADLINE_MS)
  try {
    return await Promise.race([work(late.signal), promise])
  } finally {
    clearTimeout(timer)
  }
}

async function respond(
  arrival: Arrival,
  { call }: Route,
  caller: Caller | null,
  reply: Reply,
  { query }: Pick<Exchange, 'query'>,
) {
  const headers = headersOf(arrival)
  // delta reads have the class "counted" [API 1.5]
  const cache =
    ['changed_since', 'updated_after', 'after', 'cursor'].some((name) => name in query) &&
    call.cache !== 'static'
      ? 'counted'
      : call.cache
  headers.set('Cache-Control', cacheControl(cache, caller !== null))
  for (const [name, value] of Object.entries(reply.headers)) headers.set(name, value)
  const status = reply.status ?? call.status
  if (status === 204 || reply.value === undefined)
    return new Response(null, { status: 204, headers })
  return finish(arrival.request, status, JSON.stringify(reply.value), headers, cache)
}

async function bodyOf({ call }: Route, request: Request, services: Services): Promise<RawBody> {
  if (call.method === 'GET')
    return { values: {}, source: 'json', files: {}, fingerprint: Buffer.alloc(0) }
  return readBody(call, request, join(services.config.dataDir, 'tmp'))
}

/** The header or the body's `client_id`, which must be equal [API 2]. */
function keyOf({ call }: Route, request: Request, body: RawBody, caller: Caller | null) {
  if (!call.keyed) return null
  const header = request.headers.get('idempotency-key')
  const given = isMembers(body.values) ? body.values['client_id'] : undefined
  const named = call.body !== null && 'client_id' in view(call.body).entries
  const inBody = named && typeof given === 'string' && given.trim() !== '' ? given.trim() : null
  if (header !== null && inBody !== null && header !== inBody)
    throw refuseField('client_id', 'invalid')
  const key = header ?? inBody
  if (key === null) return null
  const form = caller === null ? /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i : /^[!-~]{8,255}$/
  if (form.test(key)) return key
  throw header === null ? refuseField('client_id', 'invalid') : refuse('idempotency_key_invalid')
}

function fingerprintOf(request: Request, query: Exchange['query'], body: RawBody) {
  const path = new URL(request.url).pathname.replace(/\/*$/, '/')
  const sorted = Object.entries(query).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(`${request.method}\n${path}\n${JSON.stringify(sorted)}\n`)
    .update(body.fingerprint)
    .digest()
}

function visitorSessionOf(request: Request) {
  const id = request.headers.get('x-session-id')
  return id !== null && /^[A-Za-z0-9_-]{8,64}$/.test(id) ? id : null
}

/** [API 1.1] */
function headersOf({ language, requestId, now }: Arrival) {
  return new Headers({
    'Cache-Control': 'no-store',
    'Content-Language': language,
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    Date: now.toUTCString(),
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
  })
}

function refusalOf({ services, requestId }: Arrival, error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof Overloaded) return refuse('service_unavailable')
  services.log.error({ err: error, request_id: requestId }, 'request failed')
  return refuse(
    services.database.isDown(error) || isExhausted(error) ? 'service_unavailable' : 'server_error',
  )
}
