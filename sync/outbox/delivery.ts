import { coalesced } from '../coalesce.ts'
import type { DeliveryContext, Delivering } from './deliver.ts'

const LOAD_AGAIN_MS = 5000

/**
 * Loads the delivery code lazily: a visitor's only with their first waiting entry, since most first
 * visits write nothing.
 */
export class Delivery {
  readonly #context: DeliveryContext
  readonly #owner: string
  readonly #fence: number
  readonly #load: () => Promise<typeof Delivering>
  #loaded: Delivering | null = null
  #stopped = false
  #cancel: (() => void) | null = null

  constructor(
    context: DeliveryContext,
    owner: string,
    fence: number,
    load: () => Promise<typeof Delivering>,
  ) {
    this.#context = context
    this.#owner = owner
    this.#fence = fence
    this.#load = load
  }

  readonly wake = coalesced(async () => (await this.#ready())?.wake())

  /** Called at each server answer, so it must not load or read anything. */
  async serverAnswered(): Promise<void> {
    await this.#loaded?.serverAnswered()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#cancel?.()
    await this.#loaded?.stop()
  }

  /** null: nothing waits, nothing can be sent, or the code cannot be loaded now. */
  async #ready(): Promise<Delivering | null> {
    if (this.#loaded || this.#stopped || !this.#context.usable()) return this.#loaded
    try {
      // For a signed-in user the code is loaded without looking at the outbox.
      if (this.#owner === '' && !this.#waits()) return this.#loaded
      const Loaded = await this.#load()
      if (!this.#stopped) this.#loaded ??= new Loaded(this.#context, this.#owner, this.#fence)
    } catch (error) {
      console.warn('outbox', error)
      this.#cancel?.()
      if (!this.#stopped)
        this.#cancel = this.#context.outside.setTimer(LOAD_AGAIN_MS, () => void this.wake())
    }
    return this.#loaded
  }

  #waits(): boolean {
    const entries = this.#context.known()?.entries ?? []
    return entries.some(({ owner, state }) => owner === this.#owner && state === 'waiting')
  }
}
