/**
 * Platform services: clock, random numbers, network, tabs. Implemented by workers/browser.ts, and
 * by the simulation.
 */
export interface Outside {
  /**
   * ms since 1970. The device clock may jump, so never use it to order events of different users.
   */
  now(): number
  /** Monotonic timer in ms; the returned function cancels it. */
  setTimer(ms: number, what: () => void): () => void
  /** In [0, 1). */
  random(): number
  /** A UUIDv7. */
  newId(): string
  /** Rejects when no answer arrives. Never follows redirects, never uses a cache. */
  fetch(request: WireRequest): Promise<WireAnswer>
  /** Opens a WebSocket to a path with query, such as `/ws/notifications/?token=…`. */
  openSocket(path: string, callbacks: SocketCallbacks): SocketConnection
  /**
   * Runs `work` under a Web Lock of this origin. `steal` takes it from its holder, whose `lost` is
   * aborted; `ifFree` resolves with null at once when it is taken.
   */
  lock<T>(
    name: string,
    how: 'wait' | 'ifFree' | 'steal',
    work: (lost: AbortSignal) => Promise<T>,
    giveUp?: AbortSignal,
  ): Promise<T | null>
  /**
   * Broadcasts to other tabs and the service worker; a sender does not receive its own messages.
   */
  channel(name: string, onMessage: (message: unknown) => void): Channel
  askBackground(): void
  /** Deletes large data that can be fetched again: cached pictures. */
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
  /** Upload progress where supported: bytes sent so far, and whether that is all. */
  readonly onUploadProgress?: (bytes: number, all: boolean) => void
}

export interface WireAnswer {
  /** 0: a redirect, which our server never sends. */
  readonly status: number
  header(name: string): string | null
  /** The full body; rejects when the connection breaks. */
  text(): Promise<string>
  /** Bytes received over the network; known after the body was read. */
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
