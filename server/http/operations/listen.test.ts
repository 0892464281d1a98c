import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { listen, portOf } from './listen.ts'

const PATIENCE = { headersMs: 300, requestMs: 60_000, silenceMs: 300, keptMs: 300, lookMs: 50 }
/** Longer than each of them, with the second that Node adds to `keptMs`. */
const STOOD_MS = 2500

/**
 * Blocks the event loop, as a stopped process does, while the peer sends: timers fire before reads.
 */
async function standStill(peer: Socket, sent: string): Promise<void> {
  await turn()
  peer.write(sent)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STOOD_MS)
}

let server: Server
const sockets: Socket[] = []
beforeEach(async () => {
  const config = { ...readConfig({}), port: 0, host: '127.0.0.1' }
  const length = async (request: Request): Promise<Response> =>
    new Response(`read ${(await request.arrayBuffer()).byteLength}`)
  server = await listen(config, Promise.resolve(length), PATIENCE)
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server.close()
  await once(server, 'close')
})

async function connected(): Promise<{
  socket: Socket
  received: () => string
  closed: Promise<unknown>
}> {
  const taken = once(server, 'connection')
  const socket = connect(portOf(server), '127.0.0.1')
  sockets.push(socket)
  let text = ''
  socket.on('data', (chunk) => (text += chunk.toString()))
  socket.on('error', () => undefined)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await Promise.all([taken, once(socket, 'connect')])
  return { socket, received: () => text, closed }
}

const read = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
const write = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2000\r\n\r\n'

describe('a process that was stopped answers what was sent meanwhile', () => {
  test('over a new connection', async () => {
    const { socket, received } = await connected()
    await standStill(socket, read)
    await expect.poll(received).toMatch(/^HTTP\/1.1 200 [^]*read 0$/)
  })

  test('over a kept-alive connection', async () => {
    const { socket, received } = await connected()
    socket.write(read)
    await expect.poll(received).toMatch(/read 0$/)
    await standStill(socket, write + 'x'.repeat(2000))
    await expect.poll(received).toMatch(/read 0HTTP\/1.1 200 [^]*read 2000$/)
  })

  test('in the middle of a body', async () => {
    const { socket, received } = await connected()
    const begun = once(server, 'request')
    socket.write(write)
    await begun
    await standStill(socket, 'x'.repeat(2000))
    await expect.poll(received).toMatch(/^HTTP\/1.1 200 [^]*read 2000$/)
  })

  test('but closes connections that sent nothing', async () => {
    const fresh = await connected()
    const half = await connected()
    const begun = once(server, 'request')
    half.socket.write(write)
    await begun
    await standStill(half.socket, '')
    await Promise.all([fresh.closed, half.closed])
    expect([fresh.received().split('\r\n')[0], half.received()]).toEqual([
      'HTTP/1.1 408 Request Timeout',
      '',
    ])
  })
})

describe('a running process closes', () => {
  test('connections with endless headers, however often bytes arrive', async () => {
    const { socket, received, closed } = await connected()
    socket.write(read.slice(0, -2))
    const trickle = setInterval(() => socket.write('X: 1\r\n'), 1)
    await closed
    clearInterval(trickle)
    // bytes that arrive after the end reset the connection and may discard the response
    expect(received()).toMatch(/^(?:HTTP\/1.1 408 |$)/)
  })

  test('connections without bytes in a body or between two calls', async () => {
    const [half, kept] = [await connected(), await connected()]
    half.socket.write(write)
    kept.socket.write(read)
    await Promise.all([half.closed, kept.closed])
    expect(kept.received()).toMatch(/read 0$/)
  })
})
