import { type Server, type Socket, createConnection, createServer } from 'node:net'
import { setTimeout as after } from 'node:timers'

/** Speed of a link: kbit per second each way for all connections, round trip in ms. */
export interface Link {
  readonly downKbit: number
  readonly upKbit: number
  readonly rttMs: number
}

/** Slow 3G, the profile that the product is measured with (users.json, `slow-3g`). */
export const slow3g: Link = { downKbit: 400, upKbit: 150, rttMs: 400 }

/**
 * cut: connections end, new ones are refused · lose-answers: requests arrive, answers are cut ·
 * hang: no answers · captive: 200 with a sign-in page · broken: 502.
 */
export type Mode = 'pass' | 'cut' | 'lose-answers' | 'hang' | 'captive' | 'broken'

/** Faults of WebSockets only: `refuse` answers the upgrade with 403, `hang` never answers it. */
export type Sockets = 'pass' | 'refuse' | 'hang'

const UPGRADE = /^GET \/ws\//

const pages: Partial<Record<Mode, string>> = {
  captive: answer('200 OK', '<!doctype html><title>Wi-Fi</title><h1>Connectez-vous au Wi-Fi</h1>'),
  broken: answer('502 Bad Gateway', '<!doctype html><h1>502</h1>'),
}

/**
 * Faults of the API and its socket only. refused: the connection is reset · html: 200 with a page,
 * as from a portal or a wrong reverse proxy · down: 503 in the API's own shape.
 */
export type ApiFault = 'refused' | 'html' | 'down'

const API = /^[A-Z]+ \/(?:api|ws)\b/
const faultPages: Partial<Record<ApiFault, string>> = {
  html: answer('200 OK', '<!doctype html><title>Bienvenue</title><h1>Bienvenue</h1>'),
  down: answer(
    '503 Service Unavailable',
    '{"detail":"Service indisponible.","code":"service_unavailable"}',
    'application/json',
  ),
}

const FAILED = answer(
  '500 Internal Server Error',
  '{"detail":"Erreur interne.","code":"server_error"}',
  'application/json',
)

/** Bytes of the request that begins with these bytes: its head is in one piece. */
function requestSize(bytes: Buffer): number {
  const head = bytes.indexOf('\r\n\r\n') + 4
  const [, body = '0'] = /^content-length: (\d+)/im.exec(bytes.toString('latin1', 0, head)) ?? []
  return head + Number(body)
}

