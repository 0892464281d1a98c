import { expect, test } from 'vitest'
import * as v from 'valibot'
import {
  categories,
  categoryOf,
  conditions,
  priceBuckets,
  resolveCategory,
  specFields,
  specsMetadata,
} from './catalogue.ts'
import { specsMetadata as shape } from './wire/catalogue.ts'

test('[S3.03] the eighteen slugs in display order, twelve of them main [S1.06]', () => {
  expect(categories).toHaveLength(18)
  expect(categories.filter(({ isMain }) => isMain).map(({ slug }) => slug)).toEqual([
    'vehicles',
    'properties',
    'electronics',
    'mobile-tablet',
    'home-garden',
    'beauty',
    'fashion',
    'jobs',
    'services',
    'sports',
    'babies',
    'animals',
  ])
  expect(
    Object.fromEntries(
      categories.filter(({ parent }) => parent !== null).map(({ slug, parent }) => [slug, parent]),
    ),
  ).toEqual({
    motos: 'vehicles',
    computers: 'electronics',
    'audio-music': 'electronics',
    'camera-photo': 'electronics',
    'games-consoles': 'electronics',
  })
})

test('[S2.03] slugs, ids and aliases of the footer resolve without case and accents [D02, D03]', () => {
  const found = [
    'cars',
    'REAL-ESTATE',
    'kids-babies',
    'pets',
    'Électronique',
    'Mobile Phones & Tablets',
    'fashion',
    'spaceships',
    '',
  ]
  expect(found.map(resolveCategory)).toEqual([
    'vehicles',
    'properties',
    'babies',
    'animals',
    'electronics',
    'mobile-tablet',
    'fashion',
    null,
    null,
  ])
})

test('[S7.03] a category shows itself, its children and what it also shows', () => {
  expect(categoryOf('vehicles')?.categoryFilters).toEqual([
    { category: 'vehicles', type: null },
    { category: 'motos', type: null },
  ])
  expect(categoryOf('computers')?.categoryFilters).toEqual([
    { category: 'computers', type: null },
    { category: 'electronics', type: 'laptop' },
  ])
  expect(categoryOf('electronics')?.categoryFilters.map(({ category }) => category)).toHaveLength(5)
})

test('[S7.22] every category has metadata of the wire’s shape; jobs and services have no fields [S3.10]', () => {
  expect(categories.filter(({ slug }) => !v.is(shape, specsMetadata(slug, 2026)))).toEqual([])
  expect(specFields('jobs', 2026)).toEqual([])
  expect(specFields('services', 2026)).toEqual([])
  expect(specsMetadata('nothing', 2026)).toBeNull()
})

/** Names of a category's fields, with the option values of enum fields. */
function asked(slug: string): Record<string, readonly string[]> {
  return Object.fromEntries(
    specFields(slug, 2026).map(({ name, options }) => [
      name,
      (options ?? []).map(({ value }) => value),
    ]),
  )
}

test('[S3.04] [S3.06] [S3.08] [S3.09] fashion, electronics, motos and phones have the specified fields', () => {
  const condition = ['new', 'used']
  expect(asked('fashion')).toEqual({
    type: ['clothing', 'shoes', 'bags-accessories'],
    brand: [],
    gender: ['men', 'women', 'unisex', 'kids'],
    size: [],
    color: [],
    material: [],
    condition,
    authentic: [],
  })
  expect(asked('electronics')).toEqual({
    type: ['tv', 'laptop', 'camera', 'gaming', 'audio', 'appliance', 'other'],
    brand: [],
    model: [],
    condition,
    power_w: [],
  })
  expect(asked('motos')).toEqual({
    type: ['moto', 'scooter', 'tricycle', 'cross-enduro', 'other'],
    brand: [],
    model: [],
    year: [],
    engine_cc: [],
    mileage_km: [],
    condition,
  })
  const phone = asked('mobile-tablet')
  expect(Object.keys(phone)).toEqual([
    'device_type',
    'brand',
    'model',
    'condition',
    'internal_storage',
    'ram',
    'color',
    'screen_size',
    'battery',
    'os',
    'sim',
    'network',
    'exchange_possible',
  ])
  expect([
    phone['internal_storage']?.at(0),
    phone['internal_storage']?.at(-1),
    phone['ram']?.at(0),
    phone['ram']?.at(-1),
  ]).toEqual(['16gb', '1tb', '2gb', '16gb'])
  expect([phone['os'], phone['sim'], phone['network']]).toEqual([
    ['android', 'ios', 'harmonyos', 'other'],
    ['single-sim', 'dual-sim', 'esim'],
    ['2g', '3g', '4g', '5g'],
  ])
})

test('[S3.11] every category but jobs and services has fields, with a condition for used goods', () => {
  const worn = [
    'home-garden',
    'beauty',
    'sports',
    'babies',
    'computers',
    'audio-music',
    'camera-photo',
    'games-consoles',
  ]
  expect(worn.filter((slug) => asked(slug)['condition'] === undefined)).toEqual([])
})

test('[S7.22] a year may be one later each January', () => {
  const max = (year: number) =>
    specFields('vehicles', year).find(({ name }) => name === 'year')?.max
  expect([max(2026), max(2027), max(2020)]).toEqual([2027, 2028, 2027])
})

test('[F09] [S7.04] buckets are those of the category, of rent or sale when one is chosen, else the usual ones', () => {
  const first = (slug: string | null, offer: string | null) =>
    priceBuckets(slug, () => offer)[0]?.id
  expect([
    first(null, null),
    first('vehicles', null),
    first('properties', null),
    first('properties', 'rent'),
    first('properties', 'sale'),
  ]).toEqual(['0-10000', '0-1000000', '0-50000', '0-25000', '0-2000000'])
})

test('[S7.03] conditions are those that some category has', () => {
  expect([...conditions.keys()]).toEqual(['new', 'used', 'to-renovate'])
})

test('[S7.04] the buckets of every list follow each other without a gap, from 0 and open at the end', () => {
  const lists = [null, ...categories.map(({ slug }) => slug)].flatMap((slug) =>
    [null, 'rent', 'sale'].map((offer) => priceBuckets(slug, () => offer)),
  )
  const broken = lists.filter(
    (list) =>
      list[0]?.min !== 0 ||
      list.at(-1)?.max !== null ||
      list.some(({ max }, at) => at < list.length - 1 && max !== (list[at + 1]?.min ?? 0) - 1),
  )
  expect(broken).toEqual([])
})
