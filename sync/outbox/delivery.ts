import { coalesced } from '../coalesce.ts'
import type { Courier, Delivering } from './deliver.ts'

/** Without its code, or a disk that says what waits, nothing is sent: asked for again after so long. */
const LOAD_AGAIN_MS = 5000

/** A delivery whose code is loaded when it can send: a visitor's with the first entry that waits, since a first visit writes nothing. */
export class Delivery {
  readonly #courier: Courier
  readonly #owner: string
  readonly #fence: number
  readonly #load: () => Promise<typeof Delivering>
  #loaded: Delivering | null = null
  #stopped = false
  #cancel: (() => void) | null = null

  constructor(courier: Courier, owner: string, fence: number, load: () => Promise<typeof Delivering>) {
    this.#courier = courier
    this.#owner = owner
    this.#fence = fence
    this.#load = load
  }

  readonly wake = coalesced(async () => (await this.#ready())?.wake())

  /** At each answer of the server: loads and reads nothing for it. */
  async recovered(): Promise<void> {
    await this.#loaded?.recovered()
  }

  stop(): void {
    this.#stopped = true
    this.#cancel?.()
    this.#loaded?.stop()
  }

  /** null: nothing waits, nothing can be sent, or the code is not to be had now. */
  async #ready(): Promise<Delivering | null> {
    if (this.#loaded || this.#stopped || !this.#courier.usable()) return this.#loaded
    try {
      // The code came with whoever is in.
      if (this.#owner === '' && !(await this.#waits())) return this.#loaded
      const Loaded = await this.#load()
      if (!this.#stopped) this.#loaded ??= new Loaded(this.#courier, this.#owner, this.#fence)
    } catch (error) {
      console.warn('outbox', error)
      this.#cancel?.()
      if (!this.#stopped) this.#cancel = this.#courier.outside.later(LOAD_AGAIN_MS, () => void this.wake())
    }
    return this.#loaded
  }

  async #waits(): Promise<boolean> {
    const { entries } = await this.#courier.table.read()
    return entries.some(({ owner, state }) => owner === this.#owner && state === 'waiting')
  }
}
