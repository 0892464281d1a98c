import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newToken } from '../route/token.ts'
import { testServer, type TestServer } from '../../tests/server/support/server.ts'
import { connect, listening } from '../../tests/server/support/socketClient.ts'
import { person } from '../../tests/server/support/people.ts'

vi.setConfig({ testTimeout: 60_000 })

let server: TestServer
let port: number
let stop: (this: void) => Promise<void>
let now = new Date('2026-11-21T12:00:00Z')
beforeAll(async () => {
  server = await testServer([], { RATE_LIMITS: 'on', TRUST_PROXY: '1' }, { clock: () => now })
  ;({ port, stop } = await listening(server.services))
})
afterAll(async () => {
  await stop()
  await server.close()
})

test('[A9] a handshake counts by token and by network before any query; then 4429', async () => {
  const read = vi.spyOn(server.services.database.db, 'getExecutor')
  const dial = (token: string, from = '196.28.1.1') =>
    connect(port, { token }, { 'X-Forwarded-For': from }).closed
  const token = newToken()
  for (let n = 0; n < 60; n += 1) expect(await dial(token)).toBe(4401)
  const looked = read.mock.calls.length
  expect(looked).toBeGreaterThan(0)
  expect(await dial(token)).toBe(4429)
  expect(read.mock.calls.length).toBe(looked)
  expect(await dial(newToken())).toBe(4401)
  // a minute later the limit has room again, and a valid token is accepted
  now = new Date(now.getTime() + 61_000)
  const ama = await person(server, 'ama')
  const client = connect(port, { token: ama.token }, { 'X-Forwarded-For': '196.28.1.1' })
  await client.until((frame) => frame.type === 'hello')
  client.socket.close()
  read.mockRestore()
})
