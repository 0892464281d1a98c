import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as v from 'valibot'
import { categories } from '#schema/catalogue'
import {
  facets as facetsShape,
  listingPage,
  type ListingPage,
  type Specs,
} from '#schema/wire/listing'
import { testServer, type TestServer } from '../../../../tests/server/support/server.ts'
import { addPerson, listingRow } from '../../../../tests/server/support/sample.ts'

/**
 * Compares lists and facets with a direct reading of [API 8.2] over the same rows. This test shares
 * only the category file with the product.
 */
interface Known {
  readonly id: string
  readonly seller: string
  readonly title: string
  readonly description: string
  readonly category: string
  readonly region: string
  readonly town: string | null
  readonly note: string | null
  readonly price: number | null
  readonly specs: Specs
  readonly negotiable: boolean
  readonly featured: boolean
  readonly photos: number
  readonly posted: number
  readonly views: number
  readonly state:
    | 'active'
    | 'reserved'
    | 'sold'
    | 'pending'
    | 'inactive'
    | 'archived'
    | 'expired'
    | 'deleted'
}

const DAY = 86_400_000
const ROWS = 700
const NOW = Date.now()
let server: TestServer
let known: Known[] = []
let sellers: string[] = []

beforeAll(async () => {
  server = await testServer()
  const { db } = server.services.database
  sellers = [
    await addPerson(db, 'awa'),
    await addPerson(db, 'issa', { verified_seller: true }),
    await addPerson(db, 'paul'),
  ]
  known = generated()
  for (let from = 0; from < known.length; from += 100) {
    const rows = known.slice(from, from + 100).map((one) => ({
      ...listingRow(one.seller, {
        id: one.id,
        title: one.title,
        description: one.description,
        category: one.category,
        region: one.region,
        town: one.town,
        location_note: one.note,
        price: one.price,
        specs: one.specs,
        posted_at: new Date(one.posted),
      }),
      negotiable: one.negotiable,
      is_featured: one.featured,
      images_count: one.photos,
      seller_verified: one.seller === sellers[1],
      review_status: one.state === 'pending' ? ('pending' as const) : ('approved' as const),
      is_active: one.state !== 'inactive',
      is_sold: one.state === 'sold',
      is_reserved: one.state === 'reserved',
      is_archived: one.state === 'archived',
      deleted_at: one.state === 'deleted' ? new Date(NOW) : null,
      expires_at: new Date(one.state === 'expired' ? NOW - DAY : NOW + 60 * DAY),
    }))
    await db.insertInto('listing').values(rows).execute()
  }
  for (const one of known)
    if (one.views > 0)
      await db
        .updateTable('listing_tally')
        .set({ views_total: one.views })
        .where('listing_id', '=', one.id)
        .execute()
})
afterAll(() => server.close())

function generated(): Known[] {
  const row = fc.record({
    seller: fc.constantFrom(...sellers),
    title: fc.constantFrom(
      'Toyota Corolla 2012',
      'Réfrigérateur Samsung',
      'Vélo d’enfant 20 pouces',
      'Moto Yamaha',
      'Maison à louer',
      'samsung galaxy S21',
      'Téléphone 😀',
      'a'.repeat(110),
    ),
    description: fc.constantFrom(
      'Très bon état',
      'Vendu avec chargeur, garantie 6 mois',
      'x'.repeat(2000),
      'corolla neuve, jamais servie',
      'ÉTAT NEUF',
    ),
    category: fc.constantFrom(
      'vehicles',
      'motos',
      'electronics',
      'computers',
      'home-garden',
      'properties',
      'jobs',
    ),
    place: fc.constantFrom<[string, string | null, string | null]>(
      ['kadiogo', 'ouagadougou', null],
      ['kadiogo', null, 'Village Éclair'],
      ['guiriko', 'bobo-dioulasso', null],
      ['tapoa', 'diapaga', null],
      ['sirba', null, null],
    ),
    price: fc.constantFrom(null, 1, 5000, 9999, 10_000, 150_000, 3_500_000, 2_000_000_000),
    specs: fc.record(
      {
        type: fc.constantFrom('laptop', 'appliance', 'tv', 'scooter'),
        condition: fc.constantFrom('new', 'used'),
        brand: fc.constantFrom('Toyota', 'TOYOTA', 'Samsung'),
        year: fc.integer({ min: 2008, max: 2020 }),
        bedrooms: fc.integer({ min: 0, max: 4 }),
        furnished: fc.boolean(),
        offer_type: fc.constantFrom('rent', 'sale'),
        fuel: fc.constantFrom('petrol', 'diesel'),
      },
      { requiredKeys: [] },
    ),
    negotiable: fc.boolean(),
    featured: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    photos: fc.nat(3),
    age: fc.integer({ min: 0, max: 40 * 24 }),
    views: fc.nat(5),
    state: fc.constantFrom(
      ...([
        'active',
        'active',
        'active',
        'active',
        'reserved',
        'sold',
        'pending',
        'inactive',
        'archived',
        'expired',
        'deleted',
      ] as const),
    ),
  })
  return fc.sample(row, { numRuns: ROWS, seed: 20_261 }).map(({ place, age, ...one }, at) => ({
    ...one,
    id: `019a0000-0000-7000-8000-${String((at * 7919) % 100_000).padStart(12, '0')}`,
    region: place[0],
    town: place[1],
    note: place[2],
    // Equal instants make the id decide the order.
    posted: NOW - age * 3_600_000 - 1,
  }))
}

