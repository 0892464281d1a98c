import { expect, test } from 'vitest'
import { specFields } from './catalogue.ts'
import { readFields } from './spec.ts'

const read = (category: string, given: Record<string, unknown>) =>
  readFields(specFields(category, 2026), given)
const faults = (category: string, given: Record<string, unknown>) =>
  read(category, given).problems.map(({ name, code }) => `${name} ${code}`)

test('[S3.07] values by the type of their field; unknown names are dropped, missing ones no problem', () => {
  expect(
    read('vehicles', {
      brand: 'Toyota',
      year: '2012',
      condition: 'USED',
      fuel: null,
      transmission: '',
      wings: 2,
    }),
  ).toEqual({
    specs: { brand: 'Toyota', year: 2012, condition: 'used' },
    problems: [],
  })
  expect(read('jobs', { brand: 'x' }).specs).toEqual({})
})

test('[S3.07] what does not hold is named with its code', () => {
  expect(
    faults('vehicles', {
      year: 1969,
      mileage: 1.5,
      condition: 'broken',
      brand: 'x'.repeat(61),
      fuel: 3,
    }),
  ).toEqual([
    'brand too_long',
    'year min_value',
    'condition invalid_choice',
    'fuel invalid_choice',
    'mileage invalid',
  ])
  expect(faults('vehicles', { year: 2028, brand: 7 })).toEqual(['brand invalid', 'year max_value'])
  expect(faults('properties', { furnished: 'maybe' })).toEqual(['furnished invalid'])
})

test('[S3.05] a field that the others hide is dropped', () => {
  expect(
    read('properties', {
      property_type: 'land',
      bedrooms: 3,
      size_sqm: 300,
      furnished: 'nonsense',
    }),
  ).toEqual({ specs: { property_type: 'land', size_sqm: 300 }, problems: [] })
  expect(read('properties', { property_type: 'house', bedrooms: '3', furnished: 1 }).specs).toEqual(
    { property_type: 'house', bedrooms: 3, furnished: true },
  )
})
