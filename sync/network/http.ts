import type { WaitReason } from '#schema/disk/entry'
import type { SessionInput } from '#schema/port/engine'
import { later } from '#schema/port/outcome'
import { jsonOf, parsed } from '#schema/parsed'
import { members } from '#schema/tolerant'
import type { Call } from '#schema/wire/call'
import { problem } from '#schema/wire/problem'
import { UPLOAD_STALL_MS } from '#schema/limits'
import ky from 'ky'
import type { CallOptions, CallResult, Delivery } from '../noun.ts'
import type { Outside } from '../outside.ts'
import { requestBytes, textBytes } from './size.ts'
import type { NetworkObservation } from './watch.ts'

export interface Exchange
  extends Omit<Delivery, 'call' | 'query' | 'files'>, Pick<CallOptions<Call>, 'next' | 'etag'> {
  readonly call: Pick<Call, 'method' | 'path'>
  readonly query?: unknown
  readonly authContext: SessionInput
  /** Called once, whatever the outcome. */
  readonly onBytesSent?: (bytes: number) => void
}

/** `at`: the server's clock in ms [API 1.1]; null: no Date header. */
export type HttpReply = CallResult<unknown> & { readonly at?: number | null }

/** After it the outcome is unknown [SYNC 5]. */
const WRITE_MS = 8000
const READ_MS = 15_000
/** Bytes per ms, where no progress is reported. */
const LIKELY_SPEED = 50

export interface HttpCallbacks {
  begin(): (observation: NetworkObservation) => void
  bytes(sent: number, received: number): void
}

/** Retries and deadlines are the engine's. */
const api = ky.create({
  retry: 0,
  timeout: false,
  throwHttpErrors: false,
  redirect: 'manual',
  cache: 'no-store',
  credentials: 'omit',
})

/** Only a fully read body with our JSON is an answer; every failure is an Outcome too. */
export async function exchange(
  outside: Outside,
  callbacks: HttpCallbacks,
  request: Exchange,
): Promise<HttpReply> {
  const aborter = new AbortController()
  // Given to fetch itself: ky would join it with its own by AbortSignal.any, which Safari 16 lacks.
  const { signal } = aborter
  const deadline = new Promise<never>((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(new Error('no answer in time'))),
  )
  const giveUpIn = (ms: number) => outside.setTimer(ms, () => aborter.abort())
  const deadlineMs = request.deadlineMs ?? (request.call.method === 'GET' ? READ_MS : WRITE_MS)
  let stop = giveUpIn(deadlineMs)
  const started = outside.now()
  const tookMs = () => Math.max(0, outside.now() - started)
  const observe = callbacks.begin()
  const form = request.body instanceof FormData ? request.body : null
  const [path, headers] = [pathOf(request), headersOf(request)]
  let json: string | null = null
  let uploaded: number | null = null
  const count = (received: number, left: number) => {
    callbacks.bytes(left, received)
    request.onBytesSent?.(left)
  }
  // A moving upload goes on, a stalled one is aborted.
  const progress = (bytes: number, all: boolean) => {
    if (bytes <= (uploaded ?? 0)) return
    uploaded = bytes
    stop()
    stop = giveUpIn(all ? deadlineMs : UPLOAD_STALL_MS)
  }
  const size = (body = form ?? json) => requestBytes(path, headers, body)
  const send = (sent: Request) =>
    form ? outside.upload(sent, { signal, form, progress }) : outside.fetch(sent, { signal })
  const fetchWhole = async () => {
    const answer = await api(path, {
      method: request.call.method,
      prefix: outside.origin,
      headers,
      json: form ? undefined : (request.body ?? undefined),
      stringifyJson: (body) => (json = JSON.stringify(body)),
      fetch: (input, init) => send(input instanceof Request ? input : new Request(input, init)),
    })
    return { answer, text: await answer.text() }
  }
  const received = outside.measure()
  try {
    const { answer, text } = await Promise.race([fetchWhole(), deadline])
    count(received(answer.url) ?? textBytes(text), size())
    const reply = judge(answer, text, request)
    const why = reply.kind === 'later' ? reply.why : null
    // An empty body may be a portal's: a retry in vain costs little.
    const works = why === null || why === 'limit'
    observe(why === 'captive' ? { kind: 'captive' } : { kind: 'answered', ms: tookMs(), works })
    return reply
  } catch {
    const { aborted } = signal
    const left = aborted ? size() : Math.min(size(), tookMs() * LIKELY_SPEED)
    count(0, uploaded === null ? left : size(null) + uploaded)
    observe({ kind: aborted ? 'silent' : 'failed' })
    return later(aborted ? 'weak' : 'offline', false)
  } finally {
    stop()
  }
}

