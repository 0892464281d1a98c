import { type Server, type Socket, createConnection, createServer } from 'node:net'
import { setTimeout as after } from 'node:timers'

/** A link's speed: kbit per second each way, shared by all its connections, and the round trip in ms. */
export interface Link {
  readonly downKbit: number
  readonly upKbit: number
  readonly rttMs: number
}

/** Slow 3G as the product is measured on (users.json, `slow-3g`). */
export const slow3g: Link = { downKbit: 400, upKbit: 150, rttMs: 400 }

/**
 * What the network does to what goes through it:
 * pass · cut (connections end, new ones are refused) · lose-answers (the server gets all, the phone hears nothing and is cut) ·
 * hang (all is taken, nothing comes back) · captive (every request is answered by a sign-in page with 200) · broken (every request gets a 502).
 */
export type Weather = 'pass' | 'cut' | 'lose-answers' | 'hang' | 'captive' | 'broken'

/** What it does to WebSockets alone, as some companies and operators do: `refuse` answers the upgrade with 403, `hang` never answers it. */
export type Sockets = 'pass' | 'refuse' | 'hang'

const UPGRADE = /^GET \/ws\//

const pages: Partial<Record<Weather, string>> = {
  captive: answer('200 OK', '<!doctype html><title>Wi-Fi</title><h1>Connectez-vous au Wi-Fi</h1>'),
  broken: answer('502 Bad Gateway', '<!doctype html><h1>502</h1>'),
}

/**
 * How the API alone fails while pages and files come through: refused (the connection is reset), html (a page with 200, as a portal
 * or a wrong reverse proxy gives), down (503 in the API's own shape). The socket fails with it.
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

function answer(status: string, body: string, type = 'text/html'): string {
  return `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
}

/** One direction of a link: bytes leave at its rate, in order, and arrive half a round trip later. */
class Lane {
  #freeAt = 0
  readonly #bytesPerMs: number
  readonly #delayMs: number

  constructor(kbit: number, delayMs: number) {
    this.#bytesPerMs = kbit / 8
    this.#delayMs = delayMs
  }

  /** Calls back when so many bytes have arrived. */
  carry(bytes: number, arrived: () => void): void {
    const now = performance.now()
    this.#freeAt = Math.max(now, this.#freeAt) + bytes / this.#bytesPerMs
    after(arrived, this.#freeAt - now + this.#delayMs)
  }
}

/** A TCP proxy on loopback that cuts, delays and lies. Browser switches for "offline" miss sockets and workers; this does not. */
export class Proxy {
  readonly #server: Server
  readonly #target: number
  readonly #open = new Set<Socket>()
  #weather: Weather = 'pass'
  #sockets: Sockets = 'pass'
  #apiFault: ApiFault | null = null
  #down: Lane | null = null
  #up: Lane | null = null
  #rttMs = 0
  /** Bytes that came from the server and went to it since the last `count()`. */
  #received = 0
  #sent = 0
  #cutIn: { left: number; readonly done: () => void } | null = null
  port = 0

  constructor(targetPort: number) {
    this.#target = targetPort
    this.#server = createServer((phone) => this.#accept(phone))
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

  /** Changes the weather for what comes; `cut`, `hang` and the lies also end what is open. */
  set(weather: Weather): void {
    this.#weather = weather
    if (weather !== 'pass' && weather !== 'lose-answers') this.#endAll()
    // Nobody listens: what is accepted only to be reset may already have sent a photo into the system's buffers.
    if (weather === 'cut') this.#server.close()
    else if (!this.#server.listening) this.#server.listen(this.port, '127.0.0.1')
  }

  /** Blocks what upgrades from now on, or lets it pass again. */
  sockets(how: Sockets): void {
    this.#sockets = how
  }

  /** From the next call on; null: the API answers again. */
  failApi(fault: ApiFault | null): void {
    this.#apiFault = fault
  }

  /** Cuts once the phone has sent so many more bytes, to the byte; resolves then. */
  cutAfter(bytes: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#cutIn = { left: bytes, done: resolve }
    return promise
  }

  /** What of these bytes still left the phone; null: the connection was cut behind them. */
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

  /** The link's speed for new connections; null: as fast as the machine. */
  throttle(link: Link | null): void {
    this.#down = link && new Lane(link.downKbit, link.rttMs / 2)
    this.#up = link && new Lane(link.upKbit, link.rttMs / 2)
    this.#rttMs = link?.rttMs ?? 0
  }

  /** Bytes since the last call, and starts anew. */
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

  #accept(phone: Socket): void {
    this.#keep(phone)
    const page = pages[this.#weather]
    if (this.#weather === 'cut') return void phone.resetAndDestroy()
    if (this.#weather === 'hang') return void phone.resume()
    if (page !== undefined) return void phone.once('data', () => phone.end(page))
    const server = createConnection(this.#target, '127.0.0.1')
    this.#keep(server)
    const { down, up } = { down: this.#down, up: this.#up }
    // The handshake of TCP costs a round trip before the first byte may go.
    let ready = this.#rttMs === 0
    let blocked = false
    const early: Buffer[] = []
    const send = (bytes: Buffer) => move(bytes, up, server)
    if (!ready) {
      after(() => {
        ready = true
        for (const bytes of early.splice(0)) send(bytes)
      }, this.#rttMs)
    }
    phone.on('data', (coming: Buffer) => {
      const bytes = this.#before(coming)
      if (!bytes) return
      if (this.#sockets !== 'pass' && UPGRADE.test(bytes.toString('latin1', 0, 16))) {
        blocked = true
        server.destroy()
        if (this.#sockets === 'refuse') phone.end(answer('403 Forbidden', '<h1>403</h1>'))
        return
      }
      this.#sent += bytes.length
      // A browser writes the head of a request at once.
      if (this.#apiFault !== null && API.test(bytes.toString('latin1', 0, 40))) {
        const page = faultPages[this.#apiFault]
        server.destroy()
        if (page === undefined) phone.resetAndDestroy()
        else phone.end(page)
        return
      }
      if (ready) send(bytes)
      else early.push(bytes)
    })
    server.on('data', (bytes: Buffer) => {
      if (this.#weather === 'lose-answers') return void phone.resetAndDestroy()
      this.#received += bytes.length
      move(bytes, down, phone)
    })
    server.on('close', () => {
      if (!blocked) finish(down, phone)
    })
    phone.on('close', () => finish(up, server))
  }
}

function move(bytes: Buffer, lane: Lane | null, to: Socket): void {
  if (lane === null) {
    if (!to.destroyed) to.write(bytes)
    return
  }
  // In pieces of one packet, so that connections share the link fairly.
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
