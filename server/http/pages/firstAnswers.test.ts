import { expect, test } from 'vitest'
import { firstKey } from '#schema/questionKey'
import { firstAnswers } from './firstAnswers.ts'

const image = {
  id: 'I1',
  position: 0,
  width: 4,
  height: 3,
  url: '/media/images/a/640.webp',
  base: '/media/images/a',
  widths: [640],
  formats: ['webp'],
  avif_widths: [],
  thumbhash: null,
  color: null,
}
const seller = {
  id: 'U2',
  username: 'awa',
  shop_name: null,
  slug: 'awa',
  avatar: null,
  verified_seller: false,
  deleted: false,
}
const card = {
  id: 'L1',
  title: 'Vélo',
  price: 25_000,
  currency: 'XOF',
  negotiable: false,
  condition: 'used',
  category: { id: 'sports', slug: 'sports', name: 'Sports' },
  region: 'kadiogo',
  region_name: 'Kadiogo',
  town: null,
  town_name: null,
  neighbourhood: null,
  neighbourhood_name: null,
  location_note: null,
  images: [image],
  images_count: 1,
  seller,
  rating: { average: null, count: 0 },
  status: 'active',
  review_status: 'approved',
  is_active: true,
  is_sold: false,
  is_reserved: false,
  is_archived: false,
  is_featured: false,
  has_phone: false,
  is_favorite: true,
  is_owner: true,
  views_total: 1,
  views_today: 0,
  posted_at: '2026-11-20T10:00:00.000Z',
  updated_at: '2026-11-20T10:00:00.000Z',
}

const asked = { name: 'listings.browse', params: { filters: { search: 'vélo' } } } as const

test('[S2.03] a first visit is given its list with the page, without what belongs to one account', () => {
  const page = { results: [card], count: 41, next: '/api/listings/?page=2' }
  const given = firstAnswers([[asked, page]])
  // The key that the app looks for, whatever length and reading of the list it asks.
  const key = firstKey({ ...asked, params: { ...asked.params, limit: 40, from: 7 } })
  expect(given[key]).toMatchObject({
    facts: { count: 41, covered: 1, more: true },
    rows: [
      {
        id: 'L1',
        category: 'sports',
        cover: image,
        seller_id: 'U2',
        newest: -Date.parse(card.posted_at),
      },
    ],
  })
  expect(JSON.stringify(given)).not.toMatch(/is_favorite|is_owner/)
})

test('what is not ours is not given', () => {
  expect(firstAnswers([[asked, { results: [{ id: 1 }] }]])).toEqual({})
})
