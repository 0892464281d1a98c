import { expect, test } from 'vitest'
import type { OwnListingDocument } from '#schema/disk/documents'
import type { Entry } from '#schema/disk/entry'
import { ownOf } from './upsert.ts'
import { readListing } from '#schema/listingDocument'
import { waitingEntry } from '../../../tests/engine/entry.ts'
import { withOptimisticState } from './optimistic.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const image = (id: string) => ({ id, url: `/media/${id}.webp` })

function own(more: object = {}): OwnListingDocument {
  const body = {
    id: 'L1',
    title: 'Vélo',
    price: 1000,
    description: 'd',
    images: [image('I1'), image('I2')],
    status: 'active',
    review_status: 'approved',
    is_active: true,
    expires_at: '2026-11-30T00:00:00.000Z',
    version: 3,
    ...more,
  }
  const listing = readListing(body, now)
  if (!listing) throw new Error('no listing')
  return ownOf(listing, body)
}

const entry = (
  name: string,
  payload: Record<string, unknown>,
  state: Entry['state'] = 'waiting',
): Entry =>
  waitingEntry({
    id: '00000000-0000-7000-8000-000000000001',
    sequence: 1,
    lane: 'listing:L1',
    name,
    payload: { listing: 'L1', ...payload },
    state,
    bornAt: now,
  })

const edit = (more: object) =>
  entry('listing.edit', {
    draft: 'DRAFT1',
    fields: {},
    base: {},
    photos: [],
    images: null,
    baseVersion: 3,
    wifiOnly: false,
    ...more,
  })

test('[S4.02] waiting changes show at once, in order; refused ones do not', () => {
  const sold = entry('listing.state', { flag: 'sold', desired: true })
  const back = entry('listing.state', { flag: 'sold', desired: false })
  expect(withOptimisticState(own(), [sold], now)?.status).toBe('sold')
  expect(withOptimisticState(own(), [sold, back], now)?.status).toBe('active')
  expect(withOptimisticState(own(), [{ ...sold, state: 'refused' }], now)).toEqual(own())
  expect(withOptimisticState(own(), [entry('listing.delete', {})], now)).toBeNull()
  expect(
    withOptimisticState(own(), [{ ...sold, payload: { ...sold.payload, listing: 'L2' } }], now),
  ).toEqual(own())
})

test('[S4.02] side effects are applied too: hidden or sold is not featured, sold is not reserved', () => {
  const toggle = (flag: string, desired: boolean) => entry('listing.state', { flag, desired })
  const shown = own({ is_featured: true, is_reserved: true })
  for (const [flag, desired] of [
    ['archived', true],
    ['active', false],
    ['sold', true],
  ] as const) {
    expect(
      withOptimisticState(shown, [toggle(flag, desired), toggle(flag, !desired)], now)?.is_featured,
    ).toBe(false)
  }
  expect(
    withOptimisticState(shown, [toggle('sold', true), toggle('sold', false)], now)?.status,
  ).toBe('active')
  expect(
    withOptimisticState(shown, [toggle('archived', true), toggle('archived', false)], now)?.status,
  ).toBe('reserved')
})

test('[S7.19] days are added to the end, no further than 90 from the tap', () => {
  const renewed = (days: number) =>
    withOptimisticState(own({ is_active: false }), [entry('listing.reactivate', { days })], now)
  expect(renewed(30)).toMatchObject({ status: 'active', expires_at: '2026-12-30T00:00:00.000Z' })
  expect(renewed(90)?.expires_at).toBe('2027-02-19T12:00:00.000Z')
})

test('[S4.01] text sends a listing back to review, a price does not, and of a refused one anything does', () => {
  expect(withOptimisticState(own(), [edit({ fields: { price: 900 } })], now)).toMatchObject({
    price: 900,
    status: 'active',
  })
  expect(withOptimisticState(own(), [edit({ fields: { title: 'Vélo neuf' } })], now)).toMatchObject(
    { title: 'Vélo neuf', status: 'pending' },
  )
  const refused = own({ status: 'rejected', review_status: 'rejected', review_reason: 'flou' })
  expect(withOptimisticState(refused, [edit({ fields: { price: 900 } })], now)).toMatchObject({
    status: 'pending',
    review_reason: null,
  })
})

test('[API 9.2] an edit made over a waiting one starts from the version that the waiting one has seen', () => {
  const waits = entry('listing.edit', {
    listing: 'L1',
    draft: '00000000-0000-7000-8000-000000000002',
    fields: { price: 900 },
    base: { price: 1000 },
    photos: [],
    images: null,
    baseVersion: 3,
    wifiOnly: false,
  })
  // Another device changed the price, which the waiting edit covers.
  const shown = withOptimisticState(own({ version: 4, price: 1200 }), [waits], now)
  expect([shown?.price, shown?.more?.version]).toEqual([900, 3])
})

test('[S7.20] photos stand in the new order, as far as the server has them', () => {
  const edited = withOptimisticState(
    own(),
    [
      edit({
        photos: [{ id: 'new', bytes: 1 }],
        images: { order: ['I2', 'new'], before: ['I1', 'I2'] },
      }),
    ],
    now,
  )
  expect(edited?.more?.images.map(({ id }) => id)).toEqual(['I2'])
  expect(edited?.cover?.id).toBe('I2')
})
