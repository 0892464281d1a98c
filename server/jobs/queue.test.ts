import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../ids.ts'
import { testServer, type TestServer } from '../../tests/server/support/server.ts'
import { enqueue, queueJob } from './queue.ts'
import { startJobs } from './run.ts'

let server: TestServer
let offset = 0
beforeAll(async () => {
  server = await testServer([], {}, { clock: () => new Date(Date.now() + offset) })
})
afterAll(() => server.close())

const put = (kind: string, payload: unknown) =>
  server.services.database.tx((tx) => enqueue(tx, kind, payload, server.services.clock()))
const waiting = (kind: string) =>
  server.services.database.db.selectFrom('job').selectAll().where('kind', '=', kind).execute()

test('failed work is retried later, with its error stored, and deleted when it succeeds', async () => {
  await put('fragile', { n: 1 })
  let broken = true
  const done: unknown[] = []
  const job = queueJob('fragile', async (_, payload) => {
    if (broken) throw new Error('the other side is away')
    done.push(payload)
  })
  expect(await job.run(server.services)).toBe(0)
  const [row] = await waiting('fragile')
  expect(row).toMatchObject({
    attempts: 1,
    last_error: 'the other side is away',
    locked_until: null,
  })
  broken = false
  expect(await job.run(server.services)).toBe(0)
  offset += 6000
  expect([await job.run(server.services), done, (await waiting('fragile')).length]).toEqual([
    1,
    [{ n: 1 }],
    0,
  ])
})

test('several workers at once run every row exactly once', async () => {
  for (let n = 0; n < 50; n += 1) await put('shared', n)
  const done: unknown[] = []
  const job = queueJob('shared', async (_, payload) => {
    done.push(payload)
  })
  await Promise.all([job.run(server.services), job.run(server.services), job.run(server.services)])
  expect(done.toSorted((a, b) => Number(a) - Number(b))).toEqual(
    Array.from({ length: 50 }, (_, n) => n),
  )
})

test('rows of a dead process are free again after two minutes', async () => {
  await put('orphan', 1)
  const never = queueJob('orphan', () => new Promise(() => undefined))
  void never.run(server.services)
  let done = 0
  const job = queueJob('orphan', async () => {
    done += 1
  })
  await expect.poll(async () => (await waiting('orphan'))[0]?.locked_until ?? null).not.toBeNull()
  expect([await job.run(server.services), done]).toEqual([0, 0])
  offset += 121_000
  expect([await job.run(server.services), done]).toEqual([1, 1])
})

test('a rollback drops the work; a commit wakes the worker; stop waits for running work', async () => {
  const begun = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  let ended = false
  const job = queueJob(
    'woken',
    async () => {
      begun.resolve()
      await finish.promise
      ended = true
    },
    { everyMs: 3_600_000 },
  )
  const jobs = startJobs(server.services, [job])
  await server.services.database
    .tx(async (tx) => {
      await enqueue(tx, 'woken', 'never', server.services.clock())
      throw new Error('no')
    })
    .catch(() => undefined)
  expect(await waiting('woken')).toEqual([])
  await put('woken', 'now')
  await begun.promise
  const stopped = jobs.stop()
  expect(ended).toBe(false)
  finish.resolve()
  await stopped
  expect(ended).toBe(true)
})

test('delayed work does not advance the ids of other rows', async () => {
  const now = new Date()
  await server.services.database.tx((tx) =>
    enqueue(tx, 'put-off', {}, now, new Date(now.getTime() + 8 * 3_600_000)),
  )
  const millis = Number.parseInt(newId().replaceAll('-', '').slice(0, 12), 16)
  expect(millis - Date.now()).toBeLessThan(3_600_000)
})
