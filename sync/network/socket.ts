import { HEARTBEAT_MS, POLL_MAX_MS, PONG_MS, SILENT_SOCKET_MS } from '#schema/limits'
import type { NetworkFacts } from '#schema/port/question'
import { isMembers, type Members } from '#schema/members'
import { jsonOf } from '#schema/parsed'
import { CLOSE } from '#schema/wire/socket'
import type { SocketConnection, Outside } from '../outside.ts'
import { Timer } from '../within.ts'
import { reconnectIn } from './backoff.ts'

export type SocketState = NetworkFacts['socket']

export interface StreamCallbacks {
  /** Path and query to connect to; null: do not connect. */
  address(): Promise<string | null>
  state(state: SocketState): void
  opened(): void
  frame(frame: Members): void
  lost(): void
  /** The server rejected the token. Resolves with whether to try again. */
  unauthorized(): Promise<boolean>
}

const TOO_MANY_FRAMES_MS = 15_000

/** A WebSocket that reconnects as long as it is wanted ([S4.08] to [S4.10], [API 14]). */
export class Socket {
  readonly #outside: Outside
  readonly #callbacks: StreamCallbacks
  #wanted = false
  /** Blocks reconnecting until the next sign-in, or until the app becomes visible again. */
  #blockedUntil: 'no' | 'sign-in' | 'front' = 'no'
  #connection: SocketConnection | null = null
  #open = false
  #connectionNumber = 0
  #attempt = 0
  /** Calls of `connectNow` that connected since the last good connection. */
  #quickConnects = 0
  #connectedAt = Number.NEGATIVE_INFINITY
  /** Consecutive connections without any frame of the server. */
  #silences = 0
  /** The server sent a frame on this connection. */
  #gotFrame = false
  /**
   * The server answers pings. Ours sends hello; a simpler one is trusted after its first pong
   * [API 19].
   */
  #pongs = false
  #saveData = false
  readonly #silence: Timer
  readonly #ping: Timer
  /** Any frame stops it: it proves that the peer is alive. */
  readonly #pongDeadline: Timer
  readonly #retry: Timer

  constructor(outside: Outside, callbacks: StreamCallbacks) {
    this.#outside = outside
    this.#callbacks = callbacks
    this.#silence = new Timer(outside)
    this.#ping = new Timer(outside)
    this.#pongDeadline = new Timer(outside)
    this.#retry = new Timer(outside)
  }

  get open(): boolean {
    return this.#open
  }

  /** Open, and the server has sent a frame: events arrive by this socket. */
  get live(): boolean {
    return this.#open && this.#gotFrame
  }

