import { PICTURES } from '#schema/port/service'
import type {
  SocketConnection,
  Outside,
  SocketCallbacks,
  WireAnswer,
  WireRequest,
} from '#sync/outside'
import { newId } from './newId.ts'

type Upload = (address: string, request: WireRequest) => Promise<WireAnswer>

export function browserOutside(askBackground: () => void, upload?: () => Promise<Upload>): Outside {
  return {
    now: () => Date.now(),
    setTimer(ms, what) {
      const timer = setTimeout(what, ms)
      return () => clearTimeout(timer)
    },
    random: () => Math.random(),
    newId,
    async fetch(what) {
      // If the chunk fails to load, the form is sent without progress.
      const send =
        what.body instanceof FormData ? await upload?.().catch(() => undefined) : undefined
      return send ? send(new URL(what.path, ORIGIN).href, what) : request(what)
    },
    openSocket: dial,
    async lock(name, how, work, giveUp) {
      const options: LockOptions =
        how === 'steal'
          ? { steal: true }
          : how === 'ifFree'
            ? { ifAvailable: true }
            : giveUp
              ? { signal: giveUp }
              : {}
      return hold(name, options, work)
    },
    channel(name, listener) {
      const channel = new BroadcastChannel(name)
      channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => listener(data))
      return { post: (message) => channel.postMessage(message), close: () => channel.close() }
    },
    askBackground,
    freeSpace: freeRoom,
    async estimate() {
      // Safari before 17 has no estimate, and some WebKit builds no interface in workers: 0 of 0.
      const storage: Partial<StorageManager> | undefined = navigator.storage
      const { usage = 0, quota = 0 } = (await storage?.estimate?.()) ?? {}
      return { usage, quota }
    },
  }
}

/**
 * One entry at a time: Chromium frees a deleted cache only when no handle is open, but an entry at
 * once.
 */
async function freeRoom(): Promise<void> {
  const pictures = await caches.open(PICTURES)
  const kept = await pictures.keys()
  await Promise.all(kept.map((one) => pictures.delete(one)))
}

async function hold<T>(
  name: string,
  options: LockOptions,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T | null> {
  const lost = new AbortController()
  try {
    return await navigator.locks.request(name, options, (lock) => (lock ? work(lost.signal) : null))
  } catch (error) {
    // Another tab stole the lock: its holder must stop at once.
    lost.abort()
    throw error
  }
}

async function request({ method, path, headers, body, signal }: WireRequest): Promise<WireAnswer> {
  const address = new URL(path, ORIGIN).href
  const began = performance.now()
  const answer = await fetch(address, {
    method,
    headers,
    body,
    signal,
    redirect: 'manual',
    cache: 'no-store',
    credentials: 'omit',
  })
  let length = 0
  return {
    status: answer.status,
    header: (name) => answer.headers.get(name),
    async text() {
      const text = await answer.text()
      length = transferred(address, began) ?? new TextEncoder().encode(text).length
      return text
    },
    bytes: () => length,
  }
}

function transferred(address: string, began: number): number | null {
  const entry = performance
    .getEntriesByName(address, 'resource')
    .find(({ startTime }) => startTime >= began)
  // Browsers buffer 250 entries; concurrent calls look among the last.
  if (performance.getEntriesByType('resource').length > TIMINGS) performance.clearResourceTimings()
  return entry instanceof PerformanceResourceTiming && entry.transferSize > 0
    ? entry.transferSize + HEADERS_BYTES
    : null
}

const TIMINGS = 200
/**
 * `transferSize` counts 300 bytes for response headers (Resource Timing 3); the API's are this much
 * longer.
 */
const HEADERS_BYTES = 270

function dial(path: string, hears: SocketCallbacks): SocketConnection {
  const socket = new WebSocket(new URL(path, ORIGIN.replace(/^http/, 'ws')))
  socket.addEventListener('open', () => hears.onOpen())
  socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'string') hears.onMessage(data)
  })
  socket.addEventListener('close', ({ code }) => hears.onClose(code))
  return {
    send: (text) => socket.send(text),
    close: (code = 1000) => socket.close(code),
  }
}

/** The API's origin: this one, or the one set at build time [SURFACE 1]. */
const root: unknown = import.meta.env['VITE_API_ROOT']
const ORIGIN = new URL(typeof root === 'string' ? root : '/', self.location.href).origin
