import type { SocketConnection, SocketCallbacks, Upload } from '#sync/outside'
import type { Realm } from './realm.ts'
import { type Answer, callOf, EPOCH, type ModelServer, type Sent } from './server.ts'
import type { World } from './world.ts'

export interface Faults {
  readonly trouble: number
  readonly troubles: readonly Trouble[]
}

/** Faults of one request. */
export const troubles = [
  'cut before',
  'cut after',
  'hang before',
  'hang after',
  'late',
  'twice',
  '429',
  '503',
  '504 after',
  '520 page',
  'portal',
  'half',
  'other json',
  'slow',
] as const
export type Trouble = (typeof troubles)[number]

/** What a proxy does to sockets: passes them, blocks them, or opens them and passes no data. */
export type Sockets = 'there' | 'blocked' | 'deaf'

export interface Traffic {
  calls: number
  dials: number
  bytes: number
  readonly byCall: Map<string, number>
}

const HEADERS_BYTES = 350
export const ORIGIN = 'https://yaar.example'

/** The network between a device and the server. */
export class ModelNetwork {
  readonly #world: World
  readonly #server: ModelServer
  readonly #lines = new Set<() => void>()
  faults: Faults
  state: 'there' | 'gone' | 'portal' = 'there'
  sockets: Sockets = 'there'
  /** Answers of calls that fail while they are in this map, by call name. */
  readonly outages = new Map<string, Answer>()
  traffic: Traffic = nothingYet()
  /** Called with the realm that got an answer proving that it is our server. */
  answered: (realm: Realm) => void = () => undefined
  onAnswer: (what: string) => void = () => undefined

  constructor(world: World, server: ModelServer, faults: Faults) {
    this.#world = world
    this.#server = server
    this.faults = faults
  }

  /** Sets the state; losing the network cuts the open connections. */
  become(state: ModelNetwork['state']): void {
    this.state = state
    if (state !== 'there') this.cut()
  }

  count(): void {
    this.traffic = nothingYet()
  }

  /** Removes all faults; what a proxy does to sockets is given. */
  heal(sockets: Sockets): void {
    this.become('there')
    this.faults = { trouble: 0, troubles: [] }
    this.outages.clear()
    // Open connections do not notice the change, so cut them.
    if (sockets !== this.sockets) this.cut()
    this.sockets = sockets
  }

