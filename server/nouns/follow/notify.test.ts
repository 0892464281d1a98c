import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Services } from '../../route/services.ts'
import { testServer, type Person, type TestServer } from '../../../tests/server/support/server.ts'
import { addListing } from '../../../tests/server/support/sample.ts'
import { approve } from '../listing/moderation/moderation.ts'
import { followersJob } from './routes.ts'

const FOLLOWERS = 1203
let server: TestServer
let offset = 0
beforeAll(async () => {
  server = await testServer([], {}, { clock: () => new Date(Date.now() + offset) })
})
afterAll(() => server.close())

async function popular(followers: number): Promise<Person> {
  const seller = await server.person()
  const { db } = server.services.database
  await sql`
    with made as (
      insert into app_user (id, username, username_key, language, joined_at, updated_at)
      select ${seller.id} || 'f' || n, ${seller.id} || 'f' || n, ${seller.id} || 'f' || n, 'fr',
        now(), now() from generate_series(1, ${followers}::int) as n returning id)
    insert into follow (follower_id, seller_id, created_at) select id, ${seller.id},
      ${new Date(server.services.clock().getTime() - 1000)} from made`.execute(db)
  return seller
}
const pending = (seller: Person) =>
  addListing(server.services.database.db, seller.id, {
    review_status: 'pending',
    posted_at: null,
    expires_at: null,
  })
const approved = (id: string) =>
  server.services.database.tx((tx) => approve(tx, id, 'moderator', server.services.clock()))

/** How many users were notified of a listing, and how many of them more than once. */
async function eventCounts(listing: string): Promise<[people: number, twice: number]> {
  const { rows } = await sql<{ people: number; twice: number }>`
    select count(*)::int as people, count(*) filter (where n > 1)::int as twice
    from (select user_id, count(*) as n from event where name = 'listing.new_from_followed'
      and data->>'listing' = ${listing} group by user_id) as counted`.execute(
    server.services.database.db,
  )
  return [rows[0]?.people ?? 0, rows[0]?.twice ?? 0]
}

/** A process that crashes in its nth transaction: it neither finishes nor releases its lock. */
function dying(nth: number): { services: Services; died: Promise<void> } {
  const { database } = server.services
  const died = Promise.withResolvers<void>()
  let count = 0
  return {
    died: died.promise,
    services: {
      ...server.services,
      database: {
        ...database,
        async tx(work) {
          count += 1
          if (count < nth) return database.tx(work)
          died.resolve()
          return new Promise(() => undefined)
        },
      },
    },
  }
}

test('[S4.01] approval only enqueues; two processes then notify each follower once', async () => {
  const id = await pending(await popular(FOLLOWERS))
  expect(await approved(id)).toBe('done')
  expect(await eventCounts(id)).toEqual([0, 0])
  await Promise.all([server.job('followers'), server.job('followers')])
  expect(await eventCounts(id)).toEqual([FOLLOWERS, 0])
  expect(
    await server.services.database.db
      .selectFrom('job')
      .select('id')
      .where('kind', '=', 'followers')
      .execute(),
  ).toEqual([])
})

test('[S4.01] after a crash between batches the remaining followers are notified, nobody twice', async () => {
  const id = await pending(await popular(FOLLOWERS))
  await approved(id)
  // Transactions: claim, first step, then the crash.
  const { services, died } = dying(3)
  void followersJob.run(services)
  await died
  expect(await eventCounts(id)).toEqual([500, 0])
  offset += 121_000
  expect(await server.job('followers')).toBe(1)
  expect(await eventCounts(id)).toEqual([FOLLOWERS, 0])
})

test('nobody is notified who follows after the publication, or of a listing hidden meanwhile', async () => {
  const seller = await popular(2)
  const [shown, hidden] = [await pending(seller), await pending(seller)]
  await approved(shown)
  await approved(hidden)
  offset += 1000
  const late = await server.person()
  await server.call('POST', `follow/${seller.id}/toggle/`, { by: late, json: { desired: true } })
  await server.services.database.db
    .updateTable('listing')
    .set({ is_archived: true })
    .where('id', '=', hidden)
    .execute()
  await server.job('followers')
  expect([await eventCounts(shown), await eventCounts(hidden)]).toEqual([
    [2, 0],
    [0, 0],
  ])
})

test('[S4.01] a listing of a seller with 50,000 followers is approved at once, all notified in steps', async () => {
  const many = 50_000
  const id = await pending(await popular(many))
  const began = performance.now()
  expect(await approved(id)).toBe('done')
  // Fan-out inside the approval took 15 s; one step takes some 0.1 s.
  expect(performance.now() - began).toBeLessThan(10_000)
  expect(await eventCounts(id)).toEqual([0, 0])
  const { database } = server.services
  let steps = 0
  await followersJob.run({
    ...server.services,
    database: { ...database, tx: (work) => ((steps += 1), database.tx(work)) },
  })
  expect(await eventCounts(id)).toEqual([many, 0])
  expect(steps).toBeGreaterThan(many / 500)
}, 120_000)
