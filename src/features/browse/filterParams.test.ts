import { expect, test, vi } from 'vitest'
import { formatOf } from '../../locales/format.ts'

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
const { changed, counted, filtersOf, toggled } = await import('./filterParams.ts')

test('[D106] a lower bound is shown with a plus, an exact number without', () => {
  const values = [
    { value: 'centre', label: 'Centre', count: 1000, count_is_exact: false },
    { value: 'nord', label: 'Nord', count: 1000 },
  ]
  expect(counted(formatOf('en'), values, 'centre')).toBe(' (1,000+)')
  expect(counted(formatOf('en'), values, 'nord')).toBe(' (1,000)')
  expect(counted(formatOf('en'), values, 'est')).toBe('')
})

test('[S2.03] the footer’s category aliases are resolved, unknown ones ignored', () => {
  expect(filtersOf({ category: 'cars' })).toEqual({ category: 'vehicles' })
  expect(filtersOf({ category: 'Real-Estate,vehicles' })).toEqual({
    category: 'properties,vehicles',
  })
  expect(filtersOf({ category: 'spaceships', search: ' moto ' })).toEqual({ search: 'moto' })
})

test('[S2.36] only filter parameters are read from a URL', () => {
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

test('a new category removes the specs of the old one, a new region its towns', () => {
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

test('a value is added to a list and removed again', () => {
  expect(toggled(undefined, 'new')).toBe('new')
  expect(toggled('new', 'used')).toBe('new,used')
  expect(toggled('new', 'new')).toBeNull()
})
