import { Socket } from 'node:net'

/**
 * Sends together what is written in one turn of the event loop, such as the beginning of a transaction with its first
 * statement: the system call of a query costs the process more than the query. The driver corks around each query.
 */
export class Gathering extends Socket {
  #isGathering = false

  /** `uncork` stays Node's own: a socket that ends must be emptied at once, or it never closes (docs/decisions/125). */
  override cork(): void {
    super.cork()
    if (this.#isGathering) return
    this.#isGathering = true
    super.cork()
    setImmediate(() => {
      this.#isGathering = false
      this.uncork()
    })
  }
}
