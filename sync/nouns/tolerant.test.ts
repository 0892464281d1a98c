import fc from 'fast-check'
import * as v from 'valibot'
import { user as userShape } from '#schema/wire/account'
import { expect, test } from 'vitest'
import { readAccount } from './account/commands.ts'
import { readConversation, readMessage } from './conversation/documents.ts'
import { straighten } from './listing/straighten.ts'
import { readListing } from '#schema/listingDocument'
import { readNotification } from './notification/questions.ts'
import { amount, idOf, image, moment, page, seller } from './tolerant.ts'

/** [API 19], row by row. */

const NOW = Date.UTC(2026, 2, 1)
const read = (body: object) => readListing({ id: 'L1', title: 'Corolla', ...body }, NOW)

test('a list as a bare array, or as items', () => {
  const rows = [{ id: 'a' }, { id: 'b' }]
  for (const body of [rows, { items: rows }, { results: rows }])
    expect(page(body, idOf)?.rows).toEqual(['a', 'b'])
  expect(page(rows, idOf)).toMatchObject({ next: null, count: null })
  expect(page({ detail: 'no' }, idOf)).toBeNull()
})

test('numeric ids are texts', () => {
  expect(readListing({ id: 7, title: 'x', seller: 3 }, NOW)).toMatchObject({
    id: '7',
    seller_id: '3',
    seller: { id: '3', username: '3' },
  })
})

test('a price as text or decimal', () => {
  expect([
    amount('3500000.00'),
    amount('12'),
    amount(99.6),
    amount(''),
    amount('x'),
    amount(-1),
    amount(null),
  ]).toEqual([3_500_000, 12, 100, null, null, null, null])
  expect(read({ price: '0.00' })?.price).toBeNull()
})

test('category as slug, name or object; places as names or in one object', () => {
  expect(read({ category: 'vehicles' })?.category).toBe('vehicles')
  expect(read({ category: { name: 'Véhicules' } })?.category).toBe('Véhicules')
  const plain = read({ category: 'Véhicules', region: 'Kadiogo', town: 'Ouagadougou' })
  expect(plain && straighten(plain)).toMatchObject({
    category: 'vehicles',
    region: 'kadiogo',
    region_name: 'Kadiogo',
    town: 'ouagadougou',
    town_name: 'Ouagadougou',
  })
  expect(
    read({ location: { region: { slug: 'kadiogo', name: 'Kadiogo' }, town: 'Ouaga' } }),
  ).toMatchObject({ region: 'kadiogo', region_name: 'Kadiogo', town: 'Ouaga' })
  const unknown = read({ category: 'Fusées', region: 'Lune' })
  expect(unknown && straighten(unknown)).toMatchObject({ category: 'Fusées', region: 'Lune' })
})

test('images as addresses only', () => {
  const one = { url: '/a.jpg', base: '', widths: [], formats: [], thumbhash: null }
  for (const body of ['/a.jpg', { id: 1, image: '/a.jpg' }, { url: '/a.jpg' }])
    expect(image(body)).toMatchObject(one)
  expect(read({ images: ['/a.jpg', null, 3, {}] })).toMatchObject({ cover: one, images_count: 1 })
})

test('flags missing: the status decides, else it is active', () => {
  expect(read({})).toMatchObject({
    status: 'active',
    is_active: true,
    is_sold: false,
    review_status: 'approved',
  })
  expect(read({ status: 'sold' })).toMatchObject({ status: 'sold', is_sold: true })
  expect(read({ is_reserved: true })).toMatchObject({ status: 'reserved' })
  expect(read({ status: 'pending' })).toMatchObject({ review_status: 'pending' })
  expect(read({ status: 'new thing' })).toMatchObject({ status: 'active' })
})

test('created_at for posted_at, views for views_total', () => {
  expect(read({ created_at: '2026-03-01T09:15:04Z', views: 7 })).toMatchObject({
    posted_at: '2026-03-01T09:15:04.000Z',
    views_total: 7,
    newest: -Date.UTC(2026, 2, 1, 9, 15, 4),
  })
})

test('times without zone, with microseconds, as seconds or milliseconds', () => {
  const at = '2026-03-01T09:15:04.120Z'
  for (const given of [
    '2026-03-01T09:15:04.120',
    '2026-03-01 09:15:04.120000',
    '2026-03-01T10:15:04.120+01:00',
    Date.parse(at),
    Date.parse(at) / 1000,
    String(Date.parse(at)),
  ])
    expect(moment(given)).toBe(at)
  expect([moment('soon'), moment(null), moment(Number.NaN)]).toEqual([null, null, null])
})

test('a seller as a name, and one whose account is gone', () => {
  expect(seller('Aïcha')).toMatchObject({ id: '', username: 'Aïcha', deleted: false })
  expect(seller({ id: 'U9', username: 'compte-supprime', deleted: true })).toMatchObject({
    deleted: true,
    slug: null,
  })
})

test('what is whole is read as it is, and what is missing is empty', () => {
  const whole = {
    id: 'U1',
    username: 'awa',
    email: 'awa@example.org',
    email_verified: true,
    phone: null,
    avatar: '/a.jpg',
    shop_name: null,
    slug: 'awa',
    bio: 'b',
    followers_count: 1,
    items_sold: 2,
    years_on_platform: 3,
    date_joined: '2025-03-01T09:15:04.120Z',
    typical_response_hours: null,
    following_count: 4,
    verified_seller: true,
    is_moderator: false,
    language: 'en',
    counters: { unread_messages: 1, unread_conversations: 2, unread_notifications: 3 },
    updated_at: '2026-03-01T09:15:04.120Z',
  }
  expect(readAccount(whole)?.user).toEqual(whole)
  const { user } = readAccount({ id: 1, username: 'awa' }) ?? {}
  expect(v.is(userShape, user)).toBe(true)
  expect(user).toMatchObject({ id: '1', slug: '1', bio: '', language: 'fr', followers_count: 0 })
})

test('what is not there at all is no row', () => {
  for (const nothing of [null, undefined, 3, 'x', [], {}, { id: '' }, { id: 'a b' }]) {
    expect(readListing(nothing, NOW)).toBeNull()
    expect(readMessage(nothing)).toBeNull()
    expect(readConversation(nothing)).toBeNull()
    expect(readNotification(nothing)).toBeNull()
    expect(readAccount(nothing)).toBeNull()
  }
})

test('nothing that a server may say makes a reader throw', () => {
  const odd = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom('vehicles', '2026-03-01', '3500000.00', 'true', -1, 1e300),
  )
  const body = fc.dictionary(
    fc.constantFrom(
      'id',
      'title',
      'price',
      'category',
      'region',
      'town',
      'location',
      'images',
      'seller',
      'status',
      'rating',
      'posted_at',
      'description',
      'specs',
      'participants',
      'listing',
      'last_message',
      'conversation',
      'content',
      'attachment',
      'event',
      'event_id',
      'message',
      'meta',
      'from_user',
      'username',
      'counters',
      'ts',
    ),
    odd,
  )
  fc.assert(
    fc.property(body, (sent) => {
      const listing = readListing({ ...sent, id: 'L1', title: 'x' }, NOW)
      if (listing === null) throw new Error('a listing with id and title is one')
      straighten(listing)
      expect([listing.newest, listing.storedAt].every((key) => Number.isSafeInteger(key))).toBe(
        true,
      )
      expect(listing.category.length).toBeLessThanOrEqual(40)
      readMessage(sent)
      readConversation(sent)
      readNotification(sent)
      readAccount(sent)
    }),
    { numRuns: 400 },
  )
})