  cut(): void {
    for (const cut of Array.from(this.#lines)) cut()
  }

  /** `form` is apart from the request: Node reads its files outside of the simulated time. */
  async fetch(
    realm: Realm,
    request: Request,
    { signal, form }: Pick<Upload, 'signal'> & Partial<Upload>,
  ): Promise<Response> {
    const sent = await sentOf(request, signal, form ?? null)
    const name = callOf(sent)
    try {
      const answer = await this.answer(realm, sent)
      this.onAnswer(`  ${name}: ${answer.status}`)
      return answer
    } catch (error) {
      this.onAnswer(`  ${name}: ${error instanceof Error ? error.message : String(error)}`)
      throw error
    }
  }

  async answer(realm: Realm, request: Sent): Promise<Response> {
    const world = this.#world
    const never = (): Promise<never> => abortOf(request)
    this.#counted(request)
    await realm.step(5 + world.below(200))
    if (this.state === 'gone') throw new Error('no network')
    if (this.state === 'portal') return answerOf(page)
    const trouble = world.maybe(this.faults.trouble) ? world.pick(this.faults.troubles) : undefined
    const reached = (ms: number): Promise<Answer> =>
      new Promise((resolve) => world.after(ms, () => resolve(this.#server.handle(request))))
    const back = async (
      answer: Answer,
      ms = 5 + world.below(200),
      half = false,
    ): Promise<Response> => {
      await realm.step(ms)
      this.traffic.bytes += HEADERS_BYTES + textOf(answer).length
      if (half) return new Response(cut())
      const ours =
        answer.status === 204 ||
        answer.status === 304 ||
        (answer.status < 500 && typeof answer.body === 'object' && answer.body !== null)
      // What the device gave up proves nothing to it.
      if (ours && !request.signal.aborted) this.answered(realm)
      return answerOf(answer)
    }
    const outage = this.outages.get(callOf(request))
    if (outage) return back(outage)
    switch (trouble) {
      case undefined:
        return back(await reached(0))
      case 'cut before':
        throw new Error('cut')
      case 'cut after':
        await reached(0)
        throw new Error('cut')
      case 'hang before':
        return never()
      case 'hang after':
        await reached(0)
        return never()
      case 'late':
        // The request arrives long after the device gave it up.
        return back(await reached(5000 + world.below(60_000)))
      case 'twice': {
        await reached(0)
        return back(await reached(world.below(100)))
      }
      case '429':
        return back({
          status: 429,
          body: { detail: 'wait', code: 'rate_limited', retry_after: 3 },
          headers: { 'retry-after': '3' },
        })
      case '503':
        return back({ status: 503, body: { detail: 'no', code: 'service_unavailable' } })
      case '504 after':
        await reached(0)
        return back({ status: 504, body: 'Gateway Timeout' })
      case '520 page':
        return back({ status: 520, body: '<html>520</html>' })
      case 'portal':
        return back(page)
      case 'other json':
        return back({ status: 200, body: { ok: true } })
      case 'half':
        return back(await reached(0), undefined, true)
      case 'slow':
        return back(await reached(world.below(3000)), world.below(6000))
    }
  }

  #counted(request: Sent): void {
    const name = callOf(request)
    this.traffic.calls += 1
    this.traffic.bytes += HEADERS_BYTES + sizeOf(request.body)
    this.traffic.byCall.set(name, (this.traffic.byCall.get(name) ?? 0) + 1)
  }

  openSocket(realm: Realm, path: string, callbacks: SocketCallbacks): SocketConnection {
    this.traffic.dials += 1
    let over = false
    let socket: ReturnType<ModelServer['connect']> = null
    const queue: string[] = []
    const close = (code: number): void => {
      if (over) return
      over = true
      this.#lines.delete(cut)
      if (socket) this.#server.hangUp(socket, code)
      realm.after(0, () => callbacks.onClose(code))
    }
    const cut = (): void => close(1006)
    this.#lines.add(cut)
    // Frames of one connection stay in order, however long each takes.
    const deliver = (text: string): void => {
      queue.push(text)
      realm.after(1 + this.#world.below(50), () => {
        const next = queue.shift()
        if (!over && next !== undefined) callbacks.onMessage(next)
      })
    }
    realm.after(10 + this.#world.below(100), () => {
      if (over) return
      if (this.state !== 'there' || this.#world.maybe(this.faults.trouble)) return cut()
      if (this.sockets === 'blocked') return cut()
      callbacks.onOpen()
      if (this.sockets === 'deaf') return
      socket = this.#server.connect(path, {
        onOpen: () => undefined,
        onMessage: deliver,
        onClose: (code) => close(code),
      })
    })
    return {
      send: (text) => {
        if (socket && text.includes('"ping"'))
          deliver(JSON.stringify({ type: 'pong', server_time: new Date(EPOCH).toISOString() }))
      },
      close: () => close(1000),
    }
  }
}

function nothingYet(): Traffic {
  return { calls: 0, dials: 0, bytes: 0, byCall: new Map() }
}

export function sizeOf(body: Sent['body']): number {
  if (!(body instanceof FormData)) return body?.length ?? 0
  return Array.from(body.values()).reduce(
    (sum, value) => sum + (typeof value === 'string' ? value.length : value.size),
    0,
  )
}

async function sentOf(request: Request, signal: AbortSignal, form: FormData | null): Promise<Sent> {
  const { method, url, headers } = request
  return {
    method,
    path: url.slice(ORIGIN.length),
    headers,
    body: form ?? (method === 'GET' ? null : (await request.text()) || null),
    signal,
  }
}

/** Rejects when the device gives the request up. */
export function abortOf({ signal }: Sent): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = (): void => reject(new Error('aborted'))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort)
  })
}

const page: Answer = {
  status: 200,
  body: '<!doctype html><title>Buy data</title>',
  headers: { 'content-type': 'text/html' },
}

export function answerOf(answer: Answer): Response {
  return new Answered(textOf(answer), answer)
}

/** A response whose body is a text: Node's streams are slow, and the network is ours. */
class Answered extends Response {
  readonly #text: string

  constructor(text: string, { status, headers = {} }: Answer) {
    super(null, { status, headers })
    this.#text = text
  }

  override text(): Promise<string> {
    return Promise.resolve(this.#text)
  }
}

function textOf({ body }: Answer): string {
  return body === null ? '' : typeof body === 'string' ? body : JSON.stringify(body)
}

/** A body whose connection breaks. */
function cut(): ReadableStream {
  return new ReadableStream({ start: (body) => body.error(new Error('cut in the body')) })
}
