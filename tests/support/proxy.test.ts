import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Proxy } from './proxy.ts'

let asked = 0
const server = createServer((_request, response) => {
  asked += 1
  response.end('x'.repeat(50_000))
})
let proxy: Proxy

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  proxy = await new Proxy(address.port).listen()
})
afterAll(async () => {
  await proxy.close()
  server.closeAllConnections()
  server.close()
})

const get = async () => (await fetch(proxy.url, { headers: { connection: 'close' } })).text()

test('passes, cuts, serves a captive page and passes again', async () => {
  proxy.set('pass')
  expect(await get()).toHaveLength(50_000)
  proxy.set('cut')
  await expect(get()).rejects.toThrow()
  proxy.set('captive')
  expect(await get()).toContain('Wi-Fi')
  proxy.set('pass')
  expect(await get()).toHaveLength(50_000)
})

test('loses the answer after the server has the request', async () => {
  proxy.set('lose-answers')
  const before = asked
  await expect(get()).rejects.toThrow()
  expect(asked).toBe(before + 1)
  proxy.set('pass')
})

test('fails the chosen calls with 500 after their whole body, and passes others', async () => {
  const post = async (path: string) => {
    const { status } = await fetch(proxy.url + path, { method: 'POST', body: 'x'.repeat(300_000) })
    return status
  }
  proxy.failCalls(/^POST \/api\/a /)
  const before = asked
  proxy.count()
  expect(await post('/api/a')).toBe(500)
  expect(proxy.count().sent).toBeGreaterThan(300_000)
  expect([asked, proxy.failed]).toEqual([before, 1])
  expect(await post('/api/b')).toBe(200)
  proxy.failCalls(null)
  expect(await post('/api/a')).toBe(200)
  expect(proxy.failed).toBe(1)
})

test('cuts at the exact byte, and counts no more', async () => {
  proxy.set('pass')
  proxy.count()
  const cut = proxy.cutAfter(1000)
  await expect(
    fetch(proxy.url, {
      method: 'POST',
      body: 'x'.repeat(20_000),
      headers: { connection: 'close' },
    }),
  ).rejects.toThrow()
  await cut
  expect(proxy.count().sent).toBe(1000)
  proxy.set('pass')
  expect(await get()).toHaveLength(50_000)
})

test('blocks upgrades and lets other requests pass', async () => {
  proxy.set('pass')
  const upgrade = async (signal: AbortSignal | null = null): Promise<number> =>
    (await fetch(`${proxy.url}/ws/notifications/`, { headers: { connection: 'close' }, signal }))
      .status
  proxy.sockets('refuse')
  expect(await upgrade()).toBe(403)
  proxy.sockets('hang')
  await expect(upgrade(AbortSignal.timeout(500))).rejects.toThrow()
  expect(await get()).toHaveLength(50_000)
  proxy.sockets('pass')
  expect(await upgrade()).toBe(200)
})
