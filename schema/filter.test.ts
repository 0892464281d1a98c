import { expect, test } from 'vitest'
import { readFilter } from './filter.ts'

const filterOf = (query: Record<string, string>) => readFilter(query, 2026).filter
const problemsOf = (query: Record<string, string>) =>
  readFilter(query, 2026).problems.map(({ field, code }) => `${field} ${code}`)

test('[S7.03] no parameter, an empty one and an unknown one filter nothing', () => {
  expect(filterOf({})).toMatchObject({
    searchWords: [],
    categories: [],
    specs: [],
    seller: null,
    priceMin: null,
    ordering: '-posted_at',
  })
  expect(
    filterOf({
      category: '',
      price_min: ' ',
      negotiable: '',
      whatever: 'x',
      'spec.fuel': 'diesel',
    }),
  ).toEqual(filterOf({}))
})

test('[S7.03] lists read slugs, names and aliases; a former region means all its parts', () => {
  const read = filterOf({
    category: 'cars, pets,cars',
    region: 'Est,kadiogo',
    town: 'Ouaga,Villeneuve',
    neighbourhood: 'hamdalaye',
    condition: 'NEW,used',
  })
  expect(read.categories).toEqual(['vehicles', 'animals'])
  expect(read.regions).toEqual(['goulmou', 'sirba', 'tapoa', 'kadiogo'])
  expect(read.towns).toEqual([{ slugs: ['ouagadougou'] }, { note: 'Villeneuve' }])
  expect(read.neighbourhoods).toEqual([
    { slugs: ['ouagadougou--hamdalaye', 'bobo-dioulasso--hamdalaye'] },
  ])
  expect(read.conditions).toEqual(['new', 'used'])
})

test('[S7.03] out of bounds is invalid, not among the listed is invalid_choice [D109]', () => {
  expect(problemsOf({ category: 'spaceships' })).toEqual(['category invalid_choice'])
  expect(problemsOf({ category: 'vehicles,motos,fashion,jobs,sports,beauty' })).toEqual([
    'category invalid',
  ])
  expect(problemsOf({ region: 'atlantide' })).toEqual(['region invalid_choice'])
  expect(problemsOf({ condition: 'broken' })).toEqual(['condition invalid_choice'])
  expect(problemsOf({ price_min: '-1', price_max: '1.5' })).toEqual([
    'price_min invalid',
    'price_max invalid',
  ])
  expect(problemsOf({ price_min: '2', price_max: '1' })).toEqual(['price_max invalid'])
  expect(problemsOf({ posted_within: '0' })).toEqual(['posted_within invalid'])
  expect(problemsOf({ posted_within: '366' })).toEqual(['posted_within invalid'])
  expect(problemsOf({ near: '12.4', radius_km: '7' }).toSorted()).toEqual([
    'near invalid',
    'radius_km invalid',
  ])
  expect(problemsOf({ near: '91,0' })).toEqual(['near invalid'])
  expect(problemsOf({ ordering: 'best' })).toEqual(['ordering invalid_choice'])
  expect(problemsOf({ sort: 'distance' })).toEqual(['sort invalid_choice'])
  expect(problemsOf({ negotiable: 'yes', has_images: '2' })).toEqual([
    'negotiable invalid',
    'has_images invalid',
  ])
  expect(problemsOf({ exclude: Array.from({ length: 51 }, (_, at) => `id${at}`).join() })).toEqual([
    'exclude invalid',
  ])
  expect(
    problemsOf({
      category: 'vehicles',
      'spec.fuel': 'water',
      'spec.year': 'new',
      'spec.mileage': '9..1',
    }),
  ).toEqual(['spec.year invalid', 'spec.fuel invalid_choice', 'spec.mileage invalid'])
})

test('[S7.03] enormous prices are read, not refused', () => {
  expect(filterOf({ price_max: '999999999999999' }).priceMax).toBe(2_147_483_647)
  expect(problemsOf({ price_max: '9'.repeat(40) })).toEqual(['price_max invalid'])
})

test('[S7.03] specs by the type of their field, and only with exactly one category', () => {
  const query = {
    category: 'properties',
    'spec.offer_type': 'RENT',
    'spec.bedrooms': '2..',
    'spec.furnished': '1',
    'spec.year_built': '1990..',
    'spec.nothing': 'x',
  }
  expect(filterOf(query).specs).toEqual([
    { name: 'offer_type', kind: 'enum', values: ['rent'] },
    { name: 'bedrooms', kind: 'range', min: 2, max: null },
    { name: 'furnished', kind: 'boolean', value: true },
  ])
  expect(filterOf({ ...query, category: 'properties,jobs' }).specs).toEqual([])
  expect(
    filterOf({
      category: 'vehicles',
      'spec.brand': 'TOYOTA',
      'spec.year': '2012',
      'spec.mileage': '..90000',
    }).specs,
  ).toEqual([
    { name: 'brand', kind: 'text', value: 'toyota' },
    { name: 'year', kind: 'range', min: 2012, max: 2012 },
    { name: 'mileage', kind: 'range', min: null, max: 90_000 },
  ])
})

test('[S5.07] a search below two characters is named too short and ignored', () => {
  expect(filterOf({ search: ' a ' })).toMatchObject({
    searchWords: [],
    searchTooShort: true,
    ordering: '-posted_at',
  })
  expect(filterOf({ search: '%%' })).toMatchObject({
    searchWords: [],
    searchTooShort: false,
    ordering: '-posted_at',
  })
  expect(filterOf({ q: 'Réf 4x4' })).toMatchObject({
    searchWords: ['ref', '4x4'],
    searchTooShort: false,
    ordering: 'relevance',
  })
})

test('[S5.07] a search is cut at 100 characters', () => {
  expect(filterOf({ search: 'é'.repeat(150) }).searchWords).toEqual(['e'.repeat(100)])
})

test('[S2.41] orders, their alias and their defaults', () => {
  expect(filterOf({ ordering: 'price', sort: '-price' }).ordering).toBe('price')
  expect(filterOf({ sort: '-price' }).ordering).toBe('-price')
  expect(filterOf({ ordering: 'relevance' }).ordering).toBe('-posted_at')
  expect(filterOf({ near: '12.37,-1.52', ordering: 'distance' })).toMatchObject({
    ordering: 'distance',
    near: { lat: 12.37, lon: -1.52, km: 25 },
  })
})
