export interface Clock {
  now(): number
  setTimer(ms: number, what: () => void): () => void
}

/** Throttle with leading and trailing run: the first change is immediate, a flood is batched. */
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
      // A clock that was set back must not delay the work.
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
