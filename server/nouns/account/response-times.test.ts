import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../ids.ts'
import { testServer, type TestServer } from '../../../tests/server/support/server.ts'
import { addListing } from '../../../tests/server/support/sample.ts'
import { measureResponses } from './response-times.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

const now = new Date('2026-06-01T00:00:00.000Z')
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)

/** A conversation started `asked` hours ago and answered `after` hours later, or never. */
async function talk(seller: string, asked: number, after: number | null): Promise<void> {
  const { db } = server.services.database
  const buyer = (await server.person()).id
  const [id, listing_id] = [newId(), await addListing(db, seller)]
  await db
    .insertInto('conversation')
    .values({ id, listing_id, buyer_id: buyer, seller_id: seller, created_at: hoursAgo(asked) })
    .execute()
  const say = (sender_id: string, seq: number, at: Date) =>
    db
      .insertInto('message')
      .values({ id: newId(), conversation_id: id, seq, sender_id, content: 'x', created_at: at })
      .execute()
  await say(buyer, 1, hoursAgo(asked))
  await say(buyer, 2, hoursAgo(asked - 0.1))
  if (after !== null) await say(seller, 3, hoursAgo(asked - after))
}
const typical = async (seller: string) =>
  (
    await server.services.database.db
      .selectFrom('app_user')
      .select('typical_response_hours')
      .where('id', '=', seller)
      .executeTakeFirstOrThrow()
  ).typical_response_hours

test.each([
  [
    'the median, in whole hours upwards',
    [
      [10, 0.5],
      [20, 3.2],
      [30, 9],
    ],
    4,
  ],
  [
    'null below three answers',
    [
      [10, 1],
      [20, 2],
      [30, null],
    ],
    null,
  ],
  [
    'at least one hour',
    [
      [10, 0.2],
      [20, 0.2],
      [30, 0.2],
    ],
    1,
  ],
  [
    'at most 72',
    [
      [500, 100],
      [600, 200],
      [700, 300],
    ],
    72,
  ],
  [
    'nothing older than 90 days',
    [
      [10, 1],
      [20, 1],
      [2200, 1],
    ],
    null,
  ],
] satisfies [string, [number, number | null][], number | null][])(
  '[API 4.3] %s',
  async (_, talks, hours) => {
    const seller = (await server.person()).id
    for (const [asked, after] of talks) await talk(seller, asked, after)
    await server.services.database.tx((tx) => measureResponses(tx, now))
    expect(await typical(seller)).toBe(hours)
  },
)

test('the job runs once a day', async () => {
  await server.job('response-times')
  expect(await server.job('response-times')).toBe(0)
})

test.skipIf(process.env['DATABASE_URL'] === undefined)(
  'it may take longer than a statement of a call',
  async () => {
    const { database } = server.services
    const holding = Promise.withResolvers<void>()
    const holder = database.tx(async (tx) => {
      await sql`lock table message in access exclusive mode`.execute(tx)
      holding.resolve()
      await sql`select pg_sleep(0.8)`.execute(tx)
    })
    await holding.promise
    const measured = database.tx(async (tx) => {
      await sql`set local statement_timeout = 200`.execute(tx)
      return measureResponses(tx, now)
    })
    await expect(measured).resolves.toBeTypeOf('number')
    await holder
  },
)
