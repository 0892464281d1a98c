import type { Outside } from '../outside.ts'
import { Timer } from '../within.ts'
import { reconnectIn } from './backoff.ts'
import {
  doubtful,
  type Evidence,
  type NetworkState,
  type NetworkObservation,
  unknownYet,
  usable,
  weigh,
} from './evidence.ts'

export interface WatchCallbacks {
  /** Sends one small request; its observations arrive through `observe`. */
  probe(): Promise<void>
  changed(network: NetworkState): void
  /** The network works again after it was doubtful. */
  online(): void
  /** An answer that shows that the server works. */
  serverAnswered(): void
}

/** Tracks the network state, and probes while it is doubtful and the app is visible. */
export class NetworkWatch {
  readonly #outside: Outside
  readonly #callbacks: WatchCallbacks
  #evidence: Evidence = unknownYet
  #browserEvents = 0
  #attempt = 0
  #awake = true
  #closed = false
  readonly #timer: Timer
  #probing = false

  constructor(outside: Outside, callbacks: WatchCallbacks) {
    this.#outside = outside
    this.#callbacks = callbacks
    this.#timer = new Timer(outside)
  }

  get usable(): boolean {
    return usable(this.#evidence.network)
  }

  /** Number of online/offline events of the browser so far. */
  get browserEvents(): number {
    return this.#browserEvents
  }

  observe(observation: NetworkObservation): void {
    const before = this.#evidence
    this.#evidence = weigh(before, observation)
    if (observation.kind === 'browser') this.#browserEvents = observation.at
    if (observation.kind === 'answered' && !doubtful(this.#evidence)) this.#attempt = 0
    if (before.network !== this.#evidence.network) this.#callbacks.changed(this.#evidence.network)
    if (doubtful(before) && !doubtful(this.#evidence)) this.#callbacks.online()
    if (observation.kind === 'answered' && observation.server === 'works')
      this.#callbacks.serverAnswered()
    if (observation.kind === 'browser' && observation.online && doubtful(before)) {
      this.#attempt = 0
      this.#scheduleProbe(0)
    } else if (!doubtful(this.#evidence)) this.#timer.stop()
    else this.#probeLater()
  }

  /** Visible, or hidden only recently. A hidden app does not probe, to save data. */
  awake(awake: boolean): void {
    this.#awake = awake
    if (!awake) this.#timer.stop()
    else if (doubtful(this.#evidence)) {
      this.#attempt = 0
      this.#scheduleProbe(0)
    }
  }

  close(): void {
    this.#closed = true
    this.#timer.stop()
  }

  #probeLater(): void {
    if (!this.#timer.isRunning)
      this.#scheduleProbe(reconnectIn(this.#attempt, this.#outside.random()))
  }

  #scheduleProbe(ms: number): void {
    if (this.#awake && !this.#closed) this.#timer.start(ms, () => void this.#probe())
  }

  async #probe(): Promise<void> {
    if (this.#probing) return
    this.#probing = true
    this.#attempt += 1
    try {
      await this.#callbacks.probe()
    } finally {
      this.#probing = false
      if (doubtful(this.#evidence)) this.#probeLater()
    }
  }
}
