import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { connect, type Client } from '../support/socketClient.ts'
import type { Buyer, Market } from './market.ts'

export interface Stretch {
  answered: number
  /** 503 with `Retry-After` [API 1.1]. */
  unavailable: number
  /** 429, and 409 of a repeat whose first request still runs. */
  later: number
  /** All other answers by status; a lost connection counts as `cut`. */
  readonly wrong: Map<string, number>
  longestMs: number
}

const fresh = (): Stretch => ({
  answered: 0,
  unavailable: 0,
  later: 0,
  wrong: new Map(),
  longestMs: 0,
})

/** Intervals below the limits of [API 1.6]: 30 messages and 600 calls a minute and person. */
const WRITE_MS = 2400
const READ_MS = 200
const PING_MS = 20_000
const CALL_MS = 60_000

/** People who write and read at several servers, at a limited rate, until `end()`. */
export class Load {
  readonly acknowledged: string[] = []
  readonly listeners: Listener[]
  readonly #urls: readonly string[]
  readonly #market: Market
  readonly #over = new AbortController()
  readonly #people: Promise<void>[]
  readonly #probes: readonly Buyer[]
  #stretch = fresh()
  #probe = 0

  /** The last ten buyers are reserved for `fault`. */
  constructor(urls: readonly string[], market: Market) {
    this.#urls = urls
    this.#market = market
    this.#probes = market.buyers.slice(-10)
    const writers = market.buyers.slice(0, -10)
    this.#people = [
      ...writers.map((buyer, n) => this.#write(buyer, n)),
      ...writers.slice(0, 4).map((buyer, n) => this.#read(buyer, n)),
    ]
    this.listeners = urls.map((url) => new Listener(url, market.seller.token))
  }

  take(): Stretch {
    const taken = this.#stretch
    this.#stretch = fresh()
    return taken
  }

  /** What fails at some server, or null: readiness, lists, a message, or its event by socket. */
  async fault(withinMs: number): Promise<string | null> {
    const checked = this.#urls.map(async (url, n) => {
      const by = this.#probes[(this.#probe += 1) % this.#probes.length]
      if (by === undefined) return 'nobody probes'
      const content = `probe ${randomUUID()}`
      const all = await Promise.all([
        fetch(`${url}/api/health/ready/`),
        fetch(`${url}/api/listings/`),
        this.#send(url, by, randomUUID(), content),
      ])
      const statuses = all.map(({ status }) => status)
      if (!all.every(({ ok }) => ok)) return `server ${n + 1} answers ${statuses.join(', ')}`
      this.acknowledged.push(content)
      const received = await Promise.all(
        this.listeners.map((listener) => listener.receives(content, withinMs)),
      )
      const deaf = received.flatMap((one, at) =>
        one
          ? []
          : [
              `${at + 1} (connection ${this.listeners[at]?.connections}, ${this.listeners[at]?.state})`,
            ],
      )
      return deaf.length > 0
        ? `of a message to server ${n + 1} socket ${deaf.join(', ')} hears nothing`
        : null
    })
    const faults = await Promise.all(
      checked.map((one) => one.catch((error: unknown) => whyOf(error))),
    )
    return faults.find((one) => one !== null) ?? null
  }

  async end(): Promise<void> {
    this.#over.abort()
    await Promise.all(this.#people)
    for (const listener of this.listeners) listener.close()
  }

  async #write(buyer: Buyer, n: number): Promise<void> {
    await this.#pause((n * WRITE_MS) / this.#market.buyers.length)
    for (let round = 0; !this.#over.signal.aborted; round += 1) {
      const [key, content] = [randomUUID(), `writer ${n} message ${round}`]
      // Repeats with the same key until it is acknowledged, even after the end.
      while (
        (await this.#counted(n + round, (url) => this.#send(url, buyer, key, content))) !== 201
      )
        await pause(500)
      this.acknowledged.push(content)
      await this.#pause(WRITE_MS)
    }
  }

  async #read(buyer: Buyer, n: number): Promise<void> {
    const paths = [
      'listings/?page_size=20',
      `listings/${this.#market.listing}/`,
      'conversations/',
      'listings/?search=toyota',
      'favorites/',
    ]
    for (let round = n; !this.#over.signal.aborted; round += 1) {
      const path = paths[round % paths.length] ?? ''
      await this.#counted(round, (url) =>
        fetch(`${url}/api/${path}`, {
          headers: { Authorization: `Token ${buyer.token}` },
          signal: AbortSignal.timeout(CALL_MS),
        }),
      )
      await this.#pause(READ_MS)
    }
  }

  #send(
    url: string,
    { conversation, token }: Buyer,
    key: string,
    content: string,
  ): Promise<Response> {
    return fetch(`${url}/api/conversations/${conversation}/messages/`, {
      method: 'POST',
      headers: {
        Authorization: `Token ${token}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': key,
      },
      body: JSON.stringify({ content }),
      signal: AbortSignal.timeout(CALL_MS),
    })
  }

  async #counted(n: number, call: (url: string) => Promise<Response>): Promise<number> {
    const stretch = this.#stretch
    const began = performance.now()
    const { status, why } = await call(this.#urls[n % this.#urls.length] ?? '').then(
      async (response) => {
        await response.text()
        return {
          status: response.status,
          why: response.headers.has('Retry-After') ? 'later' : `${response.status}`,
        }
      },
      (error: unknown) => ({ status: 0, why: whyOf(error) }),
    )
    stretch.longestMs = Math.max(stretch.longestMs, performance.now() - began)
    if (status >= 200 && status < 300) stretch.answered += 1
    else if (status === 503 && why === 'later') stretch.unavailable += 1
    else if ((status === 429 || status === 409) && why === 'later') stretch.later += 1
    else stretch.wrong.set(why, (stretch.wrong.get(why) ?? 0) + 1)
    return status
  }

  #pause(ms: number): Promise<void> {
    return pause(ms, undefined, { signal: this.#over.signal }).catch(() => undefined)
  }
}

function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return 'cut'
  const { cause } = error
  return error.name === 'TimeoutError'
    ? 'unanswered'
    : `cut (${cause instanceof Error ? cause.message : error.message})`
}

/** A socket that pings, and reconnects after it was closed. */
class Listener {
  connections = 0
  readonly #url: string
  readonly #token: string
  readonly #pings: NodeJS.Timeout
  #client: Client
  #isOpen = true

  constructor(url: string, token: string) {
    this.#url = url
    this.#token = token
    this.#client = this.#connect()
    this.#pings = setInterval(() => {
      if (this.#client.socket.readyState === this.#client.socket.OPEN) this.#client.send('ping')
    }, PING_MS)
  }

  async receives(content: string, withinMs: number): Promise<boolean> {
    for (const until = performance.now() + withinMs; performance.now() < until; await pause(20)) {
      if (
        this.#client.frames.some(
          (frame) => frame.event === 'message.created' && frame.message.content === content,
        )
      )
        return true
    }
    return false
  }

  get state(): string {
    const { readyState } = this.#client.socket
    return `state ${readyState}, ${this.#client.frames.length} frames`
  }

  close(): void {
    this.#isOpen = false
    clearInterval(this.#pings)
    this.#client.socket.close()
  }

  #connect(): Client {
    this.connections += 1
    const client = connect(Number(new URL(this.#url).port), { token: this.#token })
    void client.closed.then(async () => {
      await pause(500)
      if (this.#isOpen) this.#client = this.#connect()
    })
    return client
  }
}
