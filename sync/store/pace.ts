/** The part of the outside that paces: ms since 1970, and a timer whose answer cancels. */
export interface Clock {
  now(): number
  setTimer(ms: number, what: () => void): () => void
}

/**
 * Runs `work` at once when it did not run within the last `ms`, else once at their end: the first change is seen
 * without delay, a flood of them in few steps.
 */
export function paced(clock: Clock, ms: number, work: () => void): { poke(): void; stop(): void } {
  let last = Number.NEGATIVE_INFINITY
  let cancel: (() => void) | null = null
  const run = () => {
    cancel = null
    last = clock.now()
    work()
  }
  return {
    poke() {
      if (cancel !== null) return
      // A clock that was set back must not hold the work up.
      const wait = Math.min(ms, Math.max(0, last + ms - clock.now()))
      if (wait === 0) run()
      else cancel = clock.setTimer(wait, run)
    },
    stop() {
      cancel?.()
      cancel = null
    },
  }
}
