import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as v from 'valibot'
import {
  listingDetail,
  listingPage,
  type ListingDetail,
  type ListingPage,
} from '#schema/wire/listing'
import { testServer, type TestServer } from '../../../../tests/server/support/server.ts'
import { REASONS } from '../moderation/moderation.ts'
import {
  addListing,
  addPerson,
  signIn,
  type SampleFields,
} from '../../../../tests/server/support/sample.ts'

let server: TestServer
let seller: string
let other: string
let mine: { Authorization: string }
let theirs: { Authorization: string }

/** Offset that sets the server's clock to noon tomorrow: the day must not end between counts. */
const noon = new Date(Date.now() + 86_400_000).setUTCHours(12, 0, 0, 0) - Date.now()

beforeAll(async () => {
  server = await testServer([], {}, { clock: () => new Date(Date.now() + noon) })
  const { db } = server.services.database
  seller = await addPerson(db, 'awa')
  other = await addPerson(db, 'issa')
  mine = await signIn(db, seller)
  theirs = await signIn(db, other)
})
afterAll(() => server.close())
beforeEach(async () => {
  const { db } = server.services.database
  await db.updateTable('listing').set({ deleted_at: new Date() }).execute()
  await sql`truncate listing_view, listing_contact, search_signal, favorite, event, event_sequence cascade`.execute(
    db,
  )
})

const add = (more: SampleFields = {}) => addListing(server.services.database.db, seller, more)

async function call(path: string, init: RequestInit = {}) {
  const response = await server.app.request(path.startsWith('/') ? path : `/api/${path}`, init)
  return {
    status: response.status,
    headers: response.headers,
    body: v.parse(anything, await response.json().catch(() => ({}))),
  }
}
const anything = v.record(v.string(), v.any())
async function page(path: string, headers: Record<string, string> = {}): Promise<ListingPage> {
  const { status, body } = await call(path, { headers })
  if (status !== 200) throw new Error(`${path} answers ${status} ${JSON.stringify(body)}`)
  return v.parse(listingPage, body)
}
async function detail(id: string, headers: Record<string, string> = {}): Promise<ListingDetail> {
  return v.parse(listingDetail, (await call(`listings/${id}/`, { headers })).body)
}
const idsIn = ({ results }: ListingPage) => results.map(({ id }) => id)
const past = new Date(Date.now() - 1000)

const STATES: Record<string, SampleFields> = {
  active: {},
  reserved: { is_reserved: true },
  sold: { is_sold: true, is_active: false },
  pending: { review_status: 'pending', posted_at: null },
  rejected: { review_status: 'rejected' },
  inactive: { is_active: false },
  archived: { is_archived: true },
  expired: { expires_at: past },
  lapsed: { expires_at: past, lapsed: true },
  deleted: { deleted_at: past },
}

test('[S3.02] visibility of each state for others and the owner [API 5.1]', async () => {
  const seen: Record<string, unknown> = {}
  for (const [state, fields] of Object.entries(STATES)) {
    const id = await add(fields)
    const stranger = await call(`listings/${id}/`)
    const owner = await call(`listings/${id}/`, { headers: mine })
    const byId = await page(`listings/?ids=${id}`)
    const listed = idsIn(await page('listings/')).includes(id)
    const sold = idsIn(await page('shops/awa/listings/?status=sold')).includes(id)
    const own = idsIn(await page('listings/?seller=me', mine)).includes(id)
    seen[state] = [
      listed,
      stranger.body.code ?? stranger.status,
      owner.body.code ?? owner.body.status,
      (byId.missing ?? []).length === 0,
      sold,
      own,
    ]
  }
  expect(seen).toEqual({
    active: [true, 200, 'active', true, false, true],
    reserved: [true, 200, 'reserved', true, false, true],
    sold: [false, 200, 'sold', true, true, true],
    pending: [false, 'listing_not_found', 'pending', false, false, true],
    rejected: [false, 'listing_not_found', 'rejected', false, false, true],
    inactive: [false, 'listing_unavailable', 'inactive', false, false, true],
    archived: [false, 'listing_unavailable', 'archived', false, false, true],
    expired: [false, 'listing_unavailable', 'expired', false, false, true],
    lapsed: [false, 'listing_unavailable', 'expired', false, false, true],
    deleted: [false, 'listing_not_found', 'listing_not_found', false, false, false],
  })
})

