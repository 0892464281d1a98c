import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import { ConfigError, type Config } from '../../config.ts'
import { refuseConnection } from './client-error.ts'
import type { Bindings } from '../api/mount.ts'

type Fetch = (request: Request, bindings: Bindings) => Response | Promise<Response>

/** Defaults for every response [API 1.1]. */
const EVERYWHERE = [
  ['Cache-Control', 'no-store'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
] as const

/** Of a sender [API 1.2]: for the headers, the largest upload, without a byte, between calls. */
const PATIENCE = {
  headersMs: 10_000,
  requestMs: 600_000,
  silenceMs: 60_000,
  keptMs: 65_000,
  lookMs: 5000,
}

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
  // a peer may reset at any moment, also when nothing else listens for errors
  server.on('connection', (socket) => socket.on('error', () => undefined))
  const answer = getRequestListener(async (request, bindings) => (await app)(request, bindings), {
    hostname: 'localhost',
    overrideGlobalObjects: false,
  })
  server.on('request', (incoming, outgoing) => {
    // defaults; the response's own headers override them
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
  // a connection that could not be accepted must not end the process
  server.on('error', () => undefined)
  return server
}

const BEAT_MS = 1000

/**
 * After the process was stopped, timers fire before pending reads: then only silent connections are
 * ended (docs/decisions/124).
 */
function afterStandstill(): (socket: Duplex, end: () => void) => void {
  let beatAt = performance.now()
  let woke = false
  const wasStopped = () => performance.now() - beatAt > 2 * BEAT_MS
  setInterval(() => {
    woke = wasStopped()
    beatAt = performance.now()
    setImmediate(() => (woke = false))
  }, BEAT_MS).unref()
  return (socket, end) => {
    if (!(woke || wasStopped()) || !(socket instanceof Socket)) return end()
    const { bytesRead } = socket
    setImmediate(() => socket.bytesRead === bytesRead && end())
  }
}

/** Those left after `patienceMs` are cut off. */
export async function finishRequests(server: Server, patienceMs: number) {
  const closed = once(server, 'close')
  server.close()
  // a connection that was busy would stay open for its next request
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  const cut = setTimeout(() => server.closeAllConnections(), patienceMs)
  await closed
  clearInterval(sweep)
  clearTimeout(cut)
}

export function portOf(server: Server) {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