function answer(status: string, body: string, type = 'text/html'): string {
  return (
    `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
    `Connection: close\r\n\r\n${body}`
  )
}

/** One direction of a link: bytes leave in order at its rate; latency is half a round trip. */
class Lane {
  #freeAt = 0
  readonly #bytesPerMs: number
  readonly #delayMs: number

  constructor(kbit: number, delayMs: number) {
    this.#bytesPerMs = kbit / 8
    this.#delayMs = delayMs
  }

  /** Calls `arrived` when so many bytes have arrived. */
  carry(bytes: number, arrived: () => void): void {
    const now = performance.now()
    this.#freeAt = Math.max(now, this.#freeAt) + bytes / this.#bytesPerMs
    after(arrived, this.#freeAt - now + this.#delayMs)
  }
}

/** A TCP proxy with faults. A browser's "offline" switch misses sockets and workers. */
export class Proxy {
  readonly #server: Server
  readonly #target: number
  readonly #open = new Set<Socket>()
  #mode: Mode = 'pass'
  #sockets: Sockets = 'pass'
  #apiFault: ApiFault | null = null
  #failing: RegExp | null = null
  #failed = 0
  #down: Lane | null = null
  #up: Lane | null = null
  #rttMs = 0
  #received = 0
  #sent = 0
  #cutIn: { left: number; readonly done: () => void } | null = null
  port = 0

  constructor(targetPort: number) {
    this.#target = targetPort
    this.#server = createServer((client) => this.#accept(client))
  }

  async listen(port = 0): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve))
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
    this.port = address.port
    return this
  }

  get url(): string {
    return `http://localhost:${this.port}`
  }

  /** Sets the state for new connections; all but `pass` and `lose-answers` end open ones. */
  set(mode: Mode): void {
    this.#mode = mode
    if (mode !== 'pass' && mode !== 'lose-answers') this.#endAll()
    // Nobody listens: what is accepted only to be reset may already have sent a photo into the system's buffers.
    if (mode === 'cut') this.#server.close()
    else if (!this.#server.listening) this.#server.listen(this.port, '127.0.0.1')
  }

  sockets(how: Sockets): void {
    this.#sockets = how
  }

  /** From the next call on; null: the API answers again. */
  failApi(mode: ApiFault | null): void {
    this.#apiFault = mode
  }

  /** Answers calls with such a first line 500, after their whole body; null: passes them again. */
  failCalls(calls: RegExp | null): void {
    this.#failing = calls
  }

  /** How many calls were answered 500. */
  get failed(): number {
    return this.#failed
  }

  /** Cuts after exactly so many more bytes from the client; resolves then. */
  cutAfter(bytes: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#cutIn = { left: bytes, done: resolve }
    return promise
  }

  /** The part of these bytes that is still sent; null: the connection was cut after it. */
  #before(bytes: Buffer): Buffer | null {
    const cut = this.#cutIn
    if (!cut) return bytes
    if (bytes.length < cut.left) {
      cut.left -= bytes.length
      return bytes
    }
    this.#sent += cut.left
    this.#cutIn = null
    this.set('cut')
    cut.done()
    return null
  }

  /** Speed of new connections; null: unlimited. */
  throttle(link: Link | null): void {
    this.#down = link && new Lane(link.downKbit, link.rttMs / 2)
    this.#up = link && new Lane(link.upKbit, link.rttMs / 2)
    this.#rttMs = link?.rttMs ?? 0
  }

  /** Returns the bytes since the last call, and resets the counters. */
  count(): { readonly received: number; readonly sent: number } {
    const was = { received: this.#received, sent: this.#sent }
    this.#received = 0
    this.#sent = 0
    return was
  }

  async close(): Promise<void> {
    this.#endAll()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }

  #endAll(): void {
    for (const socket of this.#open) socket.resetAndDestroy()
    this.#open.clear()
  }

  #keep(socket: Socket): void {
    this.#open.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#open.delete(socket))
  }

  #accept(client: Socket): void {
    this.#keep(client)
    const page = pages[this.#mode]
    if (this.#mode === 'cut') return void client.resetAndDestroy()
    if (this.#mode === 'hang') return void client.resume()
    if (page !== undefined) return void client.once('data', () => client.end(page))
    const server = createConnection(this.#target, '127.0.0.1')
    this.#keep(server)
    const { down, up } = { down: this.#down, up: this.#up }
    // The TCP handshake costs a round trip before the first byte.
    let ready = this.#rttMs === 0
    let blocked = false
    let leftToFail: number | null = null
    const early: Buffer[] = []
    const send = (bytes: Buffer) => move(bytes, up, server)
    if (!ready) {
      after(() => {
        ready = true
        for (const bytes of early.splice(0)) send(bytes)
      }, this.#rttMs)
    }
    client.on('data', (coming: Buffer) => {
      const bytes = this.#before(coming)
      if (!bytes) return
      if (this.#sockets !== 'pass' && UPGRADE.test(bytes.toString('latin1', 0, 16))) {
        blocked = true
        server.destroy()
        if (this.#sockets === 'refuse') client.end(answer('403 Forbidden', '<h1>403</h1>'))
        return
      }
      this.#sent += bytes.length
      if (leftToFail === null && this.#failing?.test(bytes.toString('latin1', 0, 200)) === true) {
        blocked = true
        server.destroy()
        leftToFail = requestSize(bytes)
      }
      if (leftToFail !== null) {
        leftToFail -= bytes.length
        if (leftToFail > 0) return
        this.#failed += 1
        client.end(FAILED)
        return
      }
      // A browser writes the head of a request in one piece.
      if (this.#apiFault !== null && API.test(bytes.toString('latin1', 0, 40))) {
        const page = faultPages[this.#apiFault]
        server.destroy()
        if (page === undefined) client.resetAndDestroy()
        else client.end(page)
        return
      }
      if (ready) send(bytes)
      else early.push(bytes)
    })
    server.on('data', (bytes: Buffer) => {
      if (this.#mode === 'lose-answers') return void client.resetAndDestroy()
      this.#received += bytes.length
      move(bytes, down, client)
    })
    server.on('close', () => {
      if (!blocked) finish(down, client)
    })
    client.on('close', () => finish(up, server))
  }
}

function move(bytes: Buffer, lane: Lane | null, to: Socket): void {
  if (lane === null) {
    if (!to.destroyed) to.write(bytes)
    return
  }
  // Pieces of one packet, so that connections share the link fairly.
  for (let at = 0; at < bytes.length; at += 1400) {
    const piece = bytes.subarray(at, at + 1400)
    lane.carry(piece.length, () => {
      if (!to.destroyed) to.write(piece)
    })
  }
}

function finish(lane: Lane | null, other: Socket): void {
  if (lane === null) other.end()
  else lane.carry(0, () => other.end())
}
