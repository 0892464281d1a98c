import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as v from 'valibot'
import type { Tx } from '../../../db/tables.ts'
import { testServer, type TestServer } from '../../../../tests/server/support/server.ts'
import { approve, reject } from '../moderation/moderation.ts'

type Person = Awaited<ReturnType<TestServer['person']>>
let server: TestServer
let me: Person
let other: Person
let photo: Blob
let tiny: Blob

beforeAll(async () => {
  server = await testServer()
  me = await server.person()
  other = await server.person()
  const image = async (side: number) =>
    new Blob([
      new Uint8Array(
        await sharp({ create: { width: side, height: side, channels: 3, background: '#a52' } })
          .jpeg()
          .toBuffer(),
      ),
    ])
  photo = await image(300)
  tiny = await image(100)
})
afterAll(() => server.close())

const anything = v.record(v.string(), v.any())
type Options = NonNullable<Parameters<TestServer['call']>[2]>

async function call(method: string, path: string, options: Options = {}) {
  const response = await server.call(method, path, { by: me, ...options })
  return {
    status: response.status,
    headers: response.headers,
    body: v.parse(anything, await response.json().catch(() => ({}))),
  }
}
const decide = (work: (tx: Tx) => Promise<unknown>) => server.services.database.tx(work)
const FIELDS = {
  title: 'Toyota Corolla 2012',
  description: 'Très bon état',
  category: 'cars',
  price: 3_500_000,
  region: 'Centre',
  town: 'Ouaga',
  contact_phone: '70 00 00 00',
  specs: { brand: 'Toyota', year: '2012' },
}
const make = async (more: object = {}): Promise<string> =>
  String((await call('POST', 'listings/', { json: { ...FIELDS, ...more } })).body['id'])
const approved = async (more: object = {}): Promise<string> => {
  const id = await make(more)
  await decide((tx) => approve(tx, id, 'moderator', new Date()))
  return id
}
const read = async (id: string) => (await call('GET', `listings/${id}/`)).body
const eventsOf = async (person: Person, name: string) =>
  (
    await server.services.database.db
      .selectFrom('event')
      .select('data')
      .where('user_id', '=', person.id)
      .where('name', '=', name)
      .execute()
  ).length

test('[S7.15] a new listing is pending, normalised and visible to its owner only', async () => {
  const { status, headers, body } = await call('POST', 'listings/', {
    json: { ...FIELDS, client_id: '0197c3f2-0000-7000-8000-000000000001' },
  })
  expect([status, headers.get('location')]).toEqual([201, `/api/listings/${body['id']}/`])
  expect(body).toMatchObject({
    status: 'pending',
    review_status: 'pending',
    posted_at: null,
    category: { slug: 'vehicles' },
    region: 'kadiogo',
    town: 'ouagadougou',
    contact_phone: '+22670000000',
    specs: { brand: 'Toyota', year: 2012 },
    version: 1,
    client_id: '0197c3f2-0000-7000-8000-000000000001',
    is_owner: true,
  })
  expect((await call('GET', `listings/${body['id']}/`, { by: other })).body['code']).toBe(
    'listing_not_found',
  )
  expect((await call('POST', 'listings/', { by: null, json: FIELDS })).body['code']).toBe(
    'not_authenticated',
  )
})

test('[S5.04] every invalid field is named, with its code and text', async () => {
  const bad = {
    title: 'Toy',
    description: '',
    category: 'spaceship',
    price: '1.5',
    region: '',
    town: 'x'.repeat(81),
    contact_phone: '12',
    specs: 7,
  }
  const { status, body } = await call('POST', 'listings/', { json: bad })
  expect(status).toBe(400)
  expect(body['field_codes']).toMatchObject({
    title: [{ code: 'too_short', min: 5, max: 120 }],
    description: [{ code: 'blank' }],
    region: [{ code: 'required' }],
    town: [{ code: 'too_long', max: 80 }],
    specs: [{ code: 'invalid' }],
  })
  expect(body['detail']).toBe('Le titre doit contenir entre 5 et 120 caractères.')
  expect(body['region']).toEqual(['La région est obligatoire.'])
  const worse = await call('POST', 'listings/', {
    json: {
      ...FIELDS,
      category: 'spaceship',
      price: '1.5',
      region: 'Atlantide',
      contact_phone: '12',
    },
  })
  expect(worse.body['field_codes']).toEqual({
    category: [{ code: 'invalid_choice' }],
    price: [{ code: 'invalid' }],
    region: [{ code: 'invalid_choice' }],
    contact_phone: [{ code: 'phone_invalid' }],
  })
  const specs = await call('POST', 'listings/', {
    json: { ...FIELDS, specs: { year: 1900, fuel: 'water', wings: 2 } },
  })
  expect(specs.body['field_codes']).toEqual({
    'specs.year': [{ code: 'min_value', min: 1970, max: 2027 }],
    'specs.fuel': [{ code: 'invalid_choice' }],
  })
})