test('[S6.04] a moderator reads pending and rejected listings with the reason', async () => {
  const { db } = server.services.database
  const id = await add({
    review_status: 'rejected',
    review_reason: 'photo floue',
    contact_phone: '+22670000000',
  })
  const moderator = await signIn(
    db,
    await addPerson(db, `mod-${Date.now()}`, { is_moderator: true }),
  )
  expect(await detail(id, moderator)).toMatchObject({
    status: 'rejected',
    review_reason: 'photo floue',
    is_owner: false,
    contact_phone: null,
    expires_at: null,
  })
})

test('[API 16] predefined rejection reasons are in the reader’s language, free text is unchanged', async () => {
  const { photo_missing: known } = REASONS
  const id = await add({ review_status: 'rejected', review_reason: known?.fr ?? '' })
  const rows = v.object({ results: v.array(v.object({ review_reason: v.nullable(v.string()) })) })
  for (const language of ['fr', 'en'] as const) {
    const headers = { ...mine, 'Accept-Language': language }
    expect((await detail(id, headers)).review_reason).toBe(known?.[language])
    expect(v.parse(rows, (await call('profile/my-listings/', { headers })).body).results).toEqual([
      { review_reason: known?.[language] },
    ])
  }
  const own = await add({ review_status: 'rejected', review_reason: 'photo floue' })
  expect((await detail(own, { ...mine, 'Accept-Language': 'en' })).review_reason).toBe(
    'photo floue',
  )
})

test('[S6.04] a suspended seller’s listings are hidden from everybody', async () => {
  const { db } = server.services.database
  const id = await add()
  await db
    .updateTable('app_user')
    .set({ suspended_at: new Date() })
    .where('id', '=', seller)
    .execute()
  const hidden = [
    idsIn(await page('listings/')).length,
    (await call(`listings/${id}/`)).body.code,
    (await call('shops/awa/')).body.code,
  ]
  await db.updateTable('app_user').set({ suspended_at: null }).where('id', '=', seller).execute()
  expect(hidden).toEqual([0, 'listing_not_found', 'not_found'])
  expect(idsIn(await page('listings/'))).toEqual([id])
})

test('[S2.37] the detail has all fields; private ones only for the owner', async () => {
  const id = await add({
    contact_phone: '+22670000000',
    review_reason: 'x',
    client_id: 'k-12345678',
    specs: { brand: 'Toyota', year: 2012 },
  })
  expect(await detail(id)).toMatchObject({
    contact_phone: null,
    has_phone: true,
    client_id: null,
    review_reason: null,
    expires_at: null,
    is_owner: false,
    is_favorite: null,
    specs: { brand: 'Toyota', year: 2012 },
    share_url: `http://yaar.test/listings/${id}`,
    seller: { username: 'awa', listings_count: 1, is_following: null },
    category: { name: 'Véhicules' },
  })
  const own = await detail(id, mine)
  expect(own).toMatchObject({
    contact_phone: '+22670000000',
    client_id: 'k-12345678',
    is_owner: true,
    is_favorite: false,
  })
  expect(own.expires_at).not.toBeNull()
  expect(await detail(id, { 'Accept-Language': 'en' })).toMatchObject({
    category: { name: 'Vehicles' },
  })
})

test('[S9.22] ids: in the requested order, without duplicates, sold ones too, others missing; at most 50', async () => {
  const [a, b, sold] = [await add(), await add(), await add({ is_sold: true })]
  const found = await page(
    `listings/?ids=${b},nothing,${a},${b},%3B,${sold}&category=jobs&price_min=x`,
  )
  expect(idsIn(found)).toEqual([b, a, sold])
  expect(found.missing).toEqual(['nothing', ';'])
  expect((await page('listings/?ids=')).results).toEqual([])
  const many = await call(`listings/?ids=${Array.from({ length: 51 }, (_, at) => `L${at}`).join()}`)
  expect(many.body).toMatchObject({
    code: 'validation_error',
    ids: ['50 identifiants au maximum.'],
    field_codes: { ids: [{ code: 'too_many_ids', max: 50 }] },
  })
})

test('[S7.03] invalid parameters are named with their code; seller=me requires sign-in', async () => {
  const bad = await call('listings/?category=spaceships&price_min=-1&ordering=best&spec.fuel=x')
  expect(bad.status).toBe(400)
  expect(bad.body.field_codes).toEqual({
    category: [{ code: 'invalid_choice' }],
    price_min: [{ code: 'invalid' }],
    ordering: [{ code: 'invalid_choice' }],
  })
  expect((await call('listings/?seller=me')).body.code).toBe('not_authenticated')
  expect(await page('listings/?seller=nobody')).toMatchObject({ count: 0, results: [] })
  expect((await call('listings/?page=0')).body.field_codes).toEqual({ page: [{ code: 'invalid' }] })
  expect((await call('listings/?page=2')).body.code).toBe('invalid_page')
  expect((await call('listings/?page=9999&page_size=50')).body.code).toBe('invalid_page')
  expect((await call('listings/%3Cscript%3E/')).body.code).toBe('listing_not_found')
})

