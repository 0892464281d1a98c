import { Socket } from 'node:net'

/**
 * Combines the writes of one event loop iteration: the system call costs more than the query. The
 * driver corks around each query.
 */
export class Gathering extends Socket {
  #isGathering = false

  /**
   * Not `uncork`: a socket that ends must flush at once, or it never closes (docs/decisions/125).
   */
  override cork() {
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
