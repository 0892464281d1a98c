import { afterAll, beforeAll, expect, test } from 'vitest'
import * as v from 'valibot'
import { testServer, type TestServer } from '../../../tests/server/support/server.ts'
import { addListing, addPerson, signIn } from '../../../tests/server/support/sample.ts'

let server: TestServer
let seller: string
let me: { Authorization: string }

beforeAll(async () => {
  server = await testServer()
  const { db } = server.services.database
  seller = await addPerson(db, 'awa')
  me = await signIn(db, await addPerson(db, 'issa'))
})
afterAll(() => server.close())

const anything = v.record(v.string(), v.any())

async function call(
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
) {
  const init: RequestInit = {
    method,
    headers: { ...me, 'Content-Type': 'application/json', ...headers },
  }
  if (body !== undefined) init.body = JSON.stringify(body)
  const response = await server.app.request(`/api/${path}`, init)
  return {
    status: response.status,
    headers: response.headers,
    body: v.parse(anything, await response.json().catch(() => ({}))),
  }
}
const savedCount = async (id: string) =>
  (await call('GET', `listings/${id}/`)).body['favorites_count']
const idsIn = (body: Record<string, unknown>) =>
  v.parse(v.array(anything), body['results']).map((row) => row['id'])

test('[S7.26] saving answers 201, again 200 with the same body; the count follows', async () => {
  const id = await addListing(server.services.database.db, seller)
  const first = await call('POST', 'favorites/', { listing_id: id })
  expect([first.status, first.body['id'], first.body['listing_id']]).toEqual([201, id, id])
  expect((await call('POST', 'favorites/', { listing_id: '' })).body['field_codes']).toEqual({
    listing_id: [{ code: 'required' }],
  })
  const again = await call('POST', 'favorites/', { listing_id: id })
  expect([again.status, again.body]).toEqual([200, first.body])
  expect(await savedCount(id)).toBe(1)
  expect((await call('GET', `listings/${id}/`)).body['is_favorite']).toBe(true)
})

test('[S7.27] removing is 204 also when nothing was saved; the id is the listing’s [D16]', async () => {
  const id = await addListing(server.services.database.db, seller)
  await call('POST', 'favorites/', { listing_id: id })
  expect([
    (await call('DELETE', `favorites/${id}/`)).status,
    (await call('DELETE', `favorites/${id}/`)).status,
    (await call('DELETE', 'favorites/nothing/')).status,
  ]).toEqual([204, 204, 204])
  expect(await savedCount(id)).toBe(0)
})

test.each(['favorites/', 'conversations/', 'notifications/'])(
  '[API 1.5] %s without changes is 304',
  async (path) => {
    const first = await call('GET', path)
    const tag = first.headers.get('ETag') ?? ''
    expect(first.body['cursor']).toEqual(expect.any(String))
    expect((await call('GET', path, undefined, { 'If-None-Match': tag })).status).toBe(304)
  },
)

test('[S7.26] an invisible listing cannot be saved; a visitor must sign in [S6.01]', async () => {
  const hidden = await addListing(server.services.database.db, seller, { review_status: 'pending' })
  expect((await call('POST', 'favorites/', { listing_id: hidden })).body['code']).toBe(
    'listing_not_found',
  )
  expect((await call('POST', 'favorites/', {})).body['field_codes']).toEqual({
    listing_id: [{ code: 'required' }],
  })
  expect(
    (await call('POST', 'favorites/', { listing_id: hidden }, { Authorization: '' })).body['code'],
  ).toBe('not_authenticated')
})

test('[S7.26] 100 parallel saves with one key are one save', async () => {
  const id = await addListing(server.services.database.db, seller)
  const key = { 'Idempotency-Key': '0197c3f2-0000-7000-8000-000000000001' }
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => call('POST', 'favorites/', { listing_id: id }, key)),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  expect(
    answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true'),
  ).toHaveLength(99)
  expect(await savedCount(id)).toBe(1)
})

test('[S2.13] a delta lists what was saved and removed since the cursor [API 3]', async () => {
  const { db } = server.services.database
  const [a, b] = [await addListing(db, seller), await addListing(db, seller)]
  const start = String((await call('GET', 'favorites/')).body['cursor'])
  await call('POST', 'favorites/', { listing_id: a })
  await call('POST', 'favorites/', { listing_id: b })
  await call('DELETE', `favorites/${a}/`)
  const first = (await call('GET', `favorites/?changed_since=${start}&page_size=1`)).body
  const second = (await call('GET', String(first['next']).replace('/api/', ''))).body
  expect([
    idsIn(first),
    first['removed'],
    idsIn(second),
    second['removed'],
    second['next'],
  ]).toEqual([[b], [], [], [a], null])
  expect(idsIn((await call('GET', `favorites/?changed_since=${second['cursor']}`)).body)).toEqual(
    [],
  )
  expect((await call('GET', 'favorites/?changed_since=nonsense')).status).toBe(410)
})

test('[S7.26] beyond 500 the oldest is dropped', async () => {
  const { db } = server.services.database
  const user = await addPerson(db, 'collector')
  const oldest = await addListing(db, seller)
  const others: string[] = []
  for (let at = 0; at < 499; at += 1) others.push(await addListing(db, seller))
  const rows = [oldest, ...others].map((listing_id, at) => ({
    user_id: user,
    listing_id,
    created_at: new Date(1e12 + at),
    removed_at: null,
    change: at,
    changed_at: new Date(1e12 + at),
  }))
  await db.insertInto('favorite').values(rows).execute()
  await db
    .updateTable('listing_tally')
    .set({ favorites_count: 1 })
    .where('listing_id', 'in', [oldest, ...others])
    .execute()
  const last = await addListing(db, seller)
  const mine = await signIn(db, user)
  await call('POST', 'favorites/', { listing_id: last }, mine)
  const page = (await call('GET', 'favorites/?page_size=100', undefined, mine)).body
  expect([page['count'], idsIn(page)[0]]).toEqual([500, last])
  const left = await db
    .selectFrom('favorite')
    .select('removed_at')
    .where('user_id', '=', user)
    .where('listing_id', '=', oldest)
    .executeTakeFirstOrThrow()
  expect(left.removed_at).not.toBeNull()
})