  want(wanted: boolean, saveData = false): void {
    this.#saveData = saveData
    if (wanted === this.#wanted) return
    this.#wanted = wanted
    if (wanted) this.connectNow()
    else this.#disconnect()
  }

  /**
   * The app became visible or the network works: connects at once. Repeated calls are limited by
   * the backoff, for a flickering network.
   */
  connectNow(): void {
    if (this.#blockedUntil === 'front') this.#blockedUntil = 'no'
    if (!this.#wanted || this.#connection) return
    const since = this.#outside.now() - this.#connectedAt
    const left =
      this.#quickConnects === 0 || since < 0
        ? 0
        : Math.max(0, reconnectIn(this.#quickConnects - 1, 0) - since)
    if (left > 0 && this.#retry.isRunning) return
    this.#quickConnects += 1
    this.#connectIn(left)
  }

  /** A sign-in lifts any block that the server set for the previous session. */
  allow(): void {
    this.#blockedUntil = 'no'
    this.resetBackoff()
    if (this.#wanted && !this.#connection) this.#connectIn(0)
  }

  /** The catch-up is complete: the backoff restarts [S9.13]. */
  resetBackoff(): void {
    this.#attempt = 0
    this.#quickConnects = 0
  }

  send(frame: Members): void {
    if (this.#open) this.#connection?.send(JSON.stringify(frame))
  }

  /** Drops the connection and reconnects, for example after a frame that could not be stored. */
  renew(): void {
    this.#ended(this.#connectionNumber, 1006)
  }

  async #connect(): Promise<void> {
    if (!this.#wanted || this.#connection || this.#blockedUntil !== 'no') return
    this.#connectedAt = this.#outside.now()
    const number = ++this.#connectionNumber
    this.#callbacks.state('connecting')
    const address = await this.#callbacks.address()
    if (number !== this.#connectionNumber || !this.#wanted) return
    if (address === null) return this.#callbacks.state('closed')
    this.#connection = this.#outside.openSocket(address, {
      onOpen: () => number === this.#connectionNumber && this.#opened(),
      onMessage: (text) => number === this.#connectionNumber && this.#onFrame(text),
      onClose: (code) => this.#ended(number, code),
    })
  }

  #opened(): void {
    this.#open = true
    this.#gotFrame = false
    // Silent connections stay open longer each time: a simpler server may have nothing to send.
    const silence = Math.min(POLL_MAX_MS, SILENT_SOCKET_MS * 2 ** Math.min(this.#silences, 10))
    this.#silence.start(silence, () => {
      if (this.#gotFrame) return
      this.#silences += 1
      this.renew()
    })
    this.#schedulePing()
    this.#callbacks.state('open')
    this.#callbacks.opened()
  }

  #schedulePing(): void {
    this.#ping.start(HEARTBEAT_MS, () => {
      this.send({ type: 'ping', ts: this.#outside.now() })
      if (this.#pongs && this.#gotFrame) this.#pongDeadline.start(PONG_MS, () => this.renew())
      this.#schedulePing()
    })
  }

  #onFrame(text: string): void {
    const frame = jsonOf(text)
    if (!isMembers(frame)) return
    this.#pongDeadline.stop()
    this.#silences = 0
    if (frame['type'] === 'pong' || frame['type'] === 'hello') this.#pongs = true
    if (!this.#gotFrame) {
      this.#gotFrame = true
      this.#callbacks.state('open')
    }
    if (frame['type'] === 'pong') return
    this.#callbacks.frame(frame)
  }

  #ended(number: number, code: number): void {
    if (number !== this.#connectionNumber) return
    this.#disconnect()
    if (this.#wanted) void this.#next(code)
  }

  async #next(code: number): Promise<void> {
    if (code === CLOSE.suspended) return this.#blockUntil('sign-in')
    if (code === CLOSE.tooManySockets) return this.#blockUntil('front')
    if (code === CLOSE.signedOut) {
      const number = this.#connectionNumber
      const again = await this.#callbacks.unauthorized()
      if (number !== this.#connectionNumber) return
      if (!again) return this.#blockUntil('sign-in')
    }
    const backoff =
      code === CLOSE.tooManyFrames
        ? TOO_MANY_FRAMES_MS
        : reconnectIn(this.#attempt, this.#outside.random())
    this.#attempt += 1
    this.#connectIn(this.#saveData ? POLL_MAX_MS : backoff)
  }

  /** The timer goes on while the socket is not wanted. */
  #connectIn(ms: number): void {
    this.#retry.stop()
    if (ms === 0) void this.#connect()
    else this.#retry.start(ms, () => void this.#connect())
  }

  #blockUntil(until: 'sign-in' | 'front'): void {
    this.#blockedUntil = until
    this.#callbacks.state('closed')
  }

  #disconnect(): void {
    const was = this.#open
    this.#connectionNumber += 1
    this.#open = false
    this.#gotFrame = false
    for (const timer of [this.#silence, this.#ping, this.#pongDeadline]) timer.stop()
    this.#connection?.close()
    this.#connection = null
    this.#callbacks.state(this.#wanted ? 'connecting' : 'closed')
    if (was) this.#callbacks.lost()
  }
}
