import type { Outside } from '../outside.ts'
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
  #cancel: (() => void) | null = null
  #probing = false

  constructor(outside: Outside, callbacks: WatchCallbacks) {
    this.#outside = outside
    this.#callbacks = callbacks
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
    } else if (!doubtful(this.#evidence)) this.#stop()
    else if (!this.#cancel) this.#scheduleProbe(reconnectIn(this.#attempt, this.#outside.random()))
  }

  /** Visible, or hidden only recently. A hidden app does not probe, to save data. */
  awake(awake: boolean): void {
    this.#awake = awake
    if (!awake) this.#stop()
    else if (doubtful(this.#evidence)) {
      this.#attempt = 0
      this.#scheduleProbe(0)
    }
  }

  close(): void {
    this.#closed = true
    this.#stop()
  }

  #scheduleProbe(ms: number): void {
    this.#stop()
    if (!this.#awake || this.#closed) return
    this.#cancel = this.#outside.setTimer(ms, () => {
      this.#cancel = null
      void this.#probe()
    })
  }

  async #probe(): Promise<void> {
    if (this.#probing) return
    this.#probing = true
    this.#attempt += 1
    try {
      await this.#callbacks.probe()
    } finally {
      this.#probing = false
      if (doubtful(this.#evidence) && !this.#cancel)
        this.#scheduleProbe(reconnectIn(this.#attempt, this.#outside.random()))
    }
  }

  #stop(): void {
    this.#cancel?.()
    this.#cancel = null
  }
}
