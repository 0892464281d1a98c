import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countFacets } from './facets.ts'
import { type Query, readFilter } from './filter.ts'
import { type Findable, foundIn, relevance, searchable } from './findable.ts'
import { filterPartsOf } from './match.ts'

const NOW = Date.UTC(2026, 5, 1)
const DAY = 86_400_000

const rows: fc.Arbitrary<Findable[]> = fc
  .array(
    fc
      .record({
        category: fc.constantFrom('vehicles', 'motos', 'electronics', 'computers', 'properties'),
        place: fc.constantFrom<[string, string | null]>(
          ['kadiogo', 'ouagadougou'],
          ['kadiogo', null],
          ['guiriko', 'bobo-dioulasso'],
          ['sirba', null],
          ['tapoa', 'diapaga'],
        ),
        note: fc.constantFrom(null, 'Zone Ä', 'zone a'),
        price: fc.constantFrom(null, 0, 1, 9999, 10_000, 49_999, 250_000, 2_000_000_000),
        condition: fc.constantFrom(null, 'new', 'used'),
        type: fc.constantFrom('laptop', 'tv', 'scooter'),
        brand: fc.constantFrom(undefined, 'Toyota', 'TOYOTA', 'Yamaha'),
        offer: fc.constantFrom('rent', 'sale'),
        bedrooms: fc.nat(4),
        flags: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean(), fc.nat(2)),
        age: fc.nat(40),
      })
      .map((one) => ({
        id: '',
        seller_id: 's',
        category: one.category,
        region: one.place[0],
        town: one.place[1],
        neighbourhood: null,
        location_note: one.place[1] === null ? one.note : null,
        price: one.price === 0 ? null : one.price,
        condition: one.condition,
        negotiable: one.flags[0],
        is_featured: one.flags[1],
        seller_verified: one.flags[2],
        images_count: one.flags[3],
        posted: NOW - one.age * DAY,
        specs: {
          type: one.type,
          offer_type: one.offer,
          bedrooms: one.bedrooms,
          ...(one.brand === undefined ? {} : { brand: one.brand }),
          ...(one.condition === null ? {} : { condition: one.condition }),
        },
      })),
    { maxLength: 60 },
  )
  .map((list) => list.map((row, at) => ({ ...row, id: `L${at}` })))

const maybe = (value: fc.Arbitrary<string>) => fc.option(value, { nil: undefined, freq: 2 })
const queries: fc.Arbitrary<Query> = fc.record({
  category: maybe(
    fc.constantFrom('vehicles', 'computers', 'electronics', 'properties', 'motos,computers'),
  ),
  region: maybe(fc.constantFrom('kadiogo', 'est', 'guiriko,kadiogo')),
  town: maybe(fc.constantFrom('ouaga', 'Zone A', 'bobo,diapaga')),
  condition: maybe(fc.constantFrom('new', 'new,used')),
  price_min: maybe(fc.constantFrom('0', '10000')),
  price_max: maybe(fc.constantFrom('49999', '999999999999')),
  negotiable: maybe(fc.constantFrom('true', '0')),
  has_images: maybe(fc.constantFrom('1', 'false')),
  posted_within: maybe(fc.constantFrom('7d', '20')),
  near: maybe(fc.constantFrom('12.37,-1.52')),
  exclude: maybe(fc.constantFrom('L1,L3')),
  'spec.type': maybe(fc.constantFrom('laptop', 'scooter')),
  'spec.brand': maybe(fc.constantFrom('toyota')),
  'spec.offer_type': maybe(fc.constantFrom('rent', 'rent,sale')),
  'spec.bedrooms': maybe(fc.constantFrom('2..', '1')),
})

const noSpecs: Query = {
  'spec.type': undefined,
  'spec.brand': undefined,
  'spec.offer_type': undefined,
  'spec.bedrooms': undefined,
}

const matching = (list: Findable[], query: Query) => {
  const parts = filterPartsOf(readFilter(query, 2026).filter, NOW)
  return list.filter((row) => parts.every((part) => part.matches(row))).length
}

test('[S7.04] every facet value says what a press on it would show [D106]', () => {
  fc.assert(
    fc.property(rows, queries, (list, query) => {
      const { filter } = readFilter(query, 2026)
      const facets = countFacets(list, filter, filterPartsOf(filter, NOW), 'fr', 2026)
      const press = (change: Query) => matching(list, { ...query, ...change })
      const counted: [string, number][] = [['all', facets.count]]
      const shown: [string, number][] = [['all', press({})]]
      const compare = (
        values: readonly { value: string; count: number }[],
        change: (value: string) => Query,
      ) => {
        for (const { value, count } of values) {
          counted.push([value, count])
          shown.push([value, press(change(value))])
        }
      }
      // Specs belong to one category, so categories are compared only without spec filters.
      if (filter.specs.length === 0)
        compare(facets.categories, (category) => ({ ...noSpecs, category }))
      compare(facets.regions, (region) => ({ region }))
      compare(facets.towns, (town) => ({ town }))
      compare(facets.conditions, (condition) => ({ condition }))
      for (const [name, values] of Object.entries(facets.specs))
        compare(values, (value) => ({ [`spec.${name}`]: value }))
      for (const { id, min, max, count } of facets.price.buckets) {
        counted.push([id, count])
        shown.push([
          id,
          press({ price_min: String(min), price_max: max === null ? undefined : String(max) }),
        ])
      }
      expect(counted).toEqual(shown)
    }),
    { numRuns: 300 },
  )
})

test('[S7.04] chosen values stay with count 0; others are left out; without a price min and max are null', () => {
  const { filter } = readFilter(
    { category: 'properties', region: 'kadiogo', condition: 'new', 'spec.offer_type': 'rent' },
    2026,
  )
  const facets = countFacets([], filter, filterPartsOf(filter, NOW), 'en', 2026)
  expect(facets).toMatchObject({
    count: 0,
    categories: [{ value: 'properties', label: 'Property', count: 0 }],
    regions: [{ value: 'kadiogo', label: 'Kadiogo', count: 0 }],
    towns: [],
    conditions: [{ value: 'new', count: 0 }],
    price: { min: null, max: null },
    specs: { offer_type: [{ value: 'rent', count: 0 }], property_type: [] },
  })
  expect(facets.price.buckets[0]?.id).toBe('0-25000')
})

test('[S2.32] each word must begin a word of title, brand, model, category, town or description [D108]', () => {
  const listing = {
    title: 'Réfrigérateur 200L',
    category: 'home-garden',
    town: 'bobo-dioulasso',
    specs: { brand: 'Samsung', model: 'RT-38' },
  }
  const line = searchable(listing, 'Peu servi, vendu avec sa garantie')
  const finds = (text: string) =>
    foundIn(line.all, readFilter({ search: text }, 2026).filter.searchWords)
  expect(
    ['refrig sams', 'RT 38', 'furniture', 'Électroménager', 'dioulasso', 'garant', '200l'].map(
      finds,
    ),
  ).toEqual(Array.from({ length: 7 }, () => true))
  expect(['frigerateur', 'refrigerateurs', 'guiriko', 'meuble xyz', 'pets'].map(finds)).toEqual(
    Array.from({ length: 5 }, () => false),
  )
  expect([relevance(line, ['samsung', '38']), relevance(line, ['samsung', 'garantie'])]).toEqual([
    0, 1,
  ])
})