type Ask = Record<string, string>
const without = (ask: Ask, names: string[]): Ask =>
  Object.fromEntries(Object.entries(ask).filter(([name]) => !names.includes(name)))

const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
const wordsOf = (text: string) =>
  folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
const TOWNS: Record<string, string> = {
  ouagadougou: 'Ouagadougou',
  'bobo-dioulasso': 'Bobo-Dioulasso',
  diapaga: 'Diapaga',
}
const CHILDREN: Record<string, string[]> = { vehicles: ['motos'], electronics: ['computers'] }
const ALSO: Record<string, string> = { computers: 'laptop', 'home-garden': 'appliance' }
const POINTS: Record<string, [number, number]> = {
  ouagadougou: [12.37, -1.52],
  kadiogo: [12.37, -1.52],
  'bobo-dioulasso': [11.18, -4.3],
  diapaga: [12.07, 1.79],
  sirba: [12.97, -0.14],
}

function shows(category: string, row: Known): boolean {
  return (
    row.category === category ||
    (CHILDREN[category] ?? []).includes(row.category) ||
    (row.category === 'electronics' && category in ALSO && row.specs.type === ALSO[category])
  )
}

function inTitle(row: Known): string[] {
  return wordsOf(`${row.title} ${row.specs.brand ?? ''}`)
}
function searched(row: Known): string[] {
  const names = categories.find(({ slug }) => slug === row.category)?.names
  return [
    ...inTitle(row),
    ...wordsOf(
      `${names?.fr} ${names?.en} ${row.town === null ? '' : TOWNS[row.town]} ${row.description}`,
    ),
  ]
}
const begins = (words: string[], ask: string) =>
  wordsOf(ask).every((word) => words.some((other) => other.startsWith(word)))

function matches(row: Known, ask: Ask): boolean {
  const list = (name: string) => (ask[name] ?? '').split(',').filter((value) => value !== '')
  const has = (name: string) => (ask[name] ?? '') !== ''
  const numberOf = (name: string) => Number(ask[name])
  if (!['active', 'reserved'].includes(row.state)) return false
  if (has('search') && !begins(searched(row), ask['search'] ?? '')) return false
  if (has('category') && !list('category').some((slug) => shows(slug, row))) return false
  if (
    has('region') &&
    !list('region')
      .flatMap((name) => (name === 'Est' ? ['tapoa', 'sirba', 'goulmou'] : [name]))
      .includes(row.region)
  )
    return false
  if (
    has('town') &&
    !list('town').some(
      (name) =>
        row.town === (name === 'Ouaga' ? 'ouagadougou' : name) ||
        (row.note !== null && folded(row.note) === folded(name)),
    )
  )
    return false
  if (has('price_min') && !(row.price !== null && row.price >= numberOf('price_min'))) return false
  if (has('price_max') && !(row.price !== null && row.price <= numberOf('price_max'))) return false
  if (has('condition') && !list('condition').includes(String(row.specs.condition))) return false
  if (has('negotiable') && row.negotiable !== (ask['negotiable'] === 'true')) return false
  if (ask['has_images'] === 'true' && row.photos === 0) return false
  if (ask['is_featured'] === '1' && !row.featured) return false
  if (ask['verified_seller'] === 'true' && row.seller !== sellers[1]) return false
  if (has('posted_within') && row.posted < NOW - numberOf('posted_within') * DAY) return false
  if (has('seller') && row.seller !== sellers[0]) return false
  if (has('exclude') && list('exclude').includes(row.id)) return false
  if (has('near') && kmTo(row) > 50) return false
  if (ask['category'] === undefined || ask['category'].includes(',')) return true
  if (has('spec.brand') && String(row.specs.brand).toLowerCase() !== 'toyota') return false
  if (has('spec.fuel') && !list('spec.fuel').includes(String(row.specs.fuel))) return false
  if (has('spec.offer_type') && !list('spec.offer_type').includes(String(row.specs.offer_type)))
    return false
  if (has('spec.furnished') && row.specs.furnished !== true) return false
  if (
    has('spec.year') &&
    !(typeof row.specs.year === 'number' && row.specs.year >= 2010 && row.specs.year <= 2015)
  )
    return false
  return true
}

