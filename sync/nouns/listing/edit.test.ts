import { expect, test } from 'vitest'
import type { Payload } from '#schema/port/command'
import type { Step } from '../../noun.ts'
import { commands } from './ownCommands.ts'
import { keepingUploads } from './publish.ts'

type P = Payload<'listing.edit'>
const edit = commands['listing.edit']
const image = (id: string) => ({
  id,
  url: `/media/${id}.webp`,
  base: `/media/${id}`,
  position: 0,
  width: 640,
  height: 480,
  widths: [640],
  formats: ['webp'],
  avif_widths: [],
  thumbhash: '',
  color: '#000',
})
const photo = (id: string, upload: string | null = null) => ({ id, bytes: 1000, upload, round: 0 })
const plain: P = {
  listing: 'L1',
  draft: 'DRAFT1',
  fields: { price: 900 },
  base: { price: 1000 },
  photos: [],
  images: null,
  baseVersion: 4,
  wifiOnly: false,
}
const queued = (payload: P) => ({ id: 'K1', owner: 'U1', sequence: 1, createdAt: 0, payload })

/** Runs the entry through all its steps and lists the requests with their keys. */
function played(start: P, server: (name: string, body: unknown) => unknown): readonly unknown[] {
  const calls: unknown[] = []
  let payload: P | null = start
  while (payload) {
    const step: Step<P, unknown> = edit.deliver(queued(payload))
    const { call, key, body } = step
    calls.push([call.name, key ?? 'K1', body])
    const progress = step.answer(server(call.name, body))
    if (progress === null) throw new Error('not an answer')
    payload = 'next' in progress ? progress.next : null
  }
  return calls
}

test('[S7.16] what changed goes in one call that says from which version', () => {
  expect(played(plain, () => ({ id: 'L1', title: 'T', images: [] }))).toEqual([
    ['listing.edit', 'K1', { price: 900, base_version: 4 }],
  ])
})

test('[S4.19] [S7.20] sends new photos one by one, then the edit, then the order, each with its own key', () => {
  const payload: P = {
    ...plain,
    photos: [photo('n1'), photo('n2')],
    images: { order: ['n2', 'I2', 'n1'], before: ['I1', 'I2'] },
  }
  const server = (name: string, body: unknown): unknown => {
    if (name === 'upload.create' || name === 'listing.upload')
      return { upload_id: `up-${String(Reflect.get(Object(body), 'client_id'))}` }
    return { id: 'L1', title: 'T', images: ['I2', 'up-n1', 'up-n2'].map(image) }
  }
  const calls = played(payload, server)
  expect(calls.slice(2)).toEqual([
    [
      'listing.edit',
      'K1',
      {
        price: 900,
        uploaded_image_ids: ['up-n1', 'up-n2'],
        removed_image_ids: ['I1'],
        base_version: 4,
      },
    ],
    [expect.any(String), 'K1-order', { image_ids: ['up-n2', 'I2', 'up-n1'] }],
  ])
  expect(calls.slice(0, 2).map((call) => Array.isArray(call) && call[1])).toEqual(['n1', 'n2'])
})

test('[S7.20] another order alone is no edit: it asks for no review', () => {
  const calls = played(
    { ...plain, fields: {}, base: {}, images: { order: ['I2', 'I1'], before: ['I1', 'I2'] } },
    () => ({ id: 'L1', images: ['I2', 'I1'].map(image) }),
  )
  expect(calls).toEqual([[expect.any(String), 'K1-order', { image_ids: ['I2', 'I1'] }]])
})

const seller = {
  id: 'U1',
  username: 'a',
  shop_name: null,
  slug: 'a',
  avatar: null,
  verified_seller: false,
  deleted: false,
  followers_count: 0,
  items_sold: 0,
  years_on_platform: 0,
  date_joined: '2026-01-01T00:00:00.000Z',
  typical_response_hours: null,
  listings_count: 1,
  is_following: null,
}
const now = (more: object) => ({
  id: 'L1',
  title: 'Vélo',
  price: 1000,
  currency: 'XOF',
  negotiable: false,
  condition: null,
  category: { id: 'other', slug: 'other', name: 'Autres' },
  region: 'kadiogo',
  region_name: 'Kadiogo',
  town: null,
  town_name: null,
  neighbourhood: null,
  neighbourhood_name: null,
  location_note: null,
  images: [],
  images_count: 0,
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
  is_favorite: null,
  is_owner: true,
  views_total: 0,
  views_today: 0,
  posted_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  description: 'd',
  specs: {},
  contact_phone: null,
  share_url: '',
  favorites_count: 0,
  created_at: '2026-01-01T00:00:00.000Z',
  version: 7,
  client_id: null,
  review_reason: null,
  expires_at: null,
  featured_until: null,
  sold_at: null,
  conversation_id: null,
  ...more,
})
const conflict = (current: object) => ({
  detail: 'Cette annonce a été modifiée entre-temps.',
  code: 'edit_conflict',
  conflicts: ['price'],
  current,
})

test('[S7.16] an edit is rebased on an equal value or its own; another value needs the user’s choice', () => {
  const heal = (payload: P, current: object) =>
    edit.deliver(queued(payload)).refused?.(conflict(current), 409) ?? null
  expect(heal(plain, now({ price: 1000, title: 'Autre' }))).toMatchObject({
    fields: { price: 900 },
    baseVersion: 7,
  })
  expect(heal(plain, now({ price: 900 }))).toMatchObject({ fields: {}, baseVersion: 7 })
  expect(heal(plain, now({ price: 800 }))).toBeNull()
  // A server whose version is not newer must not cause endless retries.
  expect(heal({ ...plain, baseVersion: 7 }, now({ title: 'Autre' }))).toBeNull()
})

test('an edit with new photos looks for them before a retry on a server that ignores keys [API 19]', () => {
  const payload: P = {
    ...plain,
    photos: [photo('n1', 'up-n1')],
    images: { order: ['n1', 'I2'], before: ['I1', 'I2'] },
  }
  const since = { matchedServerIds: new Set<string>(), triedAt: 0 }
  const look = (images: readonly string[]) =>
    edit
      .deliver(queued(payload))
      .keyless?.lookup.found({ id: 'L1', title: 'T', images: images.map(image) }, since)
  expect(look(['I2', 'P9'])).toMatchObject({ id: 'L1' })
  expect(look(['I1', 'I2'])).toBeUndefined()
  // Another device's photo, beside the new one.
  expect(look(['I1', 'I2', 'P9'])).toBeUndefined()
  const others = [{ ...payload, photos: [photo('n1')] }, plain]
  expect(others.map((one) => edit.deliver(queued(one)).keyless)).toEqual([undefined, undefined])
})

test('a publication whose uploads the server has forgotten for good sends them anew when it is published again', () => {
  const forgotten = { ...photo('n1', 'up-n1-3'), round: 3 }
  expect(keepingUploads([forgotten, photo('n2', 'up-n2')], [photo('n1'), photo('n2')])).toEqual([
    { ...photo('n1'), round: 4 },
    photo('n2', 'up-n2'),
  ])
})
