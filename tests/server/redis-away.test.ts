import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { redisLimiter } from '../../server/http/api/redis-limiter.ts'
import { openRedis, subscribe } from '../../server/redis.ts'
import { redisServer, type RedisServer } from '../support/redis.ts'

const log = pino({ level: 'silent' })
const slot = { key: 'k', window: { count: 1_000_000, seconds: 60 } }

/** Durations of `calls` sequential calls, in ms, sorted. */
async function durations(calls: number, call: () => Promise<unknown>): Promise<number[]> {
  const all: number[] = []
  for (let n = 0; n < calls; n += 1) {
    const began = performance.now()
    await call()
    all.push(performance.now() - began)
  }
  return all.toSorted((a, b) => a - b)
}
/** 90th percentile of 200 calls on a busy machine; breaker.test.ts checks exact times. */
const nineInTen = async (call: () => Promise<unknown>): Promise<number> =>
  (await durations(200, call))[180] ?? Infinity
const PATIENCE_MS = 50

test('a Redis that refuses connections costs a call nothing', async () => {
  const limiter = redisLimiter(await openRedis('redis://127.0.0.1:1', 'limits', log), 'test')
  expect(await nineInTen(() => limiter.take([slot], Date.now()))).toBeLessThan(PATIENCE_MS)
  limiter.close()
})

test('a Redis that accepts connections but never answers costs a call nothing', async () => {
  const taken = new Set<Socket>()
  const mute = createServer((socket) =>
    taken.add(socket.on('error', () => undefined).resume()),
  ).listen(0, '127.0.0.1')
  await once(mute, 'listening')
  const address = mute.address()
  const link = await openRedis(
    `redis://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    'limits',
    log,
  )
  const limiter = redisLimiter(link, 'test')
  expect(await nineInTen(() => limiter.take([slot], Date.now()))).toBeLessThan(PATIENCE_MS)
  expect(link.circuit).not.toBe('closed')
  limiter.close()
  for (const socket of taken) socket.destroy()
  mute.close()
})

describe.skipIf(process.env['REDIS_URL'] === undefined)('a Redis that stops and restarts', () => {
  let server: RedisServer
  beforeAll(async () => {
    server = await redisServer()
  })
  afterAll(() => server.close())

  test('a server that starts without Redis subscribes once it is there, and again after each outage', async () => {
    const received: string[] = []
    let subscriptions = 0
    const subscriber = subscribe(server.url, 'news', {
      message: (text) => received.push(text),
      subscribed: () => (subscriptions += 1),
    })
    const link = await openRedis(server.url, 'news', log)
    for (const round of [1, 2, 3]) {
      await server.start()
      await expect.poll(() => subscriptions).toBe(round)
      await expect
        .poll(() => link.run((redis) => redis.publish('news', `${round}`)).catch(() => 0))
        .toBe(1)
      await expect.poll(() => received).toContain(`${round}`)
      await server.signal('SIGKILL')
    }
    subscriber.close()
    link.close()
  })

  test('a frozen Redis costs the first call 50 ms and others nothing, and counts again once it runs', async () => {
    await server.start()
    const link = await openRedis(server.url, 'limits', log)
    const limiter = redisLimiter(link, 'test')
    await limiter.take([slot], Date.now())
    expect(link.circuit).toBe('closed')
    await server.signal('SIGSTOP')
    const [first] = await durations(1, () => limiter.take([slot], Date.now()))
    expect(first).toBeGreaterThan(PATIENCE_MS - 1)
    // Far above 50 ms for a busy machine: an unlimited call would wait until Redis runs again.
    expect(first).toBeLessThan(30_000)
    expect(await nineInTen(() => limiter.take([slot], Date.now()))).toBeLessThan(PATIENCE_MS)
    await server.signal('SIGCONT')
    await expect.poll(() => link.circuit).toBe('closed')
    limiter.close()
  })
})
