import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as v from 'valibot'
import { Gathering } from './gathering.ts'

const address = v.object({ port: v.number() })

let server: Server
let peer: Socket
let socket: Gathering
/** What the other side received, chunk by chunk. */
const got: string[] = []
beforeEach(async () => {
  got.length = 0
  server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const taken = new Promise<Socket>((resolve) => server.once('connection', resolve))
  socket = new Gathering()
  socket.setNoDelay(true)
  socket.connect(v.parse(address, server.address()).port, '127.0.0.1')
  peer = await taken
  peer.on('data', (bytes) => got.push(bytes.toString()))
})
afterEach(async () => {
  socket.destroy()
  server.close()
  await once(server, 'close')
})

function say(text: string): void {
  socket.cork()
  socket.write(text)
  socket.uncork()
}

test('writes of one event loop iteration are sent together, those of the next one too', async () => {
  say('begin;')
  say('select;')
  await expect.poll(() => got).toEqual(['begin;select;'])
  say('commit;')
  await expect.poll(() => got).toEqual(['begin;select;', 'commit;'])
})

test('it closes when it ends in the same iteration as a write', async () => {
  say('begin;')
  await expect.poll(() => got).toEqual(['begin;'])
  const closed = once(socket, 'close')
  socket.resume()
  // like the end of the peer once it was read
  say('select;')
  socket.end()
  await closed
  expect(got.join('')).toBe('begin;select;')
})
