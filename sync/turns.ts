import { TRANSACTION_MS } from '#schema/limits'
import { Late, within, type SetTimer } from './within.ts'

/** WebKit blocks a database when a worker ends with two open transactions (decision 116). */
export class Turns {
  readonly #setTimer: SetTimer
  #last: Promise<unknown> = Promise.resolve()

  constructor(setTimer: SetTimer) {
    this.#setTimer = setTimer
  }

  take<T>(work: () => Promise<T>) {
    const taken = this.#last.then(() => this.#inTime(work()))
    this.#last = taken.catch(() => undefined)
    return taken
  }

  /** In two halves: after a suspension one timer is late, not the transaction. */
  #inTime<T>(work: Promise<T>) {
    const half = () => within(this.#setTimer, TRANSACTION_MS / 2, work)
    return half().catch((error: unknown) => {
      if (error instanceof Late) return half()
      throw error
    })
  }
}

/** Calls made before a run begins share it, and resolve with it. */
export function coalesced(work: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve()
  let coming: Promise<void> | null = null
  const begin = () => {
    coming = null
    return work()
  }
  return () => (coming ??= last = last.then(begin, begin))
}
