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

/**
 * Delay before the n-th reconnection (0: the first), in ms [S9.13]; `random`: a random number in [0,
 * 1).
 */
export function reconnectIn(attempt: number, random: number): number {
  return (
    Math.min(BACKOFF_MAX_MS, BACKOFF_BASE_MS * 2 ** Math.min(attempt, 20)) +
    Math.floor(random * BACKOFF_JITTER_MS)
  )
}

const RETRY_LEAST_MS = 250

/**
 * Delay before the next try in ms: full jitter over a span that doubles with each failure, but at
 * least Retry-After.
 */
export function retryIn(
  failures: number,
  random: number,
  retryAfterMs: number | null,
  maxMs = RETRY_MAX_MS,
): number {
  const wait = Math.max(RETRY_LEAST_MS, Math.floor(random * spanOf(failures, maxMs)))
  return retryAfterMs === null ? wait : Math.max(wait, Math.min(RETRY_AFTER_MAX_MS, retryAfterMs))
}

function spanOf(failures: number, maxMs: number): number {
  return Math.min(maxMs, RETRY_BASE_MS * 2 ** Math.min(failures, 20))
}

/** What caused the wait. An answer of our server proves both server and network. */
export type Cause = 'network' | 'server' | 'other'

export function causeOf(why: WaitReason): Cause {
  if (why === 'offline' || why === 'weak' || why === 'captive') return 'network'
  return why === 'server' || why === 'limit' ? 'server' : 'other'
}

interface Wait {
  readonly cause: Cause
  readonly step: number
  readonly failures: number
  /** Number of recoveries after which the call failed again. */
  readonly recoveries: number
  readonly recovered: boolean
  /** ms */
  readonly at: number
  readonly until: number
  /** End of Retry-After, in ms: a recovery never shortens the wait below it. */
  readonly least: number
}

interface Clock {
  now(): number
  random(): number
}

/** Keys are chosen by the caller. */
export class Waits {
  readonly #clock: Clock
  readonly #maxMs: number
  readonly #waits = new Map<string, Wait>()

  constructor(clock: Clock, maxMs = RETRY_MAX_MS) {
    this.#clock = clock
    this.#maxMs = maxMs
  }

  /**
   * Counts one more failure and returns the ms until the next try. `before`: failures of an earlier
   * run; `step`: extra doublings.
   */
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

  /** ms until the next try. `asked`: on the user's request, which only Retry-After delays. */
  left(key: string, asked = false): number {
    const wait = this.#waits.get(key)
    return wait === undefined ? 0 : this.#until(wait, asked ? wait.least : wait.until)
  }

  /**
   * Our server answered: shortens the wait and returns what is left, in ms. Jitter spreads the
   * clients after an outage; calls that failed after earlier recoveries wait longer.
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

  /** A clock that was set back must not extend a wait. */
  #until(wait: Wait, until: number): number {
    const now = this.#clock.now()
    return now < wait.at ? 0 : Math.max(0, until - now)
  }
}
