import { expect, test } from 'vitest'
import { specFields } from '#schema/catalogue'
import { lengthOf } from '#schema/text'
import { check, firstWrong } from './check.ts'
import { fieldsOf, readForm, stepsOf } from './form.ts'
import { priceOf } from '../../parts/typedPrice.ts'

const asked = (category: string, required = true) => ({
  fields: specFields(category, 2026),
  price: { required },
})
const car = readForm({
  category: 'vehicles',
  title: 'Toyota Corolla',
  description: 'Bon état',
  price: '3 500 000 F CFA',
  region: 'kadiogo',
  specs: {
    brand: 'Toyota',
    model: 'Corolla',
    year: '2012',
    condition: 'used',
    fuel: 'petrol',
    transmission: 'manual',
    mileage: '120000',
  },
})

test.each([
  ['10000', 10_000],
  ['10 000 F', 10_000],
  ['10 000 F CFA', 10_000],
  ['10.000', 10_000],
  ['0', 0],
  ['', null],
  ['10,5', undefined],
  ['-5', undefined],
  ['dix mille', undefined],
  ['F', undefined],
])('[S5.04] a price typed as "%s" is read as whole francs', (text, amount) => {
  expect(priceOf(text)).toBe(amount)
})

test('[S5.04] the counter counts code points, as the server does', () => {
  expect(lengthOf('  moto 🛵  ')).toBe(6)
})

test('[S5.04] title, description and region are required, and the price where the category asks one', () => {
  expect(Object.keys(check('core', readForm({}), asked('vehicles')))).toEqual([
    'title',
    'description',
    'price',
    'region',
  ])
  expect(Object.keys(check('core', readForm({}), asked('jobs', false)))).toEqual([
    'title',
    'description',
    'region',
  ])
})

test('[S5.04] errors name 2,001 characters, a price of 0 or of text, and an invalid phone number', () => {
  expect(check('core', { ...car, description: 'é'.repeat(2000) }, asked('vehicles'))).toEqual({})
  expect(
    Object.keys(
      check(
        'core',
        { ...car, description: 'é'.repeat(2001), price: '0', phone: '123' },
        asked('vehicles'),
      ),
    ),
  ).toEqual(['description', 'price', 'phone'])
  expect(Object.keys(check('core', { ...car, price: 'cher' }, asked('vehicles', false)))).toEqual([
    'price',
  ])
})

test('[S2.38] [S3.07] required specs are checked, in the order of the form', () => {
  const bare = { ...car, specs: { year: '1800' } }
  const required = specFields('vehicles', 2026).filter(({ required }) => required)
  const faults = Object.keys(check('specs', bare, asked('vehicles')))
  expect(faults).toEqual(
    specFields('vehicles', 2026)
      .filter(({ name }) => name === 'year' || required.some((one) => one.name === name))
      .map(({ name }) => `specs.${name}`),
  )
  expect(check('specs', car, asked('vehicles'))).toEqual({})
})

test('[S3.05] a spec hidden by another answer is neither checked nor sent', () => {
  const land = {
    ...car,
    category: 'properties',
    specs: { property_type: 'land', bedrooms: '4', size_sqm: '300' },
  }
  expect(check('specs', land, asked('properties'))).not.toHaveProperty(['specs.bedrooms'])
  expect(fieldsOf(land, specFields('properties', 2026)).specs).not.toHaveProperty('bedrooms')
})

test('[S2.38] another category omits specs that do not fit, and switching back restores them', () => {
  const phones = { ...car, category: 'mobile-tablet' }
  expect(fieldsOf(phones, specFields('mobile-tablet', 2026)).specs).toEqual({
    brand: 'Toyota',
    model: 'Corolla',
    condition: 'used',
  })
  expect(fieldsOf(car, specFields('vehicles', 2026))).toMatchObject({
    price: 3_500_000,
    town: null,
    specs: { year: 2012, mileage: 120_000 },
  })
})

test('[S3.10] jobs have no specs, so they have one step less', () => {
  expect(stepsOf(specFields('jobs', 2026))).toEqual(['category', 'core', 'review'])
  expect(
    firstWrong(['category', 'core', 'specs', 'review'], { ...car, title: 'abc' }, asked('vehicles'))
      ?.step,
  ).toBe('core')
})

test('[S2.38] a draft of another version is read as far as it goes', () => {
  expect(readForm({ title: 'Vélo', price: 12, specs: null, colour: 'red' })).toMatchObject({
    title: 'Vélo',
    price: '',
    specs: {},
    step: 'category',
  })
})
