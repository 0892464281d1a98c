import { HEARTBEAT_MS, POLL_MAX_MS, PONG_MS, SILENT_SOCKET_MS } from '#schema/limits'
import { CLOSE } from '#schema/wire/socket'
import type { SocketConnection, Outside } from '../outside.ts'
import { reconnectIn } from './backoff.ts'

export type SocketState = 'open' | 'connecting' | 'closed'

export interface StreamCallbacks {
  /** Path and query to connect to; null: do not connect. */
  address(): Promise<string | null>
  state(state: SocketState): void
  opened(): void
  frame(frame: Readonly<Record<string, unknown>>): void
  lost(): void
  /** The server rejected the token. Resolves with whether to try again. */
  unauthorized(): Promise<boolean>
}

const TOO_MANY_FRAMES_MS = 15_000

/** A WebSocket that reconnects as long as it is wanted ([S4.08] to [S4.10], [API 14]). */
export class Socket {
  readonly #outside: Outside
  readonly #hears: StreamCallbacks
  #wanted = false
  /** Blocks reconnecting until the next sign-in, or until the app becomes visible again. */
  #barred: 'no' | 'sign-in' | 'front' = 'no'
  #dialled: SocketConnection | null = null
  #open = false
  #turn = 0
  #attempt = 0
  /** Calls of `hurry` that connected since the last good connection. */
  #hurries = 0
  #dialledAt = Number.NEGATIVE_INFINITY
  /** Consecutive connections without any frame of the server. */
  #silences = 0
  /** The server sent a frame on this connection. */
  #heardSome = false
  /**
   * The server answers pings. Ours sends hello; a simpler one is trusted after its first pong
   * [API 19].
   */
  #pongs = false
  #saveData = false
  #timers: (() => void)[] = []
  #retry: (() => void) | null = null

  constructor(outside: Outside, hears: StreamCallbacks) {
    this.#outside = outside
    this.#hears = hears
  }

  get open(): boolean {
    return this.#open
  }

  /** Open, and the server has sent a frame: events arrive by this socket. */
  get live(): boolean {
    return this.#open && this.#heardSome
  }

  want(wanted: boolean, saveData = false): void {
    this.#saveData = saveData
    if (wanted === this.#wanted) return
    this.#wanted = wanted
    if (wanted) this.hurry()
    else this.#hangUp()
  }

  /**
   * The app became visible or the network works: connects at once. Repeated calls are limited by
   * the backoff, for a flickering network.
   */
  hurry(): void {
    if (this.#barred === 'front') this.#barred = 'no'
    if (!this.#wanted || this.#dialled) return
    const since = this.#outside.now() - this.#dialledAt
    const left =
      this.#hurries === 0 || since < 0 ? 0 : Math.max(0, reconnectIn(this.#hurries - 1, 0) - since)
    if (left > 0 && this.#retry) return
    this.#hurries += 1
    this.#dialIn(left)
  }

  /** A sign-in lifts any block that the server set for the previous session. */
  allow(): void {
    this.#barred = 'no'
    this.good()
    if (this.#wanted && !this.#dialled) this.#dialIn(0)
  }

  /** The catch-up is complete: the backoff restarts [S9.13]. */
  good(): void {
    this.#attempt = 0
    this.#hurries = 0
  }

  say(frame: Readonly<Record<string, unknown>>): void {
    if (this.#open) this.#dialled?.send(JSON.stringify(frame))
  }

  /** Drops the connection and reconnects, for example after a frame that could not be stored. */
  renew(): void {
    this.#ended(this.#turn, 1006)
  }

  async #dial(): Promise<void> {
    if (!this.#wanted || this.#dialled || this.#barred !== 'no') return
    this.#dialledAt = this.#outside.now()
    const turn = ++this.#turn
    this.#hears.state('connecting')
    const address = await this.#hears.address()
    if (turn !== this.#turn || !this.#wanted) return
    if (address === null) return this.#hears.state('closed')
    this.#dialled = this.#outside.openSocket(address, {
      onOpen: () => turn === this.#turn && this.#opened(),
      onMessage: (text) => turn === this.#turn && this.#heard(text),
      onClose: (code) => this.#ended(turn, code),
    })
  }

  #opened(): void {
    this.#open = true
    this.#heardSome = false
    // Silent connections stay open longer each time: a simpler server may have nothing to send.
    this.#after(Math.min(POLL_MAX_MS, SILENT_SOCKET_MS * 2 ** Math.min(this.#silences, 10)), () => {
      if (this.#heardSome) return
      this.#silences += 1
      this.renew()
    })
    this.#beat()
    this.#hears.state('open')
    this.#hears.opened()
  }

  #beat(): void {
    this.#after(HEARTBEAT_MS, () => {
      this.say({ type: 'ping', ts: this.#outside.now() })
      if (this.#pongs && this.#heardSome) this.#after(PONG_MS, () => this.renew(), 'pong')
      this.#beat()
    })
  }

  #heard(text: string): void {
    const frame = parsed(text)
    if (!frame) return
    this.#quiet?.()
    this.#quiet = null
    this.#silences = 0
    if (frame['type'] === 'pong' || frame['type'] === 'hello') this.#pongs = true
    if (!this.#heardSome) {
      this.#heardSome = true
      this.#hears.state('open')
    }
    if (frame['type'] === 'pong') return
    this.#hears.frame(frame)
  }

  /** Cancels the pong deadline: any frame proves that the peer is alive. */
  #quiet: (() => void) | null = null

  #ended(turn: number, code: number): void {
    if (turn !== this.#turn) return
    const was = this.#open
    this.#drop()
    this.#hears.state(this.#wanted ? 'connecting' : 'closed')
    if (was) this.#hears.lost()
    if (this.#wanted) void this.#next(code)
  }

  async #next(code: number): Promise<void> {
    if (code === CLOSE.suspended) return this.#bar('sign-in')
    if (code === CLOSE.tooManySockets) return this.#bar('front')
    if (code === CLOSE.signedOut) {
      const turn = this.#turn
      const again = await this.#hears.unauthorized()
      if (turn !== this.#turn) return
      if (!again) return this.#bar('sign-in')
    }
    const backoff =
      code === CLOSE.tooManyFrames
        ? TOO_MANY_FRAMES_MS
        : reconnectIn(this.#attempt, this.#outside.random())
    this.#attempt += 1
    this.#dialIn(this.#saveData ? POLL_MAX_MS : backoff)
  }

  /** The timer goes on while the socket is not wanted. */
  #dialIn(ms: number): void {
    this.#retry?.()
    this.#retry = null
    if (ms === 0) return void this.#dial()
    this.#retry = this.#outside.setTimer(ms, () => {
      this.#retry = null
      void this.#dial()
    })
  }

  #bar(until: 'sign-in' | 'front'): void {
    this.#barred = until
    this.#hears.state('closed')
  }

  #hangUp(): void {
    const was = this.#open
    this.#drop()
    this.#hears.state('closed')
    if (was) this.#hears.lost()
  }

  #drop(): void {
    this.#turn += 1
    this.#open = false
    this.#heardSome = false
    this.#quiet = null
    for (const cancel of this.#timers.splice(0)) cancel()
    this.#dialled?.close()
    this.#dialled = null
  }

  #after(ms: number, what: () => void, which?: 'pong'): void {
    const cancel = this.#outside.setTimer(ms, what)
    this.#timers.push(cancel)
    if (which === 'pong') this.#quiet = cancel
  }
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { ...value }
      : null
  } catch {
    return null
  }
}
