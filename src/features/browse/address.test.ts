import { expect, test, vi } from 'vitest'

vi.mock('virtual:categories', () => ({
  default: [{ slug: 'vehicles' }, { slug: 'properties' }].map((one) => ({
    ...one,
    name: { fr: '', en: '' },
    short: { fr: '', en: '' },
    isMain: true,
    absent: null,
  })),
  aliases: { cars: 'vehicles', 'real-estate': 'properties' },
}))
const { changed, filtersOf, toggled } = await import('./filterParams.ts')

test('[S2.03] the footer’s names of categories are understood, unknown ones filter nothing', () => {
  expect(filtersOf({ category: 'cars' })).toEqual({ category: 'vehicles' })
  expect(filtersOf({ category: 'Real-Estate,vehicles' })).toEqual({
    category: 'properties,vehicles',
  })
  expect(filtersOf({ category: 'spaceships', search: ' moto ' })).toEqual({ search: 'moto' })
})

test('[S2.36] only what filters a list comes out of an address', () => {
  expect(
    filtersOf({
      q: 'vélo',
      sort: 'price',
      utm_source: 'x',
      'spec.fuel': 'diesel',
      page: '3',
      price_max: '',
    }),
  ).toEqual({ search: 'vélo', ordering: 'price', 'spec.fuel': 'diesel' })
})

test('a new category takes the specs of the old one along, a new region its towns', () => {
  expect(
    changed(
      { category: 'vehicles', 'spec.fuel': 'diesel', price_max: '5' },
      { category: 'properties' },
    ),
  ).toEqual({ category: 'properties', price_max: '5' })
  expect(
    changed({ region: 'kadiogo', town: 'saaba', neighbourhood: 'x' }, { region: 'guiriko' }),
  ).toEqual({ region: 'guiriko' })
  expect(changed({ region: 'kadiogo', price_max: '5' }, { price_max: null })).toEqual({
    region: 'kadiogo',
  })
})

test('a value is put on a list and taken off again', () => {
  expect(toggled(undefined, 'new')).toBe('new')
  expect(toggled('new', 'used')).toBe('new,used')
  expect(toggled('new', 'new')).toBeNull()
})
