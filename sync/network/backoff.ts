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

/** ms; `attempt` 0: the first [S9.13]. */
export function reconnectIn(attempt: number, random: number) {
  return (
    Math.min(BACKOFF_MAX_MS, BACKOFF_BASE_MS * 2 ** Math.min(attempt, 20)) +
    Math.floor(random * BACKOFF_JITTER_MS)
  )
}

const RETRY_LEAST_MS = 250

/** ms, with full jitter; at least Retry-After. */
export function retryIn(
  failures: number,
  random: number,
  retryAfterMs: number | null,
  maxMs = RETRY_MAX_MS,
) {
  const wait = Math.max(RETRY_LEAST_MS, Math.floor(random * spanOf(failures, maxMs)))
  return retryAfterMs === null ? wait : Math.max(wait, Math.min(RETRY_AFTER_MAX_MS, retryAfterMs))
}

function spanOf(failures: number, maxMs: number) {
  return Math.min(maxMs, RETRY_BASE_MS * 2 ** Math.min(failures, 20))
}

/** An answer of our server proves both server and network. */
export type Cause = 'network' | 'server' | 'other'

export function causeOf(why: WaitReason | null): Cause {
  if (why === 'offline' || why === 'weak' || why === 'captive') return 'network'
  return why === 'server' || why === 'limit' ? 'server' : 'other'
}

type Wait = Readonly<{
  cause: Cause
  step: number
  failures: number
  recoveries: number
  recovered: boolean
  at: number
  until: number
  /** A recovery does not shorten Retry-After. */
  least: number
}>

interface Clock {
  now(): number
  random(): number
}

export function createWaits(clock: Clock, maxMs = RETRY_MAX_MS) {
  const waits = new Map<string, Wait>()

  /** `asked`: by the user, whom only Retry-After delays. */
  function left(key: string, asked = false) {
    const wait = waits.get(key)
    const now = clock.now()
    // The clock was set back.
    if (wait === undefined || now < wait.at) return 0
    return Math.max(0, (asked ? wait.least : wait.until) - now)
  }

  return {
    left,

    /** `before`: failures of an earlier run; `step`: extra doublings. */
    failed(key: string, cause: Cause, retryAfterMs: number | null, { before = 0, step = 0 } = {}) {
      const at = clock.now()
      const known = waits.get(key)
      const failures = Math.max(known?.failures ?? 0, before)
      const wait = retryIn(failures + step, clock.random(), retryAfterMs, maxMs)
      waits.set(key, {
        cause,
        step,
        failures: failures + 1,
        recoveries: known?.recoveries ?? 0,
        recovered: false,
        at,
        until: at + wait,
        least: retryAfterMs === null ? at : at + Math.min(RETRY_AFTER_MAX_MS, retryAfterMs),
      })
      return wait
    },

    succeeded(key: string) {
      waits.delete(key)
    },

    get keys() {
      return [...waits.keys()]
    },

    failures(key: string) {
      return waits.get(key)?.failures ?? 0
    },

    /**
     * Our server answered. Jitter spreads the clients after an outage; what failed after earlier
     * recoveries waits longer.
     */
    recovered(key: string) {
      const wait = waits.get(key)
      if (wait === undefined || wait.recovered || wait.cause === 'other') return left(key)
      const { recoveries, at } = wait
      const patience = recoveries === 0 ? 0 : spanOf(recoveries + wait.step, maxMs)
      const spread = wait.cause === 'server' ? Math.floor(clock.random() * RECOVERY_SPREAD_MS) : 0
      const sooner = Math.max(clock.now(), at + patience) + spread
      const until = Math.max(wait.least, Math.min(wait.until, sooner))
      waits.set(key, { ...wait, recoveries: recoveries + 1, recovered: true, until })
      return left(key)
    },
  }
}