/** Great-circle distance to Ouagadougou by the law of cosines. */
function kmTo(row: Known): number {
  const [lat, lon] = POINTS[row.town ?? row.region] ?? [0, 0]
  const rad = Math.PI / 180
  const cos =
    Math.sin(12.37 * rad) * Math.sin(lat * rad) +
    Math.cos(12.37 * rad) * Math.cos(lat * rad) * Math.cos((lon + 1.52) * rad)
  return 6371 * Math.acos(Math.min(1, cos))
}

const ORDERS: Record<string, (row: Known, ask: Ask) => (number | string)[]> = {
  '-posted_at': (row) => [-row.posted],
  posted_at: (row) => [row.posted],
  price: (row) => [row.price ?? Number.POSITIVE_INFINITY],
  '-price': (row) => [row.price === null ? 1 : -row.price],
  '-views_total': (row) => [-row.views],
  '-featured': (row) => [row.featured ? 0 : 1, -row.posted],
  distance: (row) => [Math.round(kmTo(row)), -row.posted],
  relevance: (row, ask) => [begins(inTitle(row), ask['search'] ?? '') ? 0 : 1, -row.posted],
}
const IDS_UP = new Set(['posted_at', 'price'])

function expected(ask: Ask): string[] {
  const ordering =
    ask['ordering'] ?? (wordsOf(ask['search'] ?? '').length > 0 ? 'relevance' : '-posted_at')
  const keys = ORDERS[ordering] ?? (() => [])
  return known
    .filter((row) => matches(row, ask))
    .map((row) => ({ id: row.id, keys: keys(row, ask) }))
    .toSorted((a, b) => {
      for (const [at, key] of a.keys.entries()) {
        const other = b.keys[at] ?? 0
        if (key !== other) return key < other ? -1 : 1
      }
      return (a.id < b.id ? -1 : 1) * (IDS_UP.has(ordering) ? 1 : -1)
    })
    .map(({ id }) => id)
}

async function walk(ask: Ask): Promise<{ ids: string[]; first: ListingPage }> {
  const first = v.parse(
    listingPage,
    await server.read(`/api/listings/?${new URLSearchParams(ask).toString()}`),
  )
  const ids = first.results.map(({ id }) => id)
  let next = first.next
  while (next !== null) {
    const page = v.parse(listingPage, await server.read(next))
    ids.push(...page.results.map(({ id }) => id))
    next = page.next
  }
  return { ids, first }
}

