import { POLL_BASE_MS, POLL_MAX_MS, POLL_MIN_MS } from '#schema/limits'
import { parsed } from '#schema/parsed'
import type { Members } from '#schema/tolerant'
import { resumed, resync, hello } from '#schema/wire/socket'
import * as v from 'valibot'
import type { Outside } from '../outside.ts'
import { Timer } from '../within.ts'
import type { Unread } from './refresh.ts'
import { retryIn } from '../network/backoff.ts'
import { Socket, type SocketState } from '../network/socket.ts'

/** What is polled while there is no socket. Nothing is polled while the app is hidden [S4.11]. */
export type Polled = 'everything' | 'conversations'

export interface StreamWork {
  address(lastEvent: string | null): string
  state(state: SocketState): void
  /** Id of the last event up to which everything is stored locally; null: never connected. */
  lastEvent(): Promise<string | null>
  keepLastEvent(id: string): Promise<void>
  /** Handles an event (receive.ts). Rejects when it could not be stored. */
  event(frame: Members): Promise<void>
  ephemeral(frame: Members): void
  /**
   * Fetches what changed while offline, in the order of [API 3]; resolves with the needs that got
   * no answer.
   */
  catchUp(): Promise<Unread | null>
  /** Replaces a socket: refetches everything or only conversations. */
  poll(what: Polled): Promise<unknown>
  unauthorized(): Promise<boolean>
}

/**
 * How long to wait for `hello` or `resumed` from a server that may send neither; then changes are
 * fetched.
 */
const HELLO_MS = 2000
const RESUMED_MS = 15_000

/**
 * Each connection catches up first; events that arrive meanwhile wait [SYNC 7]. Polls while closed.
 */
export class Stream {
  readonly #outside: Outside
  readonly #work: StreamWork
  readonly #socket: Socket
  #wanted = false
  #polls: Polled | null = null
  #saveData = false
  #closes = 0
  readonly #pollTimer: Timer
  #queue: Promise<void> = Promise.resolve()
  #turn = 0
  #from: string | null = null
  #caughtUp = false
  /** Until `hello` or `resumed`. */
  readonly #catchUpTimer: Timer
  /** Until the unanswered part of a catch-up is fetched again, on the same connection. */
  readonly #restTimer: Timer
  #rest: (() => void) | null = null

