import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { pino } from 'pino'
import { addressOf, networkOf } from './clientAddress.ts'
import { countRow, memoryLimiter, type Limiter, type LimitRow } from './limits.ts'
import { openRedis } from '../redis.ts'
import { redisLimiter } from '../http/api/redis-limiter.ts'
import { Refusal } from './refusal.ts'

const silent = pino({ level: 'silent' })
const url = process.env['REDIS_URL']
const shared =
  url === undefined ? null : redisLimiter(await openRedis(url, 'limits', silent), randomUUID())
const limiters: [string, () => Limiter][] = [
  ['in memory', memoryLimiter],
  ...(shared === null ? [] : ([['in Redis', () => shared]] satisfies [string, () => Limiter][])),
]
afterAll(() => shared?.close())

const start = Date.UTC(2026, 0, 1)
const at = (seconds: number) => new Date(start + seconds * 1000)

describe.each(limiters)('[API 1.6] windows %s', (_, make) => {
  const limiter = make()
  const slot = (count: number, seconds: number, key = randomUUID()) => ({
    key,
    window: { count, seconds },
  })

  test('slide: slots become free one by one', async () => {
    const one = slot(2, 60)
    const take = async (second: number) => (await limiter.take([one], at(second).getTime())).wait
    expect([await take(0), await take(50), await take(59), await take(60), await take(61)]).toEqual(
      [0, 0, 1, 0, 49],
    )
  })

  test('a full window counts nothing in the others', async () => {
    const [wide, narrow] = [slot(3, 60), slot(1, 60)]
    expect((await limiter.take([wide, narrow], start)).full).toBeNull()
    for (let n = 0; n < 5; n += 1)
      expect((await limiter.take([wide, narrow], start)).full?.key).toBe(narrow.key)
    expect((await limiter.take([wide], start)).full).toBeNull()
    expect((await limiter.take([wide], start)).full).toBeNull()
    expect((await limiter.take([wide], start)).full?.key).toBe(wide.key)
  })

  test('100 at once get exactly the free slots', async () => {
    const one = slot(10, 60)
    const answers = await Promise.all(Array.from({ length: 100 }, () => limiter.take([one], start)))
    expect(answers.filter(({ full }) => full === null)).toHaveLength(10)
  })

  test('[A1] 700 parallel calls with unordered times: exactly 600 pass, late ones drop no entry', async () => {
    const one = slot(600, 60)
    const order = Array.from({ length: 700 }, (_, n) => start + ((n * 7919) % 700))
    const answers = await Promise.all(order.map((time) => limiter.take([one], time)))
    expect(answers.filter(({ full }) => full === null)).toHaveLength(600)
    const late = await Promise.all(
      Array.from({ length: 20 }, () => limiter.take([one], start - 30_000)),
    )
    expect(late.every(({ full }) => full === one)).toBe(true)
    expect((await limiter.take([one], start + 60_700)).full).toBeNull()
  })

  test('[A1] a clock that is set back by a day locks nobody out', async () => {
    const one = slot(1, 60)
    await limiter.take([one], start + 86_400_000)
    expect([
      (await limiter.take([one], start)).full,
      (await limiter.take([one], start)).full,
    ]).toEqual([null, one])
  })

  test('an undone call is given back, once', async () => {
    const one = slot(2, 60)
    await limiter.take([one], start)
    const { undo } = await limiter.take([one], start)
    await undo()
    expect((await limiter.take([one], start)).full).toBeNull()
    expect((await limiter.take([one], start)).full?.key).toBe(one.key)
  })

  test('[D91] visitors share ten times the limit; a user counts alone; off lifts all but some codes', async () => {
    const row: LimitRow = {
      name: randomUUID(),
      user: [{ count: 2, seconds: 60 }],
      visitor: [{ count: 1, seconds: 60 }],
    }
    const visitor = (visitorSession: string | null) => ({
      caller: null,
      address: '196.28.1.1',
      visitorSession,
    })
    const count = (session: string | null, on = true, code?: 'cooldown') =>
      countRow(
        { limiter, config: { rateLimits: on } },
        code === undefined ? row : { ...row, code },
        visitor(session),
        at(0),
      ).then(
        () => 'ok',
        (error: unknown) =>
          error instanceof Refusal ? `${error.code} ${error.headers['Retry-After']}` : 'bug',
      )
    for (let n = 0; n < 10; n += 1) expect(await count(`session-${n}`)).toBe('ok')
    expect(await count('session-0')).toBe('rate_limited 60')
    expect(await count('session-11')).toBe('rate_limited 60')
    expect(await count('session-0', false)).toBe('ok')
    expect(await count('session-0', false, 'cooldown')).toBe('cooldown 60')
    const person = {
      caller: {
        id: 'u1',
        sessionId: 's1',
        username: 'u',
        language: 'fr',
        isModerator: false,
        joinedAt: at(0),
      },
      address: '196.28.1.1',
      visitorSession: null,
    } as const
    const services = { limiter, config: { rateLimits: true } }
    await countRow(services, row, person, at(0))
    await countRow(services, row, person, at(0))
    await expect(countRow(services, row, person, at(0))).rejects.toThrow('rate_limited')
  })
})

test('without Redis behind it the limiter counts alone', async () => {
  const lost = redisLimiter(await openRedis('redis://127.0.0.1:1', 'limits', silent), 'test')
  const slot = { key: 'k', window: { count: 1, seconds: 60 } }
  expect([
    (await lost.take([slot], start)).full,
    (await lost.take([slot], start)).full?.key,
  ]).toEqual([null, 'k'])
  lost.close()
})

test.each([
  ['10.0.0.1', null, 1, '10.0.0.1'],
  ['10.0.0.1', '1.1.1.1, 2.2.2.2', 0, '10.0.0.1'],
  ['10.0.0.1', '1.1.1.1, 2.2.2.2', 1, '2.2.2.2'],
  ['10.0.0.1', '1.1.1.1, 2.2.2.2', 2, '1.1.1.1'],
  ['10.0.0.1', '1.1.1.1, 2.2.2.2', 5, '1.1.1.1'],
  ['::ffff:10.0.0.1', null, 0, '10.0.0.1'],
])('[D92] address of %s with %s and %i proxies', (connection, forwarded, trusted, address) => {
  expect(addressOf(connection, forwarded, trusted)).toBe(address)
})

test.each([
  ['196.28.1.1', '196.28.1.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
])('[API 1.6] %s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
