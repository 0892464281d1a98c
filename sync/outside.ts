/** All that is not ours: clock, luck, network, tabs. The real one is workers/browser.ts; the simulation hands in values. */
export interface Outside {
  /** ms since 1970, of the phone's clock: never trusted for order between people. */
  now(): number
  /** Calls back after so many ms; the answer cancels. */
  later(ms: number, what: () => void): () => void
  /** In [0, 1). */
  random(): number
  /** A UUIDv7. */
  newId(): string
  fetch(request: Request): Promise<Response>
  /** Opens a socket to a path with query, such as `/ws/notifications/?token=…`. */
  dial(path: string, hears: SocketHears): Dialled
  /**
   * Holds a lock of this origin while `work` runs; resolves with its answer. `steal` takes it from a holder,
   * `ifFree` answers null at once when it is held.
   */
  lock<T>(name: string, how: 'wait' | 'ifFree' | 'steal', work: (lost: AbortSignal) => Promise<T>): Promise<T | null>
  /** Tells the other tabs and the service worker. */
  channel(name: string, hear: (message: unknown) => void): Channel
  /** Asks for a Background Sync where there is one. */
  askBackground(): void
  estimate(): Promise<{ readonly usage: number; readonly quota: number }>
}

export interface SocketHears {
  opened(): void
  heard(text: string): void
  closed(code: number): void
}

export interface Dialled {
  say(text: string): void
  close(code?: number): void
}

export interface Channel {
  tell(message: unknown): void
  close(): void
}
