import { afterAll, beforeAll, expect, test } from 'vitest'
import * as v from 'valibot'
import { listingPage, type ListingPage } from '#schema/wire/listing'
import { testServer, type TestServer } from '../../../../tests/server/support/server.ts'
import {
  addListing,
  addPerson,
  signIn,
  type SampleFields,
} from '../../../../tests/server/support/sample.ts'

let server: TestServer
let seller: string
let mine: { Authorization: string }

beforeAll(async () => {
  server = await testServer()
  seller = await addPerson(server.services.database.db, 'awa')
  mine = await signIn(server.services.database.db, seller)
})
afterAll(() => server.close())

const add = (more: SampleFields = {}) => addListing(server.services.database.db, seller, more)
const change = (id: string, set: object) =>
  server.services.database.db
    .updateTable('listing')
    .set({ ...set, updated_at: new Date() })
    .where('id', '=', id)
    .execute()
async function page(path: string, headers: Record<string, string> = {}): Promise<ListingPage> {
  const response = await server.app.request(
    path.startsWith('/') ? path : `/api/listings/?${path}`,
    { headers },
  )
  const body: unknown = await response.json()
  if (response.status !== 200) throw new Error(`${response.status} ${JSON.stringify(body)}`)
  return v.parse(listingPage, body)
}
const since = ({ cursor }: ListingPage) => `changed_since=${cursor}`
const idsOf = ({ results, removed }: ListingPage) => [results.map(({ id }) => id), removed]

test('[S7.03] changes since a cursor: oldest first, no longer visible ones as removed [API 3]', async () => {
  const [a, b, c] = [await add(), await add(), await add({ category: 'jobs' })]
  const start = await page('category=cars')
  expect(idsOf(await page(`category=cars&${since(start)}`))).toEqual([[], []])
  await change(b, { price: 5 })
  await change(a, { is_active: false })
  await change(c, { price: 7 })
  const delta = await page(`category=cars&${since(start)}`)
  expect(idsOf(delta)).toEqual([[b], [a, c]])
  expect([delta.next, 'count' in delta, 'previous' in delta]).toEqual([null, false, false])
  expect(idsOf(await page(`category=cars&${since(delta)}`))).toEqual([[], []])
})

test('[S7.03] a change of a hidden listing appears only in its owner’s delta [D101]', async () => {
  const hidden = await add({ review_status: 'pending', posted_at: null })
  const publicly = await page('')
  const own = await page('seller=me', mine)
  await change(hidden, { title: 'Toyota Yaris 2015' })
  expect(idsOf(await page(since(publicly)))).toEqual([[], []])
  expect(idsOf(await page(`seller=me&${since(own)}`, mine))).toEqual([[hidden], []])
  await change(hidden, { deleted_at: new Date() })
  expect(idsOf(await page(`seller=me&${since(own)}`, mine))).toEqual([[], [hidden]])
})

test('[S7.03] pages of a delta link to the next one and lose nothing', async () => {
  const start = await page('')
  const ids: string[] = []
  for (let at = 0; at < 7; at += 1) ids.push(await add())
  const seen: string[] = []
  let next: string | null = `/api/listings/?page_size=3&${since(start)}`
  let pages = 0
  while (next !== null) {
    const delta: ListingPage = await page(next)
    seen.push(...delta.results.map(({ id }) => id))
    next = delta.next
    pages += 1
  }
  expect([seen, pages]).toEqual([ids, 3])
})

test('[S2.13] with ids, every id that is not visible is removed', async () => {
  const [a, b] = [await add(), await add({ is_archived: true })]
  const start = await page(`ids=${a},${b}`)
  expect(idsOf(await page(`ids=${a},${b},nothing&${since(start)}`))).toEqual([[], [b, 'nothing']])
  await change(a, { is_sold: true })
  expect(idsOf(await page(`ids=${a},${b}&${since(start)}`))).toEqual([[a], [b]])
})

test('[S7.03] an instant works as a cursor, with an overlap of ten seconds', async () => {
  const at = new Date(Date.now() - 1000)
  const id = await add()
  await change(id, { price: 5 })
  const delta = await page(`changed_since=${at.toISOString()}`)
  expect(delta.results.map((row) => row.id)).toContain(id)
})

test('[S7.03] an unknown, old, foreign or unreadable cursor is 410', async () => {
  const { cursor = '' } = await page('')
  const [epoch = '', place, day = ''] = cursor.split('.')
  const old = (Number.parseInt(day, 36) - 31).toString(36)
  const bad = [
    'x',
    `other.${place}.${day}`,
    `${epoch}.${place}.${old}`,
    `${epoch}.-1-0.${day}`,
    `${epoch}.7.9.${day}`,
    '2020-01-01T00:00:00Z',
    'a'.repeat(300),
  ]
  const statuses = await Promise.all(
    bad.map(
      async (text) =>
        (await server.app.request(`/api/listings/?changed_since=${encodeURIComponent(text)}`))
          .status,
    ),
  )
  expect(statuses).toEqual(bad.map(() => 410))
})

test('[S7.03] a suspended seller’s listings leave the delta of everybody', async () => {
  const id = await add()
  const start = await page('')
  const { db } = server.services.database
  await db
    .updateTable('app_user')
    .set({ suspended_at: new Date(), updated_at: new Date() })
    .where('id', '=', seller)
    .execute()
  const delta = await page(`${since(start)}&page_size=100`)
  await db.updateTable('app_user').set({ suspended_at: null }).where('id', '=', seller).execute()
  expect(delta.removed).toContain(id)
})

// The embedded database has a single writer, so commits cannot overtake each other there.
test.runIf(process.env['DATABASE_URL'])(
  '[S7.03] a change that commits late, behind one that began after it, is not missed',
  async () => {
    const { database } = server.services
    const [slow, quick] = [await add(), await add()]
    let cursor = since(await page(''))
    const seen: string[] = []
    const follow = async () => {
      const delta = await page(cursor)
      seen.push(...delta.results.map(({ id }) => id))
      cursor = since(delta)
    }
    const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const late = database.tx(async (tx) => {
      await tx
        .updateTable('listing')
        .set({ price: 1, updated_at: new Date() })
        .where('id', '=', slow)
        .execute()
      begun.resolve()
      await released.promise
    })
    await begun.promise
    await change(quick, { price: 2 })
    await follow()
    released.resolve()
    await late
    await follow()
    expect(new Set(seen)).toEqual(new Set([slow, quick]))
  },
)
