import { createServer, type Server } from 'node:http'
import { WebSocket, type RawData } from 'ws'
import type { ServerServices } from '../../../server/http/services.ts'
import { conversationReads } from '../../../server/nouns/conversation/queries.ts'
import { openLive, type Live } from '../../../server/live/live.ts'
import { jsonIn, type Json } from './people.ts'

export async function listening(
  services: ServerServices,
  ticks?: () => number,
): Promise<{ live: Live; port: number; stop(this: void): Promise<void> }> {
  const server: Server = createServer()
  const live = await openLive(services, conversationReads, ticks)
  live.attach(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const { port } = address
  return {
    live,
    port,
    async stop() {
      await live.close()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export interface Client {
  readonly socket: WebSocket
  readonly frames: Json[]
  /** Resolves with the close code, or the HTTP status of a refused upgrade. */
  readonly closed: Promise<number>
  send(frame: unknown): void
  until(fits: (frame: Json) => boolean): Promise<Json>
  events(): string[]
}

export function connect(
  port: number,
  query: Record<string, string>,
  headers: Record<string, string> = {},
): Client {
  const socket = new WebSocket(
    `ws://127.0.0.1:${port}/ws/notifications/?${new URLSearchParams(query).toString()}`,
    { headers },
  )
  const frames: Json[] = []
  const waiting = new Set<() => void>()
  socket.on('message', (data) => {
    frames.push(jsonIn(textOf(data)))
    for (const look of waiting) look()
  })
  const closed = new Promise<number>((resolve) => {
    socket.on('close', (code) => resolve(code))
    socket.on('unexpected-response', (request, response) => {
      resolve(response.statusCode ?? 0)
      request.destroy()
    })
    socket.on('error', () => undefined)
  })
  return {
    socket,
    frames,
    closed,
    send: (frame) =>
      socket.send(
        typeof frame === 'string' || frame instanceof Uint8Array ? frame : JSON.stringify(frame),
      ),
    until: (fits) =>
      new Promise((resolve) => {
        const look = () => {
          const found = frames.find(fits)
          if (found === undefined) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      }),
    events: () => frames.flatMap((frame) => (frame.event === undefined ? [] : [frame.event])),
  }
}

export const textOf = (data: RawData): string => (Buffer.isBuffer(data) ? data.toString() : '')
