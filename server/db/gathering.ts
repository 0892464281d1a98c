import { Socket } from 'node:net'

/**
 * Combines the writes of one event loop iteration, such as BEGIN and the first statement: the
 * system call costs the process more than the query. The driver corks around each query.
 */
export class Gathering extends Socket {
  #isGathering = false

  /**
   * `uncork` stays Node's own: a socket that ends must flush at once, or it never closes
   * (docs/decisions/125).
   */
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
