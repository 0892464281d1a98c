import { afterAll, beforeAll, expect, test } from 'vitest'
import * as v from 'valibot'
import { listingPage } from '#schema/wire/listing'
import { testServer, type TestServer } from '../../../tests/server/support/server.ts'
import { addListing, type SampleFields } from '../../../tests/server/support/sample.ts'

const DAY = 86_400_000
const START = new Date('2026-11-02T07:00:00.000Z')
let server: TestServer
let seller: string
let clock = START

beforeAll(async () => {
  server = await testServer([], {}, { clock: () => clock })
  seller = (await server.person()).id
})
afterAll(() => server.close())

const days = (n: number) => new Date(START.getTime() + n * DAY)
const add = (more: SampleFields = {}) =>
  addListing(server.services.database.db, seller, { posted_at: START, ...more })
const read = (id: string) =>
  server.services.database.db
    .selectFrom('listing')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const noticesOf = async (listing: string) => {
  const rows = await server.services.database.db
    .selectFrom('event')
    .select('data')
    .where('user_id', '=', seller)
    .where('name', '=', 'listing.expiring')
    .orderBy('seq')
    .execute()
  const facts = rows.map((row) =>
    v.parse(v.looseObject({ listing: v.string(), days_left: v.number() }), row.data),
  )
  return facts.filter((fact) => fact.listing === listing).map((fact) => fact.days_left)
}

test('[S4.02] the owner is notified three days before expiry and at expiry, once each; lists drop it', async () => {
  clock = START
  const id = await add({ expires_at: days(10) })
  const sold = await add({ expires_at: days(10), is_sold: true, sold_at: START })
  await server.job('expire')
  expect(await noticesOf(id)).toEqual([])
  clock = days(7.5)
  await server.job('expire')
  await server.job('expire')
  expect(await noticesOf(id)).toEqual([3])
  clock = days(10.5)
  await server.job('expire')
  await server.job('expire')
  expect([await noticesOf(id), await noticesOf(sold)]).toEqual([[3, 0], []])
  expect(await read(id)).toMatchObject({ lapsed: true, listed: false, version: 2 })
})

test('[S4.02] the expiry of a listing appears in the delta [API 3]', async () => {
  clock = START
  const id = await add({ expires_at: days(10) })
  const { cursor } = v.parse(listingPage, await (await server.call('GET', 'listings/')).json())
  clock = days(11)
  await server.job('expire')
  const delta = v.parse(
    listingPage,
    await (await server.call('GET', `listings/?changed_since=${cursor}`)).json(),
  )
  expect(delta.removed).toContain(id)
})

test('[S4.02] featuring ends after its days; sold listings are archived after thirty', async () => {
  clock = START
  const featured = await add({ is_featured: true, featured_until: days(7) })
  const sold = await add({ is_sold: true, sold_at: START })
  clock = days(6)
  await server.job('unfeature')
  await server.job('archive-sold')
  expect([(await read(featured)).is_featured, (await read(sold)).is_archived]).toEqual([
    true,
    false,
  ])
  clock = days(31)
  await server.job('unfeature')
  await server.job('archive-sold')
  expect([(await read(featured)).is_featured, (await read(sold)).is_archived]).toEqual([
    false,
    true,
  ])
})

test('[S3.02] photo files are deleted seven days after removal, unless another photo has the same bytes', async () => {
  clock = START
  const { db } = server.services.database
  const { files } = server.services
  const picture = { owner_id: seller, width: 300, height: 300, bytes: 1, created_at: START }
  const insert = (id: string, hash: string, more: object) =>
    db
      .insertInto('picture')
      .values({ ...picture, id, hash, ...more })
      .execute()
  for (const hash of ['alone', 'shared', 'kept'])
    await files.put(`images/${hash}/640.jpg`, new Uint8Array([1]))
  const id = await add()
  await insert('P1', 'alone', { expires_at: days(1) })
  await insert('P2', 'shared', { removed_at: START })
  await insert('P3', 'shared', { listing_id: id, position: 0 })
  await insert('P4', 'kept', { listing_id: id, position: 1 })
  clock = days(2)
  await server.job('forget')
  const present = async () =>
    Promise.all(
      ['alone', 'shared', 'kept'].map(
        async (hash) => (await files.get(`images/${hash}/640.jpg`)) !== null,
      ),
    )
  expect(await present()).toEqual([true, true, true])
  clock = days(10)
  await server.job('forget')
  await server.job('files')
  expect(await present()).toEqual([false, true, true])
  expect(
    (await db.selectFrom('picture').select('id').orderBy('id').execute()).map((row) => row.id),
  ).toEqual(['P3', 'P4'])
})