test('[S5.07] suggestions: nothing below two characters, lists ignore such a search', async () => {
  const id = await add()
  expect(idsIn(await page('listings/?search=t&page_size=6'))).toEqual([])
  expect(idsIn(await page('listings/?search=t'))).toEqual([id])
  expect(idsIn(await page('listings/?search=toyo&page_size=6'))).toEqual([id])
})

test('[S7.03] repeated parameters: lists are joined, otherwise the last value counts', async () => {
  const moto = await add({ category: 'motos' })
  const job = await add({ category: 'jobs' })
  expect(
    idsIn(
      await page('listings/?category=motos&category=jobs&ordering=price&ordering=posted_at'),
    ).toSorted(),
  ).toEqual([moto, job].toSorted())
})

test('[S2.36] a page that is followed by `next` neither repeats nor misses a row when newer ones come', async () => {
  for (let at = 0; at < 45; at += 1)
    await add({ posted_at: new Date(Date.UTC(2026, 9, 1) - at * 1000) })
  const first = await page('listings/')
  for (let at = 0; at < 7; at += 1) await add({ posted_at: new Date(Date.UTC(2026, 9, 2) + at) })
  const second = await page(first.next ?? '')
  const third = await page(second.next ?? '')
  const ids = [first, second, third].flatMap(idsIn)
  expect(new Set(ids).size).toBe(45)
  expect([first.count, first.previous, third.next, second.previous]).toEqual([
    45,
    null,
    null,
    '/api/listings/?page=1',
  ])
})

test('[S7.03] a text may be anything: emoji, right-to-left, SQL, 2,000 letters without a space', async () => {
  const id = await add({ title: "شاحنة 😀 %_' OR 1=1 --", description: 'é'.repeat(2000) })
  for (const search of ['شاحن', "' OR 1=1 --", 'é'.repeat(100)])
    expect(idsIn(await page(`listings/?search=${encodeURIComponent(search)}`))).toEqual([id])
  expect((await call('listings/?search=%00')).body.code).toBe('parse_error')
  expect(idsIn(await page(`listings/?search=${encodeURIComponent("x' | 'a")}`))).toEqual([])
})

test('[S7.03] a visitor may cache a response for 30 s and revalidate it', async () => {
  await add()
  const first = await call('listings/?category=cars')
  const tag = first.headers.get('etag') ?? ''
  expect(first.headers.get('cache-control')).toBe('public, max-age=30, stale-while-revalidate=300')
  const again = await call('listings/?category=cars', { headers: { 'If-None-Match': tag } })
  expect(again.status).toBe(304)
  await add()
  expect(
    (await call('listings/?category=cars', { headers: { 'If-None-Match': tag } })).status,
  ).toBe(200)
  expect((await call('listings/', { headers: mine })).headers.get('cache-control')).toBe(
    'private, no-cache',
  )
})

test('[S7.05] one view per viewer and day, also with events/track; no owner, crawler or HEAD', async () => {
  const id = await add()
  const view = (headers: Record<string, string>, method = 'GET') =>
    call(`listings/${id}/with-view/`, { headers, method })
  const session = { 'X-Session-Id': 'session-0001' }
  expect((await view(session)).body).toMatchObject({ views_total: 1, views_today: 1 })
  await view(session)
  await view(mine)
  await view({ ...session, 'User-Agent': 'Googlebot/2.1' })
  await view({ 'X-Session-Id': 'session-0003' }, 'HEAD')
  const track = (event: object) =>
    server.app.request('/api/events/track/', {
      method: 'POST',
      headers: { ...session, 'Content-Type': 'text/plain' },
      body: JSON.stringify(event),
    })
  expect((await track({ event_type: 'listing_view', listing_id: id })).status).toBe(204)
  await track({
    events: [
      { event_type: 'listing_view', listing_id: id, session_id: 'session-0002' },
      { event_type: 'other', listing_id: id },
      7,
      { event_type: 'listing_view', listing_id: 'unknown' },
    ],
  })
  expect((await view(theirs)).body).toMatchObject({ views_total: 3, views_today: 3 })
  const last = Date.now() - 3 * 86_400_000
  await track({ event_type: 'listing_view', listing_id: id, session_id: 'session-0004', ts: last })
  expect(await detail(id)).toMatchObject({ views_total: 4, views_today: 3 })
  expect((await view(session)).headers.get('cache-control')).toBe('no-store')
})

