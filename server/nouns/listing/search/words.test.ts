import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as v from 'valibot'
import { readFilter } from '#schema/filter'
import { foundIn, relevance, searchable } from '#schema/findable'
import { filterPartsOf } from '#schema/match'
import { facets as facetsShape, listingPage } from '#schema/wire/listing'
import type { Row } from '../../../db/tables.ts'
import { fillDemo } from '../../../demo/fill.ts'
import { testServer, type TestServer } from '../../../../tests/server/support/server.ts'
import { derive } from '../derive.ts'
import { addListing } from '../../../../tests/server/support/sample.ts'
import { frequenciesOf } from './frequencies.ts'

const LISTINGS = 1200
const ROUNDS = 5
const CHANGED = 250
let server: TestServer
let vocabulary: string[] = []

beforeAll(async () => {
  server = await testServer()
  const { database } = server.services
  await fillDemo(database, { listings: LISTINGS, users: 60 }, Date.now())
  const { rows } = await sql<{
    word: string
  }>`select word from ts_stat('select search from listing') where word !~ '^[@#]' order by ndoc desc, word`.execute(
    database.db,
  )
  vocabulary = rows.map(({ word }) => word)
}, 60_000)
afterAll(() => server.close())

type Ask = Record<string, string>
const some = <T>(value: fc.Arbitrary<T>, freq = 2) => fc.option(value, { nil: undefined, freq })

/** Common and rare search terms, whole or as prefixes. */
function asks(): fc.Arbitrary<Ask> {
  const word = fc
    .tuple(
      fc.oneof(fc.constantFrom(...vocabulary.slice(0, 60)), fc.constantFrom(...vocabulary)),
      fc.nat(8),
    )
    .map(([text, cut]) => text.slice(0, cut === 0 ? text.length : cut))
  return fc
    .record({
      search: fc
        .array(word, { minLength: 1, maxLength: 3 })
        .map((words) => words.join(' '))
        .filter((text) => text.length > 1),
      category: some(fc.constantFrom('vehicles', 'electronics,computers', 'fashion'), 1),
      region: some(fc.constantFrom('kadiogo', 'guiriko,kadiogo'), 1),
      price_min: some(fc.constantFrom('500', '20000'), 1),
      condition: some(fc.constantFrom('new', 'used'), 1),
      near: some(fc.constantFrom('12.37,-1.52'), 1),
      ordering: some(
        fc.constantFrom('-posted_at', 'posted_at', 'price', '-price', '-views_total', '-featured'),
      ),
    })
    .map((ask) =>
      Object.fromEntries(
        Object.entries(ask).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, value]],
        ),
      ),
    )
}

async function listed(ask: Ask): Promise<{ ids: string[]; count: number | undefined }> {
  const ids: string[] = []
  let next: string | null =
    `/api/listings/?${new URLSearchParams({ ...ask, page_size: '50' }).toString()}`
  let count: number | undefined
  while (next !== null) {
    const page: v.InferOutput<typeof listingPage> = v.parse(listingPage, await server.read(next))
    ids.push(...page.results.map(({ id }) => id))
    count ??= page.count
    next = page.next
  }
  return { ids, count }
}

type Stored = Row<'listing'> & { views: number }

const ORDERS: Record<string, (row: Stored, words: readonly string[]) => number[]> = {
  '-posted_at': (row) => [-Number(row.posted_at)],
  posted_at: (row) => [Number(row.posted_at)],
  price: (row) => [row.price ?? Number.POSITIVE_INFINITY],
  '-price': (row) => [-(row.price ?? 0)],
  '-views_total': (row) => [-row.views],
  '-featured': (row) => [row.is_featured ? 0 : 1, -Number(row.posted_at)],
  relevance: (row, words) => [
    relevance(searchable(row, row.description), words),
    -Number(row.posted_at),
  ],
}

/** Reads every row and applies the device's rules to it. */
async function plainly(ask: Ask): Promise<{ ids: string[]; count: number }> {
  const now = Date.now()
  const { filter } = readFilter(ask, new Date(now).getUTCFullYear())
  const { rows } = await sql<Stored>`select l.*, t.views_total as views from listing l
    join listing_tally t on t.listing_id = l.id
    where l.listed and (l.expires_at is null or l.expires_at > now())`.execute(
    server.services.database.db,
  )
  const parts = filterPartsOf(filter, now)
  const keys = ORDERS[filter.ordering] ?? (() => [])
  const isUp = filter.ordering === 'posted_at' || filter.ordering === 'price'
  const ids = rows
    .filter(
      (row) =>
        parts.every((part) => part.matches({ ...row, posted: Number(row.posted_at) })) &&
        foundIn(searchable(row, row.description).all, filter.searchWords),
    )
    .map((row) => ({ id: row.id, keys: keys(row, filter.searchWords) }))
    .toSorted((a, b) => {
      const at = a.keys.findIndex((key, n) => key !== b.keys[n])
      if (at >= 0) return (a.keys[at] ?? 0) < (b.keys[at] ?? 0) ? -1 : 1
      return (a.id < b.id ? -1 : 1) * (isUp ? 1 : -1)
    })
    .map(({ id }) => id)
  return { ids, count: ids.length }
}

/** Random changes: texts and prices are edited; listings are removed, restored and added. */
async function happen(round: number): Promise<void> {
  const { db } = server.services.database
  const draw = (from: number, to: number) =>
    fc.sample(fc.integer({ min: from, max: to }), { numRuns: CHANGED, seed: round * 10 + from })
  const texts = draw(0, vocabulary.length - 1)
  const kinds = draw(0, 5)
  const { rows } = await sql<Row<'listing'>>`
    select * from listing where deleted_at is null order by md5(id || ${String(round)}) limit ${CHANGED}`.execute(
    db,
  )
  for (const [n, row] of rows.entries()) {
    const title = `${vocabulary[texts[n] ?? 0]} ${vocabulary[(texts[n] ?? 0) % 40]} neuf${round}`
    const change = db.updateTable('listing').where('id', '=', row.id)
    if (kinds[n] === 0) await change.set({ is_sold: true }).execute()
    else if (kinds[n] === 1) await change.set({ deleted_at: new Date() }).execute()
    else if (kinds[n] === 2)
      await change
        .set({ price: 1000 * (n + 1), posted_at: new Date(Date.now() - n * 1000) })
        .execute()
    else if (kinds[n] === 3)
      await addListing(db, row.seller_id, { title, posted_at: new Date(Date.now() - n * 60_000) })
    else if (kinds[n] === 4) await change.set({ is_sold: false, is_archived: false }).execute()
    else await change.set({ title, ...derive({ ...row, title }) }).execute()
  }
}

test('[S7.03] a search finds what the rules of the device find, in order, also after changes', async () => {
  // Common words are checked row by row, rare ones come from the index of words.
  const { shares } = await frequenciesOf(server.services.database.db, new Date())
  expect(shares.length).toBeGreaterThan(100)
  for (let round = 0; round < ROUNDS; round += 1) {
    await fc.assert(
      fc.asyncProperty(asks(), async (ask) => {
        const wanted = await plainly(ask)
        expect(await listed(ask)).toEqual(wanted)
        const { ordering: _, ...rest } = ask
        expect(
          v.parse(
            facetsShape,
            await server.read(`/api/listings/facets/?${new URLSearchParams(rest).toString()}`),
          ).count,
        ).toBe(wanted.count)
      }),
      { numRuns: 20 },
    )
    await happen(round)
  }
}, 120_000)
