import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { ConfigError, type Config } from '../config.ts'
import { refuseConnection } from './client-error.ts'
import type { Bindings } from './mount.ts'

type Fetch = (request: Request, bindings: Bindings) => Response | Promise<Response>

/** On every response (API.md 1.1), whoever makes it. */
const EVERYWHERE = [
  ['Cache-Control', 'no-store'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
] as const

/**
 * Opens the port; requests wait for `app`. Slow senders are cut: 10 s for the headers, ten minutes for the largest upload,
 * and a connection that is silent for a minute meanwhile (API.md 1.2).
 */
export async function listen({ port, host }: Config, app: Promise<Fetch>): Promise<Server> {
  const server = createServer({ maxHeaderSize: 16 * 1024, headersTimeout: 10_000, requestTimeout: 600_000, keepAliveTimeout: 65_000, connectionsCheckingInterval: 5000 })
  server.setTimeout(60_000)
  server.on('clientError', refuseConnection)
  // a peer may reset its connection at any moment, also where neither the server nor the route listens
  server.on('connection', (socket) => socket.on('error', () => undefined))
  const answer = getRequestListener(async (request, bindings) => (await app)(request, bindings), { hostname: 'localhost', overrideGlobalObjects: false })
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
    throw new ConfigError(`PORT ${port} on HOST ${host} cannot be used: ${error instanceof Error ? error.message : 'unknown'}`)
  }
  // one connection that could not be taken, as without memory: the next one is
  server.on('error', () => undefined)
  return server
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