test.each([
  ['vehicles', undefined, 'required'],
  ['vehicles', '', 'required'],
  ['vehicles', 0, 'min_value'],
  ['vehicles', -5, 'min_value'],
  ['vehicles', 2_000_000_001, 'max_value'],
  ['vehicles', 'cher', 'invalid'],
  ['vehicles', true, 'invalid'],
  ['vehicles', '3 500 000', 3_500_000],
  ['jobs', undefined, null],
  ['jobs', 0, null],
  ['jobs', '', null],
  ['jobs', 75_000, 75_000],
])('[S9.01] a price in %s of %j is %j [D40, D110]', async (category, price, outcome) => {
  const { status, body } = await call('POST', 'listings/', { json: { ...FIELDS, category, price } })
  expect(status === 201 ? body['price'] : body['field_codes']['price'][0]['code']).toBe(outcome)
})

test('[S5.04] an unknown town becomes the location note [D64]', async () => {
  const known = await read(
    await make({ region: 'Est', town: 'Diapaga', neighbourhood: 'Secteur 9' }),
  )
  expect([known['region'], known['town'], known['neighbourhood'], known['location_note']]).toEqual([
    'tapoa',
    'diapaga',
    null,
    'Secteur 9',
  ])
  const unknown = await read(await make({ region: 'kadiogo', town: 'Bobo-Dioulasso' }))
  expect([unknown['region'], unknown['town'], unknown['location_note']]).toEqual([
    'kadiogo',
    null,
    'Bobo-Dioulasso',
  ])
  const both = await read(
    await make({ region: 'kadiogo', town: 'Komki-Ipala', neighbourhood: 'Secteur 99' }),
  )
  expect([both['town'], both['neighbourhood'], both['location_note']]).toEqual([
    null,
    null,
    'Komki-Ipala',
  ])
  const noted = await read(await make({ town: 'Nulle part', location_note: 'près du marché' }))
  expect([noted['town'], noted['location_note']]).toEqual([null, 'près du marché'])
})

test('[S7.15] one key creates one listing, also with repeated and concurrent requests', async () => {
  const key = '0197c3f2-0000-7000-8000-00000000abcd'
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => call('POST', 'listings/', { json: FIELDS, key })),
  )
  expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(1)
  expect(
    (await call('POST', 'listings/', { json: { ...FIELDS, price: 5 }, key })).body['code'],
  ).toBe('idempotency_key_reused')
  await server.services.database.db.deleteFrom('idempotency').execute()
  const late = await call('POST', 'listings/', { json: FIELDS, key })
  expect([late.status, late.body['id'], late.headers.get('idempotent-replayed')]).toEqual([
    201,
    answers[0]?.body['id'],
    'true',
  ])
  expect(
    (await call('POST', 'listings/', { json: { ...FIELDS, price: 5 }, key })).body['code'],
  ).toBe('idempotency_key_reused')
  await call('DELETE', `listings/${late.body['id']}/`)
  await server.services.database.db.deleteFrom('idempotency').execute()
  expect((await call('POST', 'listings/', { json: FIELDS, key })).body['code']).toBe(
    'listing_not_found',
  )
})

test('[S4.01] approval publishes and notifies the owner; the owner reads the reason of a rejection', async () => {
  const id = await approved()
  expect(await read(id)).toMatchObject({ status: 'active', version: 2 })
  expect((await call('GET', `listings/${id}/`, { by: other })).status).toBe(200)
  await decide((tx) => reject(tx, id, { text: 'photo floue' }, new Date()))
  expect(await read(id)).toMatchObject({ status: 'rejected', review_reason: 'photo floue' })
  expect(await eventsOf(me, 'listing.reviewed')).toBe(2)
  const { body } = await call('PATCH', `listings/${id}/`, { json: { price: 3_000_000 } })
  expect(body).toMatchObject({ status: 'pending', review_reason: null, price: 3_000_000 })
})

