import type { WaitReason } from '#schema/disk/entry'
import {
  BACKOFF_BASE_MS,
  BACKOFF_JITTER_MS,
  BACKOFF_MAX_MS,
  RECOVERY_SPREAD_MS,
  RETRY_AFTER_MAX_MS,
  RETRY_BASE_MS,
  RETRY_MAX_MS,
} from '#schema/limits'

/** Wait before the n-th reconnection (0: the first), ms [S9.13]; `luck` in [0, 1). */
export function reconnectIn(attempt: number, luck: number): number {
  return (
    Math.min(BACKOFF_MAX_MS, BACKOFF_BASE_MS * 2 ** Math.min(attempt, 20)) +
    Math.floor(luck * BACKOFF_JITTER_MS)
  )
}

const RETRY_LEAST_MS = 250

/** Wait before the next try, ms: full jitter over a span that doubles with each failure; what the server asked for is the least. */
export function retryIn(
  failures: number,
  luck: number,
  retryAfterMs: number | null,
  maxMs = RETRY_MAX_MS,
): number {
  const wait = Math.max(RETRY_LEAST_MS, Math.floor(luck * spanOf(failures, maxMs)))
  return retryAfterMs === null ? wait : Math.max(wait, Math.min(RETRY_AFTER_MAX_MS, retryAfterMs))
}

function spanOf(failures: number, maxMs: number): number {
  return Math.min(maxMs, RETRY_BASE_MS * 2 ** Math.min(failures, 20))
}

/** What a wait is for. An answer of our own proves the server, and the network with it. */
export type Cause = 'network' | 'server' | 'other'

export function causeOf(why: WaitReason): Cause {
  if (why === 'offline' || why === 'weak' || why === 'captive') return 'network'
  return why === 'server' || why === 'limit' ? 'server' : 'other'
}

interface Wait {
  readonly cause: Cause
  /** Steps of the growing span that it began at. */
  readonly step: number
  readonly failures: number
  /** Recoveries that shortened it, and did not help. */
  readonly recoveries: number
  /** One did since the last failure. */
  readonly recovered: boolean
  /** Of the last failure, ms. */
  readonly at: number
  readonly until: number
  /** Retry-After: no recovery shortens the wait further. */
  readonly least: number
}

interface Clock {
  now(): number
  random(): number
}

/** Growing waits of calls that fail, by the caller's name for each call. */
export class Waits {
  readonly #clock: Clock
  readonly #maxMs: number
  readonly #waits = new Map<string, Wait>()

  constructor(clock: Clock, maxMs = RETRY_MAX_MS) {
    this.#clock = clock
    this.#maxMs = maxMs
  }

  /** One more failure in a row: ms until the next try. `before`: failures that an earlier run of the app counted; `step`: as if so many more had failed. */
  failed(
    key: string,
    cause: Cause,
    retryAfterMs: number | null,
    { before = 0, step = 0 } = {},
  ): number {
    const at = this.#clock.now()
    const known = this.#waits.get(key)
    const failures = Math.max(known?.failures ?? 0, before)
    const wait = retryIn(failures + step, this.#clock.random(), retryAfterMs, this.#maxMs)
    const least = retryAfterMs === null ? at : at + Math.min(RETRY_AFTER_MAX_MS, retryAfterMs)
    this.#waits.set(key, {
      cause,
      step,
      failures: failures + 1,
      recoveries: known?.recoveries ?? 0,
      recovered: false,
      at,
      until: at + wait,
      least,
    })
    return wait
  }

  succeeded(key: string): void {
    this.#waits.delete(key)
  }

  get keys(): readonly string[] {
    return [...this.#waits.keys()]
  }

  failures(key: string): number {
    return this.#waits.get(key)?.failures ?? 0
  }

  /** ms until it may be tried; `asked`: a person asks, only Retry-After holds. */
  left(key: string, asked = false): number {
    const wait = this.#waits.get(key)
    return wait === undefined ? 0 : this.#until(wait, asked ? wait.least : wait.until)
  }

  /**
   * Our server answered: ms until the next try now; after a server's outage spread over a short span, so that not all phones
   * come at once. A call that failed after earlier recoveries too keeps a growing wait of its own.
   */
  recovered(key: string): number {
    const wait = this.#waits.get(key)
    if (wait === undefined) return 0
    if (wait.recovered || wait.cause === 'other') return this.left(key)
    const { recoveries, at } = wait
    const patience = recoveries === 0 ? 0 : spanOf(recoveries + wait.step, this.#maxMs)
    const spread =
      wait.cause === 'server' ? Math.floor(this.#clock.random() * RECOVERY_SPREAD_MS) : 0
    const until = Math.max(
      wait.least,
      Math.min(wait.until, Math.max(this.#clock.now(), at + patience) + spread),
    )
    this.#waits.set(key, { ...wait, recoveries: recoveries + 1, recovered: true, until })
    return this.left(key)
  }

  /** A clock that was set back meanwhile must not make a wait longer. */
  #until(wait: Wait, until: number): number {
    const now = this.#clock.now()
    return now < wait.at ? 0 : Math.max(0, until - now)
  }
}
