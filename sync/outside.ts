/** All that is not ours: clock, luck, network, tabs. The real one is workers/browser.ts; the simulation hands in values. */
export interface Outside {
  /** ms since 1970, of the phone's clock: it may jump, and is never trusted for order between people. */
  now(): number
  /** Calls back after so many ms, whatever the clock says; the answer cancels. */
  setTimer(ms: number, what: () => void): () => void
  /** In [0, 1). */
  random(): number
  /** A UUIDv7. */
  newId(): string
  /** Rejects when no answer came; never follows a redirect, never uses a cache. */
  fetch(request: WireRequest): Promise<WireAnswer>
  /** Opens a socket to a path with query, such as `/ws/notifications/?token=…`. */
  openSocket(path: string, hears: SocketCallbacks): SocketConnection
  /**
   * Holds a lock of this origin while `work` runs; resolves with its answer. `steal` takes it from a holder, whose
   * `lost` is then aborted; `ifFree` answers null at once when it is held.
   */
  lock<T>(
    name: string,
    how: 'wait' | 'ifFree' | 'steal',
    work: (lost: AbortSignal) => Promise<T>,
    giveUp?: AbortSignal,
  ): Promise<T | null>
  /** Tells the other tabs and the service worker; what one tells one does not hear. */
  channel(name: string, hear: (message: unknown) => void): Channel
  /** Asks for a Background Sync where there is one. */
  askBackground(): void
  /** Throws away what can be fetched again and takes much room: cached pictures. */
  freeSpace(): Promise<void>
  estimate(): Promise<{ readonly usage: number; readonly quota: number }>
}

export interface WireRequest {
  readonly method: string
  /** From the root, such as `/api/listings/?page=2`. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | FormData | null
  readonly signal: AbortSignal
  /** Called, where the platform tells, as the body leaves: so many bytes of it, and whether that is all. */
  readonly onUploadProgress?: (bytes: number, all: boolean) => void
}

export interface WireAnswer {
  /** 0: a redirect, which our server never answers. */
  readonly status: number
  header(name: string): string | null
  /** The body, read to its end; rejects when it is cut. */
  text(): Promise<string>
  /** What came over the air, in bytes; known once the body was read. */
  bytes(): number
}

export interface SocketCallbacks {
  onOpen(): void
  onMessage(text: string): void
  onClose(code: number): void
}

export interface SocketConnection {
  send(text: string): void
  close(code?: number): void
}

export interface Channel {
  post(message: unknown): void
  close(): void
}
