import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as v from 'valibot'
import file from '#schema/data/categories.json' with { type: 'json' }
import { facets as facetsShape, listingPage } from '#schema/wire/listing'
import { addListing, listingRow } from '../../../../tests/server/support/sample.ts'
import { testServer, type TestServer } from '../../../../tests/server/support/server.ts'

let server: TestServer
let seller = ''

beforeAll(async () => {
  server = await testServer()
  seller = (await server.person()).id
})
afterAll(() => server.close())

const db = () => server.services.database.db
const facets = async (query = '') =>
  v.parse(facetsShape, await server.read(`/api/listings/facets/?${query}`))
const list = async (query = '') =>
  v.parse(listingPage, await server.read(`/api/listings/?${query}`))

/** Kept counts with their changes, and the same of all rows. */
async function compared() {
  const kept = sql`select facet, pair, value, sum(n)::integer as n from (
    select * from listing_count union all select * from listing_count_change) every
    group by 1, 2, 3 having sum(n) <> 0`
  const plain = sql`select c.facet, c.pair, c.value, count(*)::integer as n from listing l
    cross join lateral (
      select * from listing_counts(l.category, l.specs, l.region, l.town, l.condition, l.price)
      union all select * from listing_words(l.search)) c
    where l.listed group by 1, 2, 3`
  const { rows } = await sql`(${kept} except ${plain}) union all (${plain} except ${kept})`.execute(
    db(),
  )
  const { rows: all } = await sql<{
    n: number
  }>`select sum(n)::integer as n from (${kept}) k`.execute(db())
  return { different: rows, all: all[0]?.n ?? 0 }
}

