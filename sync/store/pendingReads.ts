import type { Clock } from './pace.ts'

/** A flood of writes must not keep a status back for longer. */
const MOST_MS = 300

/** Counts the reads under way for live answers, so that a status is not told before the rows it speaks of. */
export class PendingReads {
  readonly #clock: Clock
  #reads = 0
  #waiting: (() => void)[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** A read begins; the answer ends it, once. */
  begin(): () => void {
    this.#reads++
    let under = true
    return () => {
      if (!under) return
      under = false
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
