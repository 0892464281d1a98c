import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import { ConfigError, type Config } from '../config.ts'
import { refuseConnection } from './client-error.ts'
import type { Bindings } from './mount.ts'

type Fetch = (request: Request, bindings: Bindings) => Response | Promise<Response>

/** On every response [API 1.1], whoever makes it. */
const EVERYWHERE = [
  ['Cache-Control', 'no-store'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
] as const

/** How long a sender may take [API 1.2]: for the headers, the largest upload, without a byte, between two calls. */
const PATIENCE = {
  headersMs: 10_000,
  requestMs: 600_000,
  silenceMs: 60_000,
  keptMs: 65_000,
  lookMs: 5000,
}

/** Opens the port; requests wait for `app`. Slow senders are cut. */
export async function listen(
  { port, host }: Config,
  app: Promise<Fetch>,
  patience = PATIENCE,
): Promise<Server> {
  const server = createServer({
    maxHeaderSize: 16 * 1024,
    headersTimeout: patience.headersMs,
    requestTimeout: patience.requestMs,
    keepAliveTimeout: patience.keptMs,
    connectionsCheckingInterval: patience.lookMs,
  })
  server.setTimeout(patience.silenceMs)
  const late = afterStandstill()
  server.on('timeout', (socket) => late(socket, () => socket.destroy()))
  server.on('clientError', (error, socket) => late(socket, () => refuseConnection(error, socket)))
  // a peer may reset its connection at any moment, also where neither the server nor the route listens
  server.on('connection', (socket) => socket.on('error', () => undefined))
  const answer = getRequestListener(async (request, bindings) => (await app)(request, bindings), {
    hostname: 'localhost',
    overrideGlobalObjects: false,
  })
  server.on('request', (incoming, outgoing) => {
    // what an answer does not say itself
    for (const [name, value] of EVERYWHERE) outgoing.setHeader(name, value)
    outgoing.on('error', () => undefined)
    void answer(incoming, outgoing)
  })
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new ConfigError(
      `PORT ${port} on HOST ${host} cannot be used: ${error instanceof Error ? error.message : 'unknown'}`,
    )
  }
  // one connection that could not be taken, as without memory: the next one is
  server.on('error', () => undefined)
  return server
}

const BEAT_MS = 1000

/**
 * Answers how to end a connection whose time is over. After the process stood still its timers come before it has read
 * what its clients sent meanwhile: then only those end that have sent nothing (docs/decisions/124).
 */
function afterStandstill(): (socket: Duplex, end: () => void) => void {
  let beatAt = performance.now()
  let woke = false
  const stood = (): boolean => performance.now() - beatAt > 2 * BEAT_MS
  setInterval(() => {
    woke = stood()
    beatAt = performance.now()
    setImmediate(() => (woke = false))
  }, BEAT_MS).unref()
  return (socket, end) => {
    if (!(woke || stood()) || !(socket instanceof Socket)) return end()
    const { bytesRead } = socket
    setImmediate(() => socket.bytesRead === bytesRead && end())
  }
}

/** Takes no new requests and resolves when those that run are answered; what is not answered within `patienceMs` is cut. */
export async function finishRequests(server: Server, patienceMs: number): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  // a connection that was busy at first would be kept open for its next request
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  const cut = setTimeout(() => server.closeAllConnections(), patienceMs)
  await closed
  clearInterval(sweep)
  clearTimeout(cut)
}

export function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
