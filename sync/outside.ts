/** Implemented by workers/browser.ts, and by the simulation. */
export interface Outside {
  /** ms since 1970. It may jump: never order events of different users by it. */
  now(): number
  /** Monotonic; the returned function cancels it. */
  setTimer(ms: number, what: () => void): () => void
  random(): number
  /** A UUIDv7. */
  newId(): string
  readonly origin: string
  fetch(request: Request, init: { readonly signal: AbortSignal }): Promise<Response>
  /** `fetch` with a form as the body, which is not in the request. */
  upload(request: Request, sending: Upload): Promise<Response>
  /**
   * Before a request. The returned function gives the bytes received from `url` since; null:
   * unknown.
   */
  measure(): (url: string) => number | null
  openSocket(path: string, callbacks: SocketCallbacks): SocketConnection
  /**
   * A Web Lock. `steal` aborts its holder's `lost`; `ifFree` resolves with null when it is taken.
   */
  lock<T>(
    name: string,
    how: 'wait' | 'ifFree' | 'steal',
    work: (lost: AbortSignal) => Promise<T>,
    giveUp?: AbortSignal,
  ): Promise<T | null>
  channel(name: string, onMessage: (message: unknown) => void): Channel
  askBackground(): void
  /** Deletes what can be fetched again: cached pictures. */
  freeSpace(): Promise<void>
  estimate(): Promise<{ readonly usage: number; readonly quota: number }>
}

export interface Upload {
  readonly signal: AbortSignal
  readonly form: FormData
  /** Where supported: bytes sent so far, and whether that is all. */
  progress(bytes: number, all: boolean): void
}

export interface SocketCallbacks {
  onOpen(): void
  onMessage(text: string): void
  onClose(code: number): void
}

export interface SocketConnection {
  send(text: string): void
  close(): void
}

export interface Channel {
  post(message: unknown): void
  close(): void
}