test('[D106] counts follow every change of a listing in the same transaction', async () => {
  const { database } = server.services
  const ids: string[] = []
  for (let n = 0; n < 30; n += 1)
    ids.push(
      await addListing(db(), seller, {
        title: `Toyota numéro ${n}`,
        category: ['cars', 'motos', 'fashion'][n % 3] ?? '',
        price: n === 0 ? null : 1234 * n,
        specs: { brand: n % 2 === 0 ? 'Toyota' : 'TOYOTA', condition: 'used' },
      }),
    )
  expect((await compared()).different).toEqual([])
  expect((await facets()).count).toBe(30)
  await db()
    .updateTable('listing')
    .set({ is_sold: true })
    .where('id', '=', ids[0] ?? '')
    .execute()
  await db()
    .updateTable('listing')
    .set({ price: 99, category: 'motos', town: 'koudougou' })
    .where('id', 'in', ids.slice(5, 15))
    .execute()
  await db()
    .updateTable('app_user')
    .set({ verified_seller: true })
    .where('id', '=', seller)
    .execute()
  expect((await facets()).count).toBe(29)
  await expect(
    database.tx(async (tx) => {
      await tx.updateTable('listing').set({ is_sold: true }).execute()
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')
  expect((await compared()).different).toEqual([])
  // Added up, they are the same.
  expect(await server.job('listing-counts')).toBeGreaterThan(0)
  const { different, all } = await compared()
  expect(different).toEqual([])
  expect(all).toBeGreaterThan(200)
  expect(await db().selectFrom('listing_count_change').selectAll().execute()).toEqual([])
  expect((await facets()).count).toBe(29)
})

test('[D106] a listing that has just expired is in no count', async () => {
  const before = await facets('category=motos')
  const id = await addListing(db(), seller, { category: 'motos', title: 'Moto qui expire' })
  expect((await facets('category=motos')).count).toBe(before.count + 1)
  await db()
    .updateTable('listing')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('id', '=', id)
    .execute()
  expect(await facets('category=motos')).toEqual(before)
  expect((await list('category=motos')).count).toBe(before.count)
  await db().updateTable('listing').set({ is_sold: true }).where('id', '=', id).execute()
})

test('[D106] listings from before are counted in steps, while others change', async () => {
  await sql`delete from listing_count`.execute(db())
  await sql`delete from listing_count_change`.execute(db())
  await sql`insert into listing_count_fill (done, last) select 0, max(num) from listing`.execute(
    db(),
  )
  // Not yet counted, so there is nothing to take back.
  await db().updateTable('listing').set({ price: 777 }).where('category', '=', 'fashion').execute()
  await addListing(db(), seller, { title: 'Nouvelle pendant le compte' })
  const meanwhile = await facets()
  expect([meanwhile.count, meanwhile.count_is_exact]).toEqual([30, undefined])
  await server.job('listing-counts')
  expect((await compared()).different).toEqual([])
  expect(await facets()).toEqual(meanwhile)
  expect(await db().selectFrom('listing_count_fill').selectAll().execute()).toEqual([])
})

test('[D106] beyond 1000 a count is a lower bound, unless its category alone is asked for', async () => {
  const rows = Array.from({ length: 1100 }, (_, n) =>
    listingRow(seller, {
      title: `Pagne ${n}`,
      category: 'fashion',
      region: 'kadiogo',
      town: 'ouagadougou',
      price: 5000 + n,
      specs: { condition: n < 1050 ? 'new' : 'used' },
    }),
  )
  for (let from = 0; from < rows.length; from += 100)
    await db()
      .insertInto('listing')
      .values(rows.slice(from, from + 100))
      .execute()
  const all = await facets('category=fashion')
  expect([all.count, all.count_is_exact]).toEqual([1106, undefined])
  const whole = await list('category=fashion')
  expect([whole.count, whole.count_is_exact]).toEqual([1106, undefined])
  for (const query of ['category=fashion&price_min=5000', 'search=pagne']) {
    const some = await list(query)
    expect([some.count, some.count_is_exact]).toEqual([1000, false])
    const counted = await facets(query)
    expect([counted.count, counted.count_is_exact]).toEqual([1000, false])
    expect([counted.price.min, counted.price.max]).toEqual(
      query.startsWith('search') ? [5000, 6099] : [777, 6099],
    )
    expect(counted.regions.every((one) => one.count_is_exact === false)).toBe(true)
    expect(counted.regions.every((one) => one.count <= 1001)).toBe(true)
  }
  const few = await list('category=fashion&price_min=6000')
  expect([few.count, few.count_is_exact]).toEqual([100, undefined])
  // Without its own part a facet is that of the category, whose counts are kept.
  const used = await facets('category=fashion&condition=used')
  expect(used.conditions.map(({ value, count }) => [value, count])).toEqual([
    ['new', 1050],
    ['used', 56],
  ])
})

test('[API 8.3] facets of another price follow a change, and leave out numbers in a text', async () => {
  const query = (max: number) => `category=vehicles&region=goulmou&price_min=4000&price_max=${max}`
  const add = (price: number, brand: string | number) =>
    addListing(db(), seller, {
      title: 'Voiture',
      category: 'vehicles',
      region: 'goulmou',
      price,
      specs: { brand, fuel: 'diesel' },
    })
  await add(4242, 'Lada')
  await add(4343, 7)
  const read = async (max: number) => {
    const { count, price, specs } = await facets(query(max))
    const values = (name: string) => specs[name]?.map((one) => [one.value, one.count])
    return { count, highest: price.max, brands: values('brand'), fuels: values('fuel') }
  }
  const all = { count: 2, highest: 4343, brands: [['Lada', 1]], fuels: [['diesel', 2]] }
  expect(await read(5000)).toEqual(all)
  expect(await read(4300)).toEqual({ ...all, count: 1, fuels: [['diesel', 1]] })
  await add(4444, 'Lada')
  expect(await read(4500)).toEqual({
    count: 3,
    highest: 4444,
    brands: [['Lada', 2]],
    fuels: [['diesel', 3]],
  })
})

test('[D106] every price range begins at a number of two digits', () => {
  const starts = JSON.stringify(file).matchAll(/"min":(\d+),"max":(?:\d+|null),"label"/g)
  const all = [...starts].map(([, start = '']) => start)
  expect(all.length).toBeGreaterThan(50)
  expect(all.filter((start) => !/^\d\d?0*$/.test(start))).toEqual([])
})