test('[S7.46] events/track is 204 for any JSON', async () => {
  const send = async (body: string) =>
    (
      await server.app.request('/api/events/track/', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: 'Token nonsense' },
        body,
      })
    ).status
  expect([
    await send('[]'),
    await send('{}'),
    await send('{"events":"x"}'),
    await send('{'),
  ]).toEqual([204, 204, 204, 400])
  // Valid JSON, although other routes reject it.
  expect([
    await send('{"source":"\\ud800"}'),
    await send('{"source":"\\u0000"}'),
    await send('['.repeat(25) + ']'.repeat(25)),
  ]).toEqual([204, 204, 204])
})

test('[S7.21] contact: one notification per viewer and day, at most five for visitors', async () => {
  const { db } = server.services.database
  const id = await add({ contact_phone: '+22670000000' })
  const contact = async (headers: Record<string, string>, channel?: string) =>
    (
      await call(`listings/${id}/contacted/`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ channel }),
      })
    ).body
  expect(await contact(theirs)).toEqual({
    listing_id: id,
    channel: 'phone',
    contact_phone: '+22670000000',
  })
  expect(await contact(theirs, 'whatsapp')).toMatchObject({
    channel: 'whatsapp',
    contact_phone: '+22670000000',
  })
  expect(await contact(theirs, 'message')).toMatchObject({ contact_phone: null })
  expect(await contact(theirs, 'pigeon')).toMatchObject({
    field_codes: { channel: [{ code: 'invalid_choice' }] },
  })
  await contact(mine)
  for (let at = 0; at < 7; at += 1) await contact({ 'X-Session-Id': `session-000${at}` })
  const events = await db.selectFrom('event').select(['name', 'user_id', 'actor_id']).execute()
  expect(events).toHaveLength(6)
  expect(events.filter(({ actor_id }) => actor_id === other)).toHaveLength(1)
  const { contacts_total } = await db
    .selectFrom('listing_tally')
    .select('contacts_total')
    .where('listing_id', '=', id)
    .executeTakeFirstOrThrow()
  expect(contacts_total).toBe(3 + 7)
  await db
    .insertInto('block')
    .values({ blocker_id: seller, blocked_id: other, created_at: new Date() })
    .execute()
  const blocked = await contact(theirs)
  await db.deleteFrom('block').execute()
  expect(blocked.code).toBe('cannot_message_user')
})

test('[S7.06] [S9.20] similar: by category, brand, price, region; not itself or its duplicates', async () => {
  const model = { specs: { brand: 'Toyota' }, price: 1000, region: 'kadiogo' }
  const id = await add(model)
  const { db } = server.services.database
  const far = await addListing(db, other, {
    specs: { brand: 'Opel' },
    price: 9000,
    region: 'guiriko',
    town: null,
  })
  const near = await addListing(db, other, { ...model, posted_at: new Date(Date.UTC(2026, 8, 1)) })
  await add(model)
  await addListing(db, other, { category: 'jobs' })
  const found = await call(`listings/${id}/similar/`)
  expect(found.body.results.map((row: { id: string }) => row.id)).toEqual([near, far])
  expect((await call('listings/nothing/similar/')).body.code).toBe('listing_not_found')
})

test('[S7.47] recommendations by interest, newest, featured, followed; without own and saved listings', async () => {
  const { db } = server.services.database
  const liked = await add({ category: 'motos', title: 'Moto A' })
  const saved = await add({ category: 'motos', title: 'Moto B' })
  const plain = await add({
    category: 'jobs',
    is_featured: true,
    posted_at: new Date(Date.UTC(2026, 10, 1)),
  })
  const own = await addListing(db, other, { category: 'motos' })
  await db
    .insertInto('favorite')
    .values({
      user_id: other,
      listing_id: saved,
      created_at: new Date(),
      changed_at: new Date(),
      change: 1,
      removed_at: null,
    })
    .execute()
  await call(`listings/${saved}/with-view/`, { headers: theirs })
  const ids = async (type: string, headers: Record<string, string> = {}) => {
    const { body } = await call(`recommendations/?type=${type}`, { headers })
    return [body.type, body.results.map((row: { id: string }) => row.id)]
  }
  expect(await ids('for_you', theirs)).toEqual(['for_you', [liked]])
  expect(await ids('recent')).toMatchObject(['recent', { 0: plain, length: 4 }])
  expect(await ids('featured')).toEqual(['featured', [plain]])
  expect(await ids('popular')).toMatchObject(['trending', { 0: saved, length: 4 }])
  expect(await ids('followed')).toEqual(['followed', []])
  await db
    .insertInto('follow')
    .values({
      follower_id: seller,
      seller_id: other,
      created_at: new Date(),
      ended_at: null,
      told_at: null,
    })
    .execute()
  const followed = await ids('new_from_followed', mine)
  await db.deleteFrom('follow').execute()
  expect(followed).toEqual(['followed', [own]])
  expect((await call('recommendations/?type=best')).body.field_codes.type).toEqual([
    { code: 'invalid_choice' },
  ])
})