const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 })
const asks: fc.Arbitrary<Ask> = fc
  .record({
    search: some(
      fc.constantFrom(
        'corolla',
        'refrig sam',
        'ETAT',
        'motorbikes',
        'ouaga toy',
        '%%',
        'bobo',
        'sam gal',
        'xx',
        'a'.repeat(100),
        'zzz',
        '20',
      ),
    ),
    category: some(
      fc.constantFrom(
        'vehicles',
        'motos',
        'computers',
        'electronics,computers',
        'home-garden',
        'properties',
        'jobs,motos',
      ),
    ),
    region: some(fc.constantFrom('kadiogo', 'Est', 'guiriko,kadiogo')),
    town: some(fc.constantFrom('Ouaga', 'village eclair', 'diapaga,Ouaga,village eclair')),
    price_min: some(fc.constantFrom('0', '5000')),
    price_max: some(fc.constantFrom('9999', '3500000')),
    condition: some(fc.constantFrom('new', 'used,new')),
    negotiable: some(fc.constantFrom('true', 'false')),
    has_images: some(fc.constantFrom('true', 'false')),
    is_featured: some(fc.constantFrom('1')),
    verified_seller: some(fc.constantFrom('true')),
    posted_within: some(fc.constantFrom('7', '20')),
    seller: some(fc.constantFrom('awa')),
    exclude: some(
      fc.constantFrom('019a0000-0000-7000-8000-000000000000,019a0000-0000-7000-8000-000000007919'),
    ),
    near: some(fc.constantFrom('12.37,-1.52')),
    radius_km: fc.constant('50'),
    'spec.brand': some(fc.constantFrom('toyota')),
    'spec.fuel': some(fc.constantFrom('diesel', 'petrol,diesel')),
    'spec.year': some(fc.constantFrom('2010..2015')),
    'spec.offer_type': some(fc.constantFrom('rent')),
    'spec.furnished': some(fc.constantFrom('1')),
    ordering: some(
      fc.constantFrom(
        '-posted_at',
        'posted_at',
        'price',
        '-price',
        '-views_total',
        '-featured',
        'distance',
      ),
    ),
    page_size: fc.constantFrom('7', '20', '50'),
  })
  .map((ask) =>
    Object.fromEntries(
      Object.entries(ask).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
  )

// Specs that a category lacks are ignored, so such filters are generated only where they exist.
const sound = asks.map((ask): Ask => {
  const allowed: Record<string, string[]> = {
    vehicles: ['spec.brand', 'spec.fuel', 'spec.year'],
    motos: ['spec.brand', 'spec.year'],
    computers: ['spec.brand'],
    'home-garden': ['spec.brand'],
    properties: ['spec.offer_type', 'spec.furnished'],
  }
  const names = allowed[ask['category'] ?? ''] ?? []
  const isRefused = ask['ordering'] === 'distance' && ask['near'] === undefined
  return Object.fromEntries(
    Object.entries(ask).filter(([name]) =>
      name === 'ordering' ? !isRefused : !name.startsWith('spec.') || names.includes(name),
    ),
  )
})

test('[S7.03] any filters in any order match the reference implementation, page by page, each row once', async () => {
  await fc.assert(
    fc.asyncProperty(sound, async (ask) => {
      const { ids, first } = await walk(ask)
      const wanted = expected(ask)
      expect(ids).toEqual(wanted)
      expect(first.count).toBe(wanted.length)
    }),
    { numRuns: 250 },
  )
})

test('[S7.03] a list without filters holds what is active or reserved, and nothing else', async () => {
  const { ids } = await walk({ page_size: '50' })
  expect(ids).toEqual(expected({}))
  expect(ids.length).toBeGreaterThan(200)
})

test('[S7.04] facets count what the list shows', async () => {
  await fc.assert(
    fc.asyncProperty(sound, async (asked) => {
      const ask = without(asked, ['ordering', 'page_size'])
      const facets = v.parse(
        facetsShape,
        await server.read(`/api/listings/facets/?${new URLSearchParams(ask).toString()}`),
      )
      const count = (change: Ask) =>
        known.filter((row) => matches(row, { ...ask, ...change })).length
      expect(facets.count).toBe(count({}))
      expect(facets.regions.map((one) => one.count)).toEqual(
        facets.regions.map(({ value }) => count({ region: value })),
      )
      expect(facets.towns.map((one) => one.count)).toEqual(
        facets.towns.map(({ value }) => count({ town: value })),
      )
      expect(facets.conditions.map((one) => one.count)).toEqual(
        facets.conditions.map(({ value }) => count({ condition: value })),
      )
      const noSpecs = Object.keys(ask).every((name) => !name.startsWith('spec.'))
      const categoryFacets = noSpecs ? facets.categories : []
      expect(categoryFacets.map((one) => one.count)).toEqual(
        categoryFacets.map(({ value }) => count({ category: value })),
      )
      expect(facets.price.buckets.map((one) => one.count)).toEqual(
        facets.price.buckets.map(({ min, max }) =>
          count({ price_min: String(min), price_max: max === null ? '' : String(max) }),
        ),
      )
    }),
    { numRuns: 150 },
  )
})

test('[API 8.3] facets ignore order and page parameters, valid or not', async () => {
  for (const more of ['ordering=zz', 'sort=distance', 'page=0', 'ids=a', 'changed_since=zz'])
    expect(v.parse(facetsShape, await server.read(`/api/listings/facets/?${more}`)).count).toBe(
      expected({}).length,
    )
})