test('[S7.16] only text, category and new photos go back to review; no change does nothing [D50, D90]', async () => {
  const id = await approved()
  const same = await call('PATCH', `listings/${id}/`, {
    json: { ...FIELDS, title: `  ${FIELDS.title} ` },
  })
  expect([same.status, same.body['version'], same.body['status']]).toEqual([200, 2, 'active'])
  const price = await call('PATCH', `listings/${id}/`, {
    json: { price: 3_400_000, contact_phone: null, negotiable: true, is_sold: true },
  })
  expect(price.body).toMatchObject({
    version: 3,
    status: 'active',
    contact_phone: null,
    negotiable: true,
    is_sold: false,
  })
  const text = await call('PATCH', `listings/${id}/`, { json: { description: 'Moteur révisé' } })
  expect(text.body).toMatchObject({ version: 4, status: 'pending' })
  expect(
    (await call('PATCH', `listings/${id}/`, { json: { title: null } })).body['field_codes'],
  ).toEqual({ title: [{ code: 'required' }] })
  expect(
    (await call('PATCH', `listings/${id}/`, { json: { category: 'jobs' } })).body,
  ).toMatchObject({ category: { slug: 'jobs' }, specs: {} })
})

test('[S7.16] two edits of one version conflict only in fields that both change [D76]', async () => {
  const id = await approved()
  const first = await call('PATCH', `listings/${id}/`, { json: { price: 1000, base_version: 2 } })
  await call('POST', `listings/${id}/quick-toggle/`, {
    json: { action: 'reserved', desired: true },
  })
  const apart = await call('PATCH', `listings/${id}/`, {
    json: { negotiable: true, base_version: 2 },
  })
  const clash = await call('PATCH', `listings/${id}/`, {
    json: { price: 2000, negotiable: true, base_version: 3 },
  })
  expect([first.status, apart.status, clash.status]).toEqual([200, 200, 409])
  expect(clash.body).toMatchObject({
    code: 'edit_conflict',
    conflicts: ['negotiable'],
    current: { id, price: 1000, version: 5 },
  })
  expect((await call('PATCH', `listings/${id}/`, { json: { price: 2000 } })).body['price']).toBe(
    2000,
  )
})

test('[S6.03] another seller’s listing: 403 when it is public, else 404', async () => {
  const [open, hidden] = [await approved(), await make()]
  for (const [method, path, json] of [
    ['PATCH', '', { price: 5 }],
    ['POST', 'quick-toggle/', { action: 'sold' }],
    ['POST', 'reactivate/', {}],
    ['PATCH', 'reorder-images/', { image_ids: ['x'] }],
    ['DELETE', '', undefined],
  ] as const) {
    const codes = await Promise.all(
      [open, hidden, 'nothing'].map(
        async (id) =>
          (await call(method, `listings/${id}/${path}`, { by: other, ...(json && { json }) })).body[
            'code'
          ],
      ),
    )
    expect(codes).toEqual(['permission_denied', 'listing_not_found', 'listing_not_found'])
  }
})

test('[S7.18] a toggle applies once; sold listings are counted, at most two own ones are featured', async () => {
  const id = await approved()
  const toggle = (action: string, desired?: boolean) =>
    call('POST', `listings/${id}/quick-toggle/`, { json: { action, desired } })
  expect((await toggle('sold', true)).body).toMatchObject({
    id,
    action: 'sold',
    changed: true,
    listing: { status: 'sold', is_sold: true, version: 3 },
  })
  expect((await toggle('mark_sold', true)).body).toMatchObject({
    changed: false,
    listing: { version: 3 },
  })
  expect((await toggle('sold', false)).body).toMatchObject({
    changed: true,
    listing: { status: 'active', sold_at: null },
  })
  expect((await toggle('explode')).body['field_codes']).toEqual({
    action: [{ code: 'invalid_choice' }],
  })
  for (const action of [5, true, ['sold']])
    expect(
      (await call('POST', `listings/${id}/quick-toggle/`, { json: { action } })).body[
        'field_codes'
      ],
    ).toEqual({ action: [{ code: 'invalid_choice' }] })
  expect((await toggle('')).body['field_codes']).toEqual({ action: [{ code: 'required' }] })
  expect((await toggle('mark_sold', false)).body['field_codes']).toEqual({
    desired: [{ code: 'invalid' }],
  })
  expect((await toggle('featured', true)).body).toMatchObject({ listing: { is_featured: true } })
  const feature = async (one: string) =>
    (
      await call('POST', `listings/${one}/quick-toggle/`, {
        json: { action: 'featured', desired: true },
      })
    ).body
  const [second, third] = [await approved(), await approved()]
  expect((await feature(second))['changed']).toBe(true)
  expect((await feature(third))['code']).toBe('featured_limit')
  const { items_sold } = await server.services.database.db
    .selectFrom('app_user')
    .select('items_sold')
    .where('id', '=', me.id)
    .executeTakeFirstOrThrow()
  expect(items_sold).toBe(0)
  expect(
    (
      await call('POST', `listings/${await make()}/quick-toggle/`, {
        json: { action: 'sold', desired: true },
      })
    ).body['code'],
  ).toBe('listing_not_approved')
})

