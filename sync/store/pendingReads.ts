import type { Clock } from './pace.ts'

/** Maximum delay of a status under a flood of writes. */
const MOST_MS = 300

/** Counts reads of live queries in progress, so that a status is not sent before its rows. */
export class PendingReads {
  readonly #clock: Clock
  #reads = 0
  #waiting: (() => void)[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Starts a read; the returned function ends it and may be called repeatedly. */
  begin(): () => void {
    this.#reads++
    let isPending = true
    return () => {
      if (!isPending) return
      isPending = false
      this.#reads--
      if (this.#reads > 0) return
      for (const resolve of this.#waiting.splice(0)) resolve()
    }
  }

  quiet(): Promise<void> {
    if (this.#reads === 0) return Promise.resolve()
    return new Promise((resolve) => {
      const cancel = this.#clock.setTimer(MOST_MS, resolve)
      this.#waiting.push(() => {
        cancel()
        resolve()
      })
    })
  }
}
