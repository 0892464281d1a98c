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
  /** Sends one small request; its observations arrive through `sign`. */
  probe(): Promise<void>
  changed(network: NetworkState, since: number): void
  /** The network works again after it was doubtful. */
  online(): void
  proof(): void
}

/** Tracks the network state, and probes while it is doubtful and the app is visible. */
export class NetworkWatch {
  readonly #outside: Outside
  readonly #hears: WatchCallbacks
  #evidence: Evidence = unknownYet
  #words = 0
  #attempt = 0
  #awake = true
  #closed = false
  #cancel: (() => void) | null = null
  #probing = false

  constructor(outside: Outside, hears: WatchCallbacks) {
    this.#outside = outside
    this.#hears = hears
  }

  get network(): NetworkState {
    return this.#evidence.network
  }

  get usable(): boolean {
    return usable(this.#evidence.network)
  }

  /** Number of online/offline events of the browser so far. */
  get words(): number {
    return this.#words
  }

  sign(sign: NetworkObservation): void {
    const before = this.#evidence
    this.#evidence = weigh(before, sign)
    if (sign.kind === 'browser') this.#words = sign.at
    if (sign.kind === 'answered' && !doubtful(this.#evidence)) this.#attempt = 0
    if (before.network !== this.#evidence.network)
      this.#hears.changed(this.#evidence.network, this.#outside.now())
    if (doubtful(before) && !doubtful(this.#evidence)) this.#hears.online()
    if (sign.kind === 'answered' && sign.server === 'works') this.#hears.proof()
    if (sign.kind === 'browser' && sign.online && doubtful(before)) {
      this.#attempt = 0
      this.#plan(0)
    } else if (!doubtful(this.#evidence)) this.#stop()
    else if (!this.#cancel) this.#plan(reconnectIn(this.#attempt, this.#outside.random()))
  }

  /** Visible, or hidden only recently. A hidden app does not probe, to save data. */
  awake(awake: boolean): void {
    this.#awake = awake
    if (!awake) this.#stop()
    else if (doubtful(this.#evidence)) {
      this.#attempt = 0
      this.#plan(0)
    }
  }

  close(): void {
    this.#closed = true
    this.#stop()
  }

  #plan(ms: number): void {
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
      await this.#hears.probe()
    } finally {
      this.#probing = false
      if (doubtful(this.#evidence) && !this.#cancel)
        this.#plan(reconnectIn(this.#attempt, this.#outside.random()))
    }
  }

  #stop(): void {
    this.#cancel?.()
    this.#cancel = null
  }
}
