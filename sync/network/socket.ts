import { HEARTBEAT_MS, PONG_MS } from '#schema/limits'
import { CLOSE } from '#schema/wire/socket'
import type { Dialled, Outside } from '../outside.ts'
import { reconnectIn } from './backoff.ts'

export type SocketState = 'open' | 'connecting' | 'closed'

export interface StreamHears {
  /** Path and query to dial; null: there is nothing to dial for. */
  address(): Promise<string | null>
  state(state: SocketState): void
  opened(): void
  frame(frame: Readonly<Record<string, unknown>>): void
  /** It was open and is not any more. */
  lost(): void
  /** The server does not take the token: resolves whether to try again. */
  unauthorized(): Promise<boolean>
}

/** A connection that stayed so long was a good one, even without a word of the server. */
const GOOD_MS = 2000
const TOO_MANY_FRAMES_MS = 15_000

/** One connection, dialled again for as long as it is wanted (S4.08 to S4.10, API.md 14). */
export class Socket {
  readonly #outside: Outside
  readonly #hears: StreamHears
  #wanted = false
  /** Not before the next sign-in, or not before somebody looks again. */
  #barred: 'no' | 'sign-in' | 'front' = 'no'
  #dialled: Dialled | null = null
  #open = false
  #turn = 0
  #attempt = 0
  #pongs = false
  #timers: (() => void)[] = []
  #retry: (() => void) | null = null

  constructor(outside: Outside, hears: StreamHears) {
    this.#outside = outside
    this.#hears = hears
  }

  get open(): boolean {
    return this.#open
  }

  /** Wanted: dials at once, without waiting for a backoff that was running. */
  want(wanted: boolean): void {
    if (wanted === this.#wanted) return
    this.#wanted = wanted
    this.#attempt = 0
    if (wanted) void this.#dial()
    else this.#hangUp()
  }

  /** Somebody looks again, or the network is proved: dials anew at once. */
  hurry(): void {
    if (this.#barred === 'front') this.#barred = 'no'
    if (!this.#wanted || this.#dialled) return
    this.#attempt = 0
    void this.#dial()
  }

  /** The server said hello: this is a good connection. */
  good(): void {
    this.#attempt = 0
  }

  say(frame: Readonly<Record<string, unknown>>): void {
    if (this.#open) this.#dialled?.say(JSON.stringify(frame))
  }

  /** Gives this connection up and makes another, such as after a frame that could not be kept. */
  renew(): void {
    this.#ended(this.#turn, 1006)
  }

  async #dial(): Promise<void> {
    this.#retry?.()
    this.#retry = null
    if (!this.#wanted || this.#dialled || this.#barred !== 'no') return
    const turn = ++this.#turn
    this.#hears.state('connecting')
    const address = await this.#hears.address()
    if (turn !== this.#turn || !this.#wanted) return
    if (address === null) return this.#hears.state('closed')
    this.#dialled = this.#outside.dial(address, {
      opened: () => turn === this.#turn && this.#opened(),
      heard: (text) => turn === this.#turn && this.#heard(text),
      closed: (code) => this.#ended(turn, code),
    })
  }

  #opened(): void {
    this.#open = true
    this.#after(GOOD_MS, () => this.good())
    this.#beat()
    this.#hears.state('open')
    this.#hears.opened()
  }

  #beat(): void {
    this.#after(HEARTBEAT_MS, () => {
      this.say({ type: 'ping', ts: this.#outside.now() })
      // A server that never answered a ping is not taken for dead (API.md 19).
      if (this.#pongs) this.#after(PONG_MS, () => this.renew(), 'pong')
      this.#beat()
    })
  }

  #heard(text: string): void {
    const frame = parsed(text)
    if (!frame) return
    this.#quiet?.()
    this.#quiet = null
    if (frame['type'] === 'pong') this.#pongs = true
    else this.#hears.frame(frame)
  }

  /** Ends the deadline of a pong: any frame proves the peer. */
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
    const wait = code === CLOSE.tooManyFrames ? TOO_MANY_FRAMES_MS : reconnectIn(this.#attempt, this.#outside.random())
    this.#attempt += 1
    this.#retry?.()
    this.#retry = this.#outside.later(wait, () => void this.#dial())
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
    this.#retry?.()
    this.#retry = null
    this.#quiet = null
    for (const cancel of this.#timers.splice(0)) cancel()
    this.#dialled?.close()
    this.#dialled = null
  }

  #after(ms: number, what: () => void, which?: 'pong'): void {
    const cancel = this.#outside.later(ms, what)
    this.#timers.push(cancel)
    if (which === 'pong') this.#quiet = cancel
  }
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}
