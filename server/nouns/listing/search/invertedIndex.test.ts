import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as v from 'valibot'
import { facets as facetsShape, listingPage, type Specs } from '#schema/wire/listing'
import { fillDemo } from '../../../demo/fill.ts'
import { testServer, type TestServer } from '../../../../tests/server/support/server.ts'
import { inScope, pageInDatabase, askedOf, filterOf } from './queries.ts'
import { derive } from '../derive.ts'
import { sortOrderOf, type Place } from './sort.ts'
import { addListing } from '../../../../tests/server/support/sample.ts'
import { everyCondition } from './where.ts'
import { type Found, InvertedIndex } from './invertedIndex.ts'

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

async function inDatabase(ask: Ask): Promise<{ ids: string[]; count: number | undefined }> {
  const { db } = server.services.database
  const view = { me: null, now: new Date(), language: 'fr' as const }
  const filter = filterOf(ask, view.now)
  const asked = await askedOf(db, filter, null)
  if (asked === null) throw new Error('no seller is asked for')
  const { rows } = await sql<{
    count: number
  }>`select count(*)::integer as count from listing l where ${inScope(asked, view.now)}
    and ${everyCondition(asked, view.now)}`.execute(db)
  const ids: string[] = []
  let from: Place | null = null
  for (let number = 1, more = true; more; number += 1) {
    const found = await pageInDatabase(
      db,
      asked,
      { order: sortOrderOf(filter), page: { number, size: 500, offset: (number - 1) * 500 }, from },
      null,
      view,
    )
    ids.push(...found.cards.map(({ id }) => id))
    more = found.more
    from = found.place
  }
  return { ids, count: rows[0]?.count }
}

/** Random changes: texts and prices are edited; listings are removed, restored and added. */
async function happen(round: number): Promise<void> {
  const { db } = server.services.database
  const draw = (from: number, to: number) =>
    fc.sample(fc.integer({ min: from, max: to }), { numRuns: CHANGED, seed: round * 10 + from })
  const texts = draw(0, vocabulary.length - 1)
  const kinds = draw(0, 5)
  const { rows } = await sql<{
    id: string
    seller_id: string
    category: string
    region: string
    town: string | null
    neighbourhood: string | null
    location_note: string | null
    description: string
    specs: Specs
  }>`
    select id, seller_id, category, region, town, neighbourhood, location_note, description, specs
      from listing where deleted_at is null order by md5(id || ${String(round)}) limit ${CHANGED}`.execute(
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

test('[S7.03] a search matches the database and its order, also after changes', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    await fc.assert(
      fc.asyncProperty(asks(), async (ask) => {
        const wanted = await inDatabase(ask)
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

test('[S7.03] a page may begin after the sorted rows', async () => {
  const all = await inDatabase({ search: 'de', ordering: 'price' })
  const ask = { search: 'de', ordering: 'price', page_size: '50' }
  expect(all.ids.length).toBeGreaterThan(400)
  // Request the ninth page of a list that has no cached matches.
  let link = `/api/listings/?${new URLSearchParams(ask).toString()}`
  for (let number = 1; number < 9; number += 1)
    link = v.parse(listingPage, await server.read(link)).next ?? ''
  const page = v.parse(
    listingPage,
    await server.read(
      link.replace('page=9', 'page=2').replace('search=', 'has_images=0&price_min=0&search='),
    ),
  )
  expect(page.results.map(({ id }) => id)).toEqual(all.ids.slice(400, 450))
})

const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '7'), minLength: 1, maxLength: 4 })
const terms = fc.record({
  title: fc.array(letters, { maxLength: 4 }),
  rest: fc.array(letters, { maxLength: 12 }),
})

test('[S7.03] terms are found by prefix, in the title or elsewhere, also after compaction', () => {
  fc.assert(
    fc.property(
      fc.array(terms, { maxLength: 80 }),
      fc.array(letters, { minLength: 1, maxLength: 3 }),
      fc.func(fc.boolean()),
      (listings, asked, goes) => {
        const words = new InvertedIndex()
        for (const [place, { title, rest }] of listings.entries()) {
          for (const word of rest) words.add(place, word, false)
          for (const word of title) words.add(place, word, true)
          for (const word of title) words.add(place, word, false)
        }
        expect(sorted(words.find(asked))).toEqual(plainly(listings, asked))
        const moved = new Int32Array(listings.length).fill(-1)
        const kept = listings.filter((_, place) => !goes(place))
        let end = 0
        for (const [place] of listings.entries()) {
          if (goes(place)) continue
          moved[place] = end
          end += 1
        }
        words.move(moved)
        words.add(kept.length, 'ab', true)
        expect(sorted(words.find(asked))).toEqual(
          plainly([...kept, { title: ['ab'], rest: [] }], asked),
        )
      },
    ),
  )
})

const sorted = ({ titled, rest }: Found): Found => ({
  titled: titled.toSorted((a, b) => a - b),
  rest: rest.toSorted((a, b) => a - b),
})

function plainly(
  listings: readonly { title: string[]; rest: string[] }[],
  asked: readonly string[],
): Found {
  const all = (words: readonly string[]) =>
    asked.every((start) => words.some((word) => word.startsWith(start)))
  const places = [...listings.keys()]
  const titled = places.filter((place) => all(listings[place]?.title ?? []))
  return {
    titled,
    rest: places.filter(
      (place) =>
        !titled.includes(place) &&
        all([...(listings[place]?.title ?? []), ...(listings[place]?.rest ?? [])]),
    ),
  }
}