  constructor(outside: Outside, work: StreamWork) {
    this.#outside = outside
    this.#work = work
    this.#pollTimer = new Timer(outside)
    this.#catchUpTimer = new Timer(outside)
    this.#restTimer = new Timer(outside)
    this.#socket = new Socket(outside, {
      address: async () => {
        this.#from = await work.lastEvent()
        return work.address(this.#from)
      },
      state: (state) => {
        work.state(state)
        this.#schedule()
      },
      opened: () => this.#opened(),
      frame: (frame) => this.#frame(frame),
      lost: () => this.#lost(),
      unauthorized: () => work.unauthorized(),
    })
  }

  want(wanted: boolean, polls: Polled | null, saveData = false): void {
    this.#wanted = wanted
    if (saveData !== this.#saveData) this.#pollTimer.stop()
    this.#saveData = saveData
    this.#polls = polls
    this.#socket.want(wanted, saveData)
    this.#schedule()
  }

  get live(): boolean {
    return this.#socket.live
  }

  connectNow(): void {
    this.#socket.connectNow()
    this.#rest?.()
  }

  /** Call after a sign-in: data of the new session is not polled later than at first [D13]. */
  allow(): void {
    this.#closes = 0
    this.#pollTimer.stop()
    this.#schedule()
    this.#socket.allow()
  }

  /** Local data was deleted: reconnects and catches up. */
  renew(): void {
    if (this.#socket.open) this.#socket.renew()
  }

  send(frame: Members): void {
    this.#socket.send(frame)
  }

  close(): void {
    this.want(false, null)
    this.#stopCatchingUp()
  }

  #opened(): void {
    this.#turn += 1
    this.#stopCatchingUp()
    this.#caughtUp = false
    // Events from now on wait behind the catch-up, even if it fails.
    this.#await(HELLO_MS)
  }

  #await(ms: number): void {
    this.#catchUpTimer.start(ms, () => this.#catchUp(null))
  }

  #stopCatchingUp(): void {
    this.#catchUpTimer.stop()
    this.#restTimer.stop()
    this.#rest = null
  }

  #frame(frame: Members): void {
    switch (frame['type']) {
      case 'hello': {
        const greeting = parsed(hello, frame)
        if (greeting === null) return
        if (this.#from === null) this.#catchUp(greeting.last_event_id)
        else this.#await(RESUMED_MS)
        return
      }
      case 'resumed':
        if (v.is(resumed, frame)) this.#isCaughtUp()
        return
      case 'resync': {
        const message = parsed(resync, frame)
        if (message !== null) this.#catchUp(message.last_event_id)
        return
      }
      case 'typing':
        this.#work.ephemeral(frame)
        return
      case 'error':
        return
      default:
        this.#event(frame)
    }
  }

  /**
   * Handles events in order. If one cannot be stored, reconnects so that the server sends it again.
   */
  #event(frame: Members): void {
    const turn = this.#turn
    this.#then(async () => {
      if (turn !== this.#turn) return
      await this.#work.event(frame)
      const id = frame['event_id']
      if (typeof id === 'string' && turn === this.#turn && this.#knowsItsPlace)
        await this.#work.keepLastEvent(id)
    })
  }

  /** Whether all earlier events are stored: only then may the id be stored as a resume position. */
  get #knowsItsPlace(): boolean {
    return this.#caughtUp || this.#from !== null
  }

  #catchUp(upTo: string | null): void {
    this.#catchUpTimer.stop()
    const turn = this.#turn
    // Events before `resync` are not contiguous with those after it.
    this.#from = null
    this.#then(async () => {
      if (turn !== this.#turn) return
      await this.#read(turn, upTo, await this.#work.catchUp(), 0)
    })
  }

  /**
   * Events are handled although the catch-up is incomplete. The rest has its own backoff, without a
   * reconnect.
   */
  async #read(
    turn: number,
    upTo: string | null,
    rest: Unread | null,
    failures: number,
  ): Promise<void> {
    if (turn !== this.#turn) return
    if (rest !== null) {
      this.#rest = () => {
        this.#restTimer.stop()
        this.#rest = null
        this.#then(async () => this.#read(turn, upTo, await rest.again(), failures + 1))
      }
      const wait = Math.max(rest.waitMs, retryIn(failures, this.#outside.random(), null))
      this.#restTimer.start(wait, this.#rest)
      return
    }
    if (upTo !== null) await this.#work.keepLastEvent(upTo)
    this.#caughtUp = true
    this.#socket.resetBackoff()
  }

  #isCaughtUp(): void {
    this.#catchUpTimer.stop()
    this.#then(async () => {
      this.#caughtUp = true
      this.#socket.resetBackoff()
    })
  }

  #then(work: () => Promise<void>): void {
    const turn = this.#turn
    this.#queue = this.#queue.then(work).catch((error: unknown) => {
      console.warn('stream', error)
      if (turn === this.#turn) this.#socket.renew()
    })
  }

  #lost(): void {
    this.#turn += 1
    this.#closes += 1
    this.#stopCatchingUp()
  }

  /** [S4.09, S9.14, D13] */
  #schedule(): void {
    if (!this.#wanted || this.#polls === null || this.#socket.live) return this.#pollTimer.stop()
    if (this.#pollTimer.isRunning) return
    this.#pollTimer.start(this.#saveData ? POLL_MAX_MS : pollIn(this.#closes), () => {
      if (this.#polls !== null) void this.#work.poll(this.#polls)
      this.#schedule()
    })
  }
}

/**
 * ms until the next poll after so many closes: clamp(90 s x 1.5^closes, 120 s, 300 s) [S9.14, D13].
 */
export function pollIn(closes: number): number {
  return Math.min(POLL_MAX_MS, Math.max(POLL_MIN_MS, POLL_BASE_MS * 1.5 ** Math.min(closes, 10)))
}
