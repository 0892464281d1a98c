import { POLL_BASE_MS, POLL_MAX_MS, POLL_MIN_MS } from '#schema/limits'
import { resumed, resync, hello } from '#schema/wire/socket'
import * as v from 'valibot'
import type { Outside } from '../outside.ts'
import type { Unread } from './refresh.ts'
import { retryIn } from '../network/backoff.ts'
import { Socket, type SocketState } from '../network/socket.ts'

/** What is polled while there is no socket. Nothing is polled while the app is hidden [S4.11]. */
export type Polled = 'everything' | 'conversations'

type Frame = Readonly<Record<string, unknown>>

export interface StreamWork {
  address(lastEvent: string | null): string
  state(state: SocketState): void
  /** Id of the last event up to which everything is stored locally; null: never connected. */
  lastEvent(): Promise<string | null>
  keepLastEvent(id: string): Promise<void>
  /** Handles an event (receive.ts). Rejects when it could not be stored. */
  event(frame: Frame): Promise<void>
  ephemeral(frame: Frame): void
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
  #timer: (() => void) | null = null
  #queue: Promise<void> = Promise.resolve()
  #turn = 0
  #from: string | null = null
  #caughtUp = false
  #waiting: (() => void) | null = null
  /** Retry of the unanswered part of a catch-up, on the same connection. */
  #rest: { readonly again: () => void; cancel: () => void } | null = null

  constructor(outside: Outside, work: StreamWork) {
    this.#outside = outside
    this.#work = work
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
    if (saveData !== this.#saveData) this.#stopPolling()
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
    this.#rest?.again()
  }

  /** Call after a sign-in. */
  allow(): void {
    this.#socket.allow()
  }

  /** Local data was deleted: reconnects and catches up. */
  renew(): void {
    if (this.#socket.open) this.#socket.renew()
  }

  send(frame: Frame): void {
    this.#socket.send(frame)
  }

  close(): void {
    this.want(false, null)
    this.#stopWaiting()
    this.#stopRest()
  }

  #opened(): void {
    this.#turn += 1
    this.#stopRest()
    this.#caughtUp = false
    // Events from now on wait behind the catch-up, even if it fails.
    this.#await(HELLO_MS)
  }

  #await(ms: number): void {
    this.#stopWaiting()
    this.#waiting = this.#outside.setTimer(ms, () => this.#catchUp(null))
  }

  #stopWaiting(): void {
    this.#waiting?.()
    this.#waiting = null
  }

  #frame(frame: Frame): void {
    switch (frame['type']) {
      case 'hello': {
        const parsed = v.safeParse(hello, frame)
        if (!parsed.success) return
        if (this.#from === null) this.#catchUp(parsed.output.last_event_id)
        else this.#await(RESUMED_MS)
        return
      }
      case 'resumed':
        if (v.is(resumed, frame)) this.#isCaughtUp()
        return
      case 'resync': {
        const parsed = v.safeParse(resync, frame)
        if (parsed.success) this.#catchUp(parsed.output.last_event_id)
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
  #event(frame: Frame): void {
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
    this.#stopWaiting()
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
      const again = (): void => {
        this.#stopRest()
        this.#then(async () => this.#read(turn, upTo, await rest.again(), failures + 1))
      }
      this.#rest = {
        again,
        cancel: this.#outside.setTimer(
          Math.max(rest.waitMs, retryIn(failures, this.#outside.random(), null)),
          again,
        ),
      }
      return
    }
    if (upTo !== null) await this.#work.keepLastEvent(upTo)
    this.#caughtUp = true
    this.#socket.resetBackoff()
  }

  #stopRest(): void {
    this.#rest?.cancel()
    this.#rest = null
  }

  #isCaughtUp(): void {
    this.#stopWaiting()
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
    this.#stopWaiting()
    this.#stopRest()
  }

  /** [S4.09, S9.14, D13] */
  #schedule(): void {
    if (!this.#wanted || this.#polls === null || this.#socket.live) return this.#stopPolling()
    this.#timer ??= this.#outside.setTimer(
      this.#saveData ? POLL_MAX_MS : pollIn(this.#closes),
      () => {
        this.#timer = null
        if (this.#polls !== null) void this.#work.poll(this.#polls)
        this.#schedule()
      },
    )
  }

  #stopPolling(): void {
    this.#timer?.()
    this.#timer = null
  }
}

/**
 * ms until the next poll after so many closes: clamp(90 s x 1.5^closes, 120 s, 300 s) [S9.14, D13].
 */
export function pollIn(closes: number): number {
  return Math.min(POLL_MAX_MS, Math.max(POLL_MIN_MS, POLL_BASE_MS * 1.5 ** Math.min(closes, 10)))
}
