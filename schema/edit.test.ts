import { expect, test } from 'vitest'
import { changed, clashes, type Current, type Edit, rebase } from './edit.ts'
import type { ListingFields } from './port/ownListing.ts'

const fields: ListingFields = {
  title: 'Toyota Corolla',
  description: 'Bon état',
  category: 'vehicles',
  price: 3_000_000,
  negotiable: false,
  region: 'kadiogo',
  town: null,
  neighbourhood: null,
  location_note: null,
  contact_phone: null,
  specs: { brand: 'Toyota', year: 2012, fuel: 'petrol' },
}
const now = (
  more: Partial<ListingFields> = {},
  images: readonly string[] = ['I1', 'I2'],
): Current => ({ fields: { ...fields, ...more }, images, pictures: [], version: 9 })
const edit = (wanted: Partial<ListingFields>, images: Edit['images'] = null): Edit => {
  const given = changed(fields, { ...fields, ...wanted })
  return {
    fields: given,
    base: Object.fromEntries(Object.entries(fields).filter(([name]) => name in given)),
    images,
  }
}
const everything = () => true
const nothing = () => false

test('only what changed is sent; members of specs may stand in any order', () => {
  expect(
    changed(fields, {
      ...fields,
      price: 2_900_000,
      specs: { fuel: 'petrol', year: 2012, brand: 'Toyota' },
    }),
  ).toEqual({ price: 2_900_000 })
})

test('an edit of something else is no conflict, nor is the same edit', () => {
  expect(clashes(edit({ price: 1 }), now({ title: 'Autre titre' }))).toEqual([])
  expect(clashes(edit({ price: 1 }), now({ price: 1 }))).toEqual([])
  expect(
    rebase(edit({ price: 1, title: 'Le même' }), now({ title: 'Le même' }), everything),
  ).toEqual({ fields: { price: 1 }, base: { price: 3_000_000 }, images: null })
})

test('specs meet one by one: what each side changed alone is kept from both', () => {
  const mine = edit({ specs: { brand: 'Toyota', year: 2013 } })
  const theirs = now({ specs: { brand: 'Toyota', year: 2012, fuel: 'petrol', mileage: 90_000 } })
  expect(clashes(mine, theirs)).toEqual([])
  expect(rebase(mine, theirs, everything).fields).toEqual({
    specs: { brand: 'Toyota', year: 2013, mileage: 90_000 },
  })
})

test('what both changed is named, and goes on as it was chosen', () => {
  const mine = edit({
    price: 2_900_000,
    title: 'Corolla propre',
    specs: { brand: 'Toyota', year: 2013, fuel: 'petrol' },
  })
  const theirs = now({ price: 2_800_000, specs: { brand: 'Toyota', year: 2011, fuel: 'diesel' } })
  expect(clashes(mine, theirs)).toEqual(['price', 'specs.year'])
  expect(rebase(mine, theirs, (name) => name === 'price')).toEqual({
    fields: { price: 2_900_000, title: 'Corolla propre' },
    base: { price: 2_800_000, title: 'Toyota Corolla' },
    images: null,
  })
  expect(rebase(mine, theirs, nothing).fields).toEqual({ title: 'Corolla propre' })
  expect(rebase(mine, theirs, everything).fields.specs).toEqual({
    brand: 'Toyota',
    year: 2013,
    fuel: 'diesel',
  })
})

test('another category takes its own answers along', () => {
  const mine = edit({ category: 'motos', specs: { type: 'scooter' } })
  const theirs = now({ specs: { brand: 'Toyota', year: 2011, fuel: 'petrol' } })
  expect(clashes(mine, theirs)).toEqual([])
  expect(rebase(mine, theirs, everything).fields).toEqual({
    category: 'motos',
    specs: { type: 'scooter' },
  })
})

test('[S7.16] a photo edit whose answer was lost has no conflict with itself, and continues with the order', () => {
  const mine = edit({ price: 1 }, { order: ['I3', 'I2'], before: ['I1', 'I2', 'I3'] })
  const arrived = now({ price: 1 }, ['I2', 'I3'])
  expect(clashes(mine, arrived)).toEqual([])
  expect(rebase(mine, arrived, nothing)).toEqual({
    fields: {},
    base: {},
    images: { order: ['I3', 'I2'], before: ['I2', 'I3'] },
  })
  expect(clashes(mine, now({ price: 1 }, ['I3']))).toEqual(['images'])
})

test('photos clash when both sides touched them; what the other took away is not put back', () => {
  const mine = edit({}, { order: ['I2', 'new', 'I1'], before: ['I1', 'I2'] })
  expect(clashes(mine, now())).toEqual([])
  expect(clashes(mine, now({}, ['I2', 'I3']))).toEqual(['images'])
  expect(rebase(mine, now({}, ['I2', 'I3']), everything).images).toEqual({
    order: ['I2', 'new'],
    before: ['I2', 'I3'],
  })
  expect(rebase(mine, now({}, ['I2', 'I3']), nothing).images).toBeNull()
  expect(
    rebase(
      edit({}, { order: ['I2', 'I1'], before: ['I1', 'I2'] }),
      now({}, ['I2', 'I1']),
      everything,
    ).images,
  ).toBeNull()
})