test('[S7.07] a shop by id and slug, and its listings', async () => {
  const id = await add()
  const shop = await call('shops/awa/')
  expect(shop.body).toMatchObject({
    id: seller,
    username: 'awa',
    listings_count: 1,
    rating: { average: null, count: 0 },
    is_following: null,
    is_me: false,
    is_blocked: false,
  })
  expect((await call(`shops/${seller}/`, { headers: mine })).body).toMatchObject({
    is_me: true,
    is_following: false,
  })
  expect(idsIn(await page(`shops/${seller}/listings/?search=corolla&ids=x&seller=issa`))).toEqual([
    id,
  ])
  expect((await call('shops/nobody/')).body.code).toBe('not_found')
})

test('[S7.02] categories with names and counts as their filters count', async () => {
  const { body } = await call('categories/', { headers: { 'Accept-Language': 'en' } })
  expect(body.count).toBe(18)
  expect(body.results[1]).toMatchObject({
    slug: 'motos',
    name: 'Motorbikes',
    parent: 'vehicles',
    is_main: false,
    position: 2,
  })
  expect((await call('categories/')).headers.get('cache-control')).toContain('max-age=3600')
})

test('[S7.22] specs of one category by alias, of all, of none', async () => {
  expect((await call('specs-metadata/?category=cars')).body).toMatchObject({
    category: 'vehicles',
    card_specs: ['year', 'mileage', 'fuel'],
  })
  expect((await call('specs-metadata/')).body.results).toHaveLength(18)
  expect((await call('specs-metadata/?category=x')).body.field_codes.category).toEqual([
    { code: 'invalid_choice' },
  ])
})

test('[S7.23] places: suggestions, the whole gazetteer, invalid requests', async () => {
  expect((await call('locations-suggest/?q=bobo')).body.results[0]).toMatchObject({
    slug: 'bobo-dioulasso',
    label: 'Bobo-Dioulasso, Guiriko',
  })
  expect((await call('locations-suggest/?all=1&q=x')).body.regions).toHaveLength(17)
  expect((await call('locations-suggest/')).body.field_codes.q).toEqual([{ code: 'required' }])
  expect((await call(`locations-suggest/?q=${'x'.repeat(61)}`)).body.field_codes.q).toMatchObject([
    { code: 'too_long' },
  ])
})

test('[S7.04] facets: own listings in every state; an invalid filter is 400; an unknown seller has none', async () => {
  await add({ review_status: 'pending', posted_at: null })
  await add({ is_archived: true, category: 'jobs' })
  expect((await call('listings/facets/?seller=me', { headers: mine })).body).toMatchObject({
    count: 2,
    categories: [
      { value: 'vehicles', count: 1 },
      { value: 'jobs', count: 1 },
    ],
  })
  expect((await call('listings/facets/')).body['count']).toBe(0)
  expect((await call('listings/facets/?seller=nobody')).body).toMatchObject({
    count: 0,
    regions: [],
  })
  expect((await call('listings/facets/?category=spaceships')).body.field_codes).toEqual({
    category: [{ code: 'invalid_choice' }],
  })
  expect((await call('listings/facets/?seller=me')).body.code).toBe('not_authenticated')
})

test('[S7.04] facets follow a change at once', async () => {
  const id = await add({ region: 'guiriko', town: null })
  const regions = async () =>
    (await call('listings/facets/?category=cars', { headers: { 'Accept-Language': 'en' } })).body
      .regions
  expect(await regions()).toEqual([{ value: 'guiriko', label: 'Guiriko', count: 1 }])
  await server.services.database.db
    .updateTable('listing')
    .set({ is_active: false })
    .where('id', '=', id)
    .execute()
  expect(await regions()).toEqual([])
})
