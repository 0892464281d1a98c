import { expect, test } from 'vitest'
import { clashes } from '#schema/edit'
import { priceChange, undone } from './priceChange.ts'

const listing = { id: 'l1', price: 45_000, more: null, version: 3 }
const change = priceChange(listing, 'd1', 40_000)

test('[S13.46] a new price is one field against the version that was seen', () => {
  expect(change).toMatchObject({
    listing: 'l1',
    fields: { price: 40_000 },
    base: { price: 45_000 },
    baseVersion: 3,
  })
  expect(priceChange({ ...listing, version: 0 }, 'd1', null)).toMatchObject({
    fields: { price: null },
    baseVersion: null,
  })
})

test('[S13.46] undoing has the same draft, and is no conflict whether the change arrived or not', () => {
  const back = undone(change)
  expect(back).toMatchObject({ draft: 'd1', fields: { price: 45_000 }, base: { price: 40_000 } })
  const now = (price: number) => ({
    version: 9,
    pictures: [],
    images: [],
    fields: {
      title: '',
      description: '',
      category: 'sports',
      price,
      negotiable: false,
      region: '',
      town: null,
      neighbourhood: null,
      location_note: null,
      contact_phone: null,
      specs: {},
    },
  })
  expect(clashes(back, now(40_000))).toEqual([])
  expect(clashes(back, now(45_000))).toEqual([])
  expect(clashes(back, now(44_000))).toEqual(['price'])
})