test('[S7.19] reactivate brings an expired listing back for days, at most 90 ahead', async () => {
  const id = await approved()
  const past = new Date(Date.now() - 1000)
  await server.services.database.db
    .updateTable('listing')
    .set({ expires_at: past, is_active: false, is_archived: true })
    .where('id', '=', id)
    .execute()
  const ahead = (body: Record<string, unknown>) =>
    Math.round((Date.parse(String(body['expires_at'])) - Date.now()) / 86_400_000)
  const first = await call('POST', `listings/${id}/reactivate/`)
  expect([first.body['status'], ahead(first.body)]).toEqual(['active', 30])
  expect(
    ahead((await call('POST', `listings/${id}/reactivate/`, { json: { add_days: 80 } })).body),
  ).toBe(90)
  expect(
    (await call('POST', `listings/${id}/reactivate/`, { json: { add_days: 0 } })).body[
      'field_codes'
    ],
  ).toEqual({ add_days: [{ code: 'min_value', min: 1, max: 90 }] })
  await call('POST', `listings/${id}/quick-toggle/`, { json: { action: 'sold', desired: true } })
  expect((await call('POST', `listings/${id}/reactivate/`)).body['code']).toBe('listing_is_sold')
})

test('[S7.17] deletion is final, and repeating it is 204', async () => {
  const id = await approved()
  expect([
    (await call('DELETE', `listings/${id}/`)).status,
    (await call('DELETE', `listings/${id}/`)).status,
  ]).toEqual([204, 204])
  expect((await call('GET', `listings/${id}/`)).body['code']).toBe('listing_not_found')
  expect((await call('PATCH', `listings/${id}/`, { json: { price: 5 } })).body['code']).toBe(
    'listing_not_found',
  )
})

function form(
  fields: Record<string, string>,
  files: readonly (readonly [string, Blob])[],
): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  for (const [name, blob] of files) data.append(name, blob, 'x.jpg')
  return data
}
const TEXTS = {
  title: FIELDS.title,
  description: FIELDS.description,
  category: 'vehicles',
  price: '3500000',
  region: 'kadiogo',
  specs: '{"year":2012}',
}
const upload = async (more: Record<string, string> = {}) =>
  (await call('POST', 'uploads/', { form: form(more, [['file', photo]]) })).body
const idsIn = (body: Record<string, unknown>) =>
  v.parse(v.array(anything), body['images']).map((image) => String(image['id']))

test('[S3.02] [S7.20] photos in the form or as uploads, five at most, in the owner’s order', async () => {
  const sent = await upload({ client_id: '0197c3f2-0000-7000-8000-0000000000aa' })
  expect(sent).toMatchObject({
    upload_id: String(sent['id']),
    client_id: '0197c3f2-0000-7000-8000-0000000000aa',
    image: { position: 0, width: 300 },
  })
  const { status, body } = await call('POST', 'listings/', {
    form: form({ ...TEXTS, uploaded_image_ids: String(sent['id']) }, [
      ['uploaded_images', photo],
      ['uploaded_images', photo],
    ]),
  })
  expect([status, body['images_count'], body['specs']]).toEqual([201, 3, { year: 2012 }])
  const ids = idsIn(body)
  expect(ids[2]).toBe(sent['id'])
  const again = await call('PATCH', `listings/${body['id']}/reorder-images/`, {
    json: { image_ids: [ids[2], 'unknown'] },
  })
  expect([idsIn(again.body), again.body['version']]).toEqual([[ids[2], ids[0], ids[1]], 2])
  expect(
    (
      await call('PATCH', `listings/${body['id']}/reorder-images/`, {
        json: { image_ids: [ids[0], ids[0]] },
      })
    ).body['field_codes'],
  ).toEqual({ image_ids: [{ code: 'invalid' }] })
  const edited = await call('PATCH', `listings/${body['id']}/`, {
    form: form({ removed_image_ids: ids[2] ?? '' }, [
      ['uploaded_images', photo],
      ['uploaded_images', photo],
      ['uploaded_images', photo],
    ]),
  })
  expect([edited.body['images_count'], idsIn(edited.body).slice(0, 2)]).toEqual([
    5,
    [ids[0], ids[1]],
  ])
  const full = await call('PATCH', `listings/${body['id']}/`, {
    form: form({}, [['uploaded_images', photo]]),
  })
  expect(full.body['field_codes']).toEqual({ uploaded_images: [{ code: 'too_many_images' }] })
  expect((await read(String(body['id'])))['images_count']).toBe(5)
})