function judge(answer: Response, text: string, request: Exchange): HttpReply {
  const { status } = answer
  if (status === 304) return { kind: 'unchanged' }
  if (status === 204 && text === '') return { kind: 'done', answer: null, etag: null }
  const body = jsonOf(text)
  if (status >= 200 && status < 300) {
    if (body !== undefined)
      return { kind: 'done', answer: body, etag: answer.headers.get('etag'), at: timeOf(answer) }
    return waits(isPage(answer, text) ? 'captive' : 'server', answer)
  }
  if (status < 200 || (status >= 300 && status < 400) || status === 511)
    return waits('captive', answer)
  if (status >= 500) return waits('server', answer)
  const refusal = problemOf(body, status)
  if (!refusal) return waits(status === 403 && isPage(answer, text) ? 'captive' : 'server', answer)
  if (status === 429) return waits('limit', answer)
  if (
    status === 408 ||
    status === 425 ||
    (status === 409 && answer.headers.get('retry-after') !== null)
  )
    return waits('server', answer)
  if (status === 401 && request.authContext.token !== null)
    return { kind: 'signed-out', problem: refusal }
  return { kind: 'refused', status, problem: refusal }
}

function timeOf(answer: Response) {
  const at = Date.parse(answer.headers.get('date') ?? '')
  return Number.isNaN(at) ? null : at
}

function waits(why: WaitReason, answer: Response) {
  const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN)
  const given = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null
  return later(why, why !== 'captive', given ?? (why === 'limit' ? 30_000 : null))
}

/** A captive portal, a plan without credit, or a proxy. */
function isPage(answer: Response, text: string) {
  return answer.headers.get('content-type')?.includes('html') === true || /^\s*</.test(text)
}

/** Simpler servers omit `detail` or `code` [API 19]. */
function problemOf(body: unknown, status: number) {
  const whole = parsed(problem, body)
  if (whole !== null) return whole
  const { detail, code } = members(body)
  const texts = Object.values(members(body))
    .flat()
    .filter((value) => typeof value === 'string')
  const message = typeof detail === 'string' ? detail : texts[0]
  if (message === undefined) return null
  return { detail: message, code: typeof code === 'string' ? code : `http_${status}` }
}

function pathOf(request: Exchange) {
  // It may name an internal host: only path and query are used [API 19].
  if (request.next !== undefined) return request.next.replace(/^[a-z]+:\/\/[^/]+/i, '')
  const path = request.call.path.replace(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(request.params?.[name] ?? ''),
  )
  const query = new URLSearchParams(entriesOf(request.query)).toString()
  return `api/${path}${query && `?${query}`}`
}

function entriesOf(query: unknown) {
  return Object.entries(members(query)).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [[name, String(value)]]
      : [],
  )
}

function headersOf({ authContext, key, etag }: Exchange) {
  const { token, language, sessionId } = authContext
  return {
    accept: 'application/json',
    'accept-language': language,
    authorization: token === null ? undefined : `Token ${token}`,
    'x-session-id': sessionId || undefined,
    'idempotency-key': key,
    'if-none-match': etag ?? undefined,
  }
}
