import type { World } from './world.ts'

/** A tab's data worker or the service worker. It can be frozen, and killed at any step. */
export class Realm {
  readonly #world: World
  #alive = true
  #frozen = false
  #held: (() => void)[] = []

  constructor(world: World) {
    this.#world = world
  }

  get alive(): boolean {
    return this.#alive
  }

  get frozen(): boolean {
    return this.#frozen
  }

  /** Nothing of it runs any more, and pending waits never resolve. */
  kill(): void {
    this.#alive = false
    this.#held = []
  }

  freeze(): void {
    this.#frozen = true
  }

  thaw(): void {
    this.#frozen = false
    for (const what of this.#held.splice(0)) this.after(0, what)
  }

  maybe(probability: number): boolean {
    return this.#world.maybe(probability)
  }

  after(ms: number, what: () => void): () => void {
    let cancelled = false
    // A callback that came due while frozen can still be cancelled before it runs.
    const cancel = this.#world.after(ms, () => this.#go(() => cancelled || what()))
    return () => {
      cancelled = true
      cancel()
    }
  }

  /** One await; the realm may be killed between two of them. */
  step(ms = 0): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve))
  }

  #go(what: () => void): void {
    if (!this.#alive) return
    if (this.#frozen) this.#held.push(what)
    else what()
  }
}