test('[S5.05] one invalid photo fails the whole request and is named; nothing is stored', async () => {
  const before = Number((await call('GET', 'profile/my-listings/')).body['count'])
  const { body } = await call('POST', 'listings/', {
    form: form(TEXTS, [
      ['uploaded_images', photo],
      ['uploaded_images', tiny],
    ]),
  })
  expect(body['field_codes']).toEqual({
    uploaded_images: [{ code: 'image_too_small' }],
    'images.1': [{ code: 'image_too_small' }],
  })
  expect((await call('GET', 'profile/my-listings/')).body['count']).toBe(before)
  expect(
    (await call('POST', 'uploads/', { form: form({}, [['file', new Blob(['%PDF'])]]) })).body[
      'field_codes'
    ],
  ).toEqual({ file: [{ code: 'image_type_unsupported' }] })
  expect(
    (await call('POST', 'uploads/', { form: form({ x: 'y' }, []) })).body['field_codes'],
  ).toEqual({ file: [{ code: 'required' }] })
})

test('[S4.19] an upload is used once, by its owner, within seven days; a failed request leaves it usable', async () => {
  const [mine, spent, dropped] = [await upload(), await upload(), await upload()].map((one) =>
    String(one['id']),
  )
  const theirs = String(
    v.parse(
      anything,
      await (
        await server.call('POST', 'uploads/', { by: other, form: form({}, [['file', photo]]) })
      ).json(),
    )['id'],
  )
  await make({ uploaded_image_ids: [spent] })
  await call('DELETE', `uploads/${dropped}/`)
  const bad = await call('POST', 'listings/', {
    json: { ...FIELDS, uploaded_image_ids: [mine, spent, dropped, theirs] },
  })
  expect(bad.body['field_codes']['uploaded_image_ids']).toEqual(
    [spent, dropped, theirs].map((upload_id) => ({ code: 'upload_not_found', upload_id })),
  )
  const good = await call('POST', 'listings/', { json: { ...FIELDS, uploaded_image_ids: [mine] } })
  expect(idsIn(good.body)).toEqual([mine])
  expect((await call('DELETE', `uploads/${mine}/`)).status).toBe(204)
  expect(idsIn(await read(String(good.body['id'])))).toEqual([mine])
})

test('[S7.24] my listings: by status, with counters and totals', async () => {
  const person = await server.person()
  const by = { by: person }
  const one = String((await call('POST', 'listings/', { ...by, json: FIELDS })).body['id'])
  const two = String(
    (await call('POST', 'listings/', { ...by, json: { ...FIELDS, price: 5 } })).body['id'],
  )
  await decide((tx) => approve(tx, one, 'moderator', new Date()))
  await call('POST', `listings/${two}/quick-toggle/`, {
    ...by,
    json: { action: 'archived', desired: true },
  })
  const list = async (query: string) =>
    (await call('GET', `profile/my-listings/?${query}`, by)).body
  const ids = async (query: string) =>
    v.parse(v.array(anything), (await list(query))['results']).map((row) => row['id'])
  expect([
    await ids(''),
    await ids('status=active'),
    await ids('status=archived'),
    await ids('status=sold'),
    await ids('ordering=price'),
  ]).toEqual([[one, two], [one], [two], [], [two, one]])
  expect((await list(''))['totals']).toEqual({
    all: 2,
    active: 1,
    archived: 1,
    pending: 0,
    sold: 0,
    views_total: 0,
    views_today: 0,
    contacts_total: 0,
  })
  expect((await list('status=lost'))['field_codes']).toEqual({
    status: [{ code: 'invalid_choice' }],
  })
})
