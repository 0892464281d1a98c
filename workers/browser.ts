import { PICTURES } from '#schema/port/service'
import type { SocketConnection, Outside, SocketCallbacks } from '#sync/outside'
import { newId } from './newId.ts'

export function browserOutside(
  askBackground: () => void,
  upload?: () => Promise<Outside['upload']>,
): Outside {
  return {
    now: () => Date.now(),
    setTimer(ms, what) {
      const timer = setTimeout(what, ms)
      return () => clearTimeout(timer)
    },
    random: () => Math.random(),
    newId,
    origin: ORIGIN,
    fetch: (request, { signal }) => fetch(request, { signal }),
    async upload(request, sending) {
      // Without the chunk there is no progress.
      const send = await upload?.().catch(() => undefined)
      if (send) return send(request, sending)
      const { signal, form } = sending
      return fetch(request, { method: request.method, signal, body: form })
    },
    measure() {
      const began = performance.now()
      return (url) => transferred(url, began)
    },
    openSocket,
    async lock(name, how, work, giveUp) {
      const lost = new AbortController()
      const options = {
        steal: how === 'steal',
        ifAvailable: how === 'ifFree',
        ...(how === 'wait' && giveUp && { signal: giveUp }),
      }
      try {
        return await navigator.locks.request(name, options, (lock) =>
          lock ? work(lost.signal) : null,
        )
      } catch (error) {
        lost.abort()
        throw error
      }
    },
    channel(name, listener) {
      const channel = new BroadcastChannel(name)
      channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => listener(data))
      return { post: (message) => channel.postMessage(message), close: () => channel.close() }
    },
    askBackground,
    /** By entry: Chromium frees a deleted cache only when no handle of it is open. */
    async freeSpace() {
      const pictures = await caches.open(PICTURES)
      const kept = await pictures.keys()
      await Promise.all(kept.map((one) => pictures.delete(one)))
    },
    async estimate() {
      // Safari before 17 has no estimate, and some WebKit builds no interface in workers.
      const storage: Partial<StorageManager> | undefined = navigator.storage
      const { usage = 0, quota = 0 } = (await storage?.estimate?.()) ?? {}
      return { usage, quota }
    },
  }
}

function transferred(address: string, began: number) {
  const entry = performance
    .getEntriesByName(address, 'resource')
    .find(({ startTime }) => startTime >= began)
  // Browsers buffer 250 entries.
  if (performance.getEntriesByType('resource').length > TIMINGS) performance.clearResourceTimings()
  return entry instanceof PerformanceResourceTiming && entry.transferSize > 0
    ? entry.transferSize + HEADERS_BYTES
    : null
}

const TIMINGS = 200
/** `transferSize` counts 300 bytes of headers (Resource Timing 3); the API's are this much longer. */
const HEADERS_BYTES = 270

function openSocket(path: string, callbacks: SocketCallbacks): SocketConnection {
  const socket = new WebSocket(new URL(path, ORIGIN.replace(/^http/, 'ws')))
  socket.addEventListener('open', () => callbacks.onOpen())
  socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'string') callbacks.onMessage(data)
  })
  socket.addEventListener('close', ({ code }) => callbacks.onClose(code))
  return {
    send: (text) => socket.send(text),
    close: (code = 1000) => socket.close(code),
  }
}

/** [SURFACE 1] */
const root: unknown = import.meta.env['VITE_API_ROOT']
const ORIGIN = new URL(typeof root === 'string' ? root : '/', self.location.href).origin
