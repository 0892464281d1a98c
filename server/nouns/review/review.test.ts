import { afterAll, beforeAll, expect, test } from 'vitest'
import * as v from 'valibot'
import { testServer, type TestServer } from '../../../tests/server/support/server.ts'
import { addListing } from '../../../tests/server/support/sample.ts'

type Person = Awaited<ReturnType<TestServer['person']>>
let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

const anything = v.record(v.string(), v.any())
async function call(
  by: Person | null,
  method: string,
  path: string,
  json?: object,
  headers: Record<string, string> = {},
) {
  const response = await server.call(method, path, { by, headers, ...(json && { json }) })
  return {
    status: response.status,
    body: v.parse(anything, await response.json().catch(() => ({}))),
  }
}

/** A buyer and a seller who have both written. */
async function exchange(seller: Person): Promise<Person> {
  const buyer = await server.person()
  const listing = await addListing(server.services.database.db, seller.id)
  const started = await call(buyer, 'POST', 'conversations/start/', {
    listing_id: listing,
    content: 'Bonjour',
  })
  await call(seller, 'POST', `conversations/${started.body['id']}/messages/`, {
    content: 'Bonsoir',
  })
  return buyer
}
const review = (by: Person | null, seller: Person, rating: number, comment = '') =>
  call(by, 'POST', 'reviews/', { seller_id: seller.id, rating, comment })

test('[S7.30] after an exchange of messages one review is allowed; a later one replaces it [D63]', async () => {
  const seller = await server.person()
  const buyer = await exchange(seller)
  const stranger = await server.person()
  expect((await review(stranger, seller, 5)).body['code']).toBe('review_not_allowed')
  expect((await review(seller, seller, 5)).body['code']).toBe('cannot_review_self')
  expect((await review(null, seller, 5)).body['code']).toBe('not_authenticated')
  expect((await review(buyer, seller, 6, 'x'.repeat(1001))).body['field_codes']).toEqual({
    rating: [{ code: 'max_value', min: 1, max: 5 }],
    comment: [{ code: 'too_long', max: 1000 }],
  })
  const first = await review(buyer, seller, 4, 'Sérieux')
  const second = await review(buyer, seller, 2, 'Moins sérieux')
  expect([first.status, second.status, second.body['id']]).toEqual([201, 200, first.body['id']])
  const events = await server.services.database.db
    .selectFrom('event')
    .select('id')
    .where('user_id', '=', seller.id)
    .where('name', '=', 'review.created')
    .execute()
  expect(events).toHaveLength(1)
})

test('[S7.31] the aggregate follows every review and has can_review for the caller', async () => {
  const seller = await server.person()
  const [one, two] = [await exchange(seller), await exchange(seller)]
  await review(one, seller, 5)
  const mine = await review(two, seller, 4)
  const path = `reviews/seller/${seller.username}/aggregate/`
  expect((await call(null, 'GET', path)).body).toEqual({
    seller_id: seller.id,
    average: 4.5,
    count: 2,
    distribution: { 1: 0, 2: 0, 3: 0, 4: 1, 5: 1 },
    my_review: null,
    can_review: false,
    cannot_review_reason: 'not_authenticated',
  })
  expect((await call(two, 'GET', path)).body).toMatchObject({
    my_review: { rating: 4 },
    can_review: true,
    cannot_review_reason: null,
  })
  expect((await call(seller, 'GET', path)).body['cannot_review_reason']).toBe('self')
  expect((await call(await server.person(), 'GET', path)).body['cannot_review_reason']).toBe(
    'no_exchange',
  )
  await review(two, seller, 1)
  expect((await call(null, 'GET', `shops/${seller.id}/`)).body['rating']).toEqual({
    average: 3,
    count: 2,
  })
  expect((await call(one, 'DELETE', `reviews/${mine.body['id']}/`)).body['code']).toBe(
    'permission_denied',
  )
  expect([
    (await call(two, 'DELETE', `reviews/${mine.body['id']}/`)).status,
    (await call(two, 'DELETE', `reviews/${mine.body['id']}/`)).status,
  ]).toEqual([204, 204])
  expect((await call(null, 'GET', path)).body).toMatchObject({ average: 5, count: 1 })
})

test('[S7.29] reviews of a seller, newest first, by id or slug; unknown is 404', async () => {
  const seller = await server.person()
  const [one, two] = [await exchange(seller), await exchange(seller)]
  await review(one, seller, 5, 'A')
  await review(two, seller, 3, 'B')
  const { body } = await call(null, 'GET', `reviews/?seller=${seller.username}&page_size=1`)
  expect(body).toMatchObject({
    count: 2,
    previous: null,
    results: [{ comment: 'B', reviewer: { id: two.id } }],
  })
  expect((await call(null, 'GET', String(body['next']).replace('/api/', ''))).body).toMatchObject({
    next: null,
    results: [{ comment: 'A' }],
  })
  expect((await call(null, 'GET', 'reviews/')).body['field_codes']).toEqual({
    seller: [{ code: 'required' }],
  })
  expect((await call(null, 'GET', 'reviews/?seller=nobody')).body['code']).toBe('not_found')
})

test('[S7.28] anybody may report; the same again within a day is one report [D18]', async () => {
  const seller = await server.person()
  const me = await server.person()
  const listing = await addListing(server.services.database.db, seller.id)
  const report = (by: Person | null, json: object, headers: Record<string, string> = {}) =>
    call(by, 'POST', 'reports/', json, headers)
  const first = await report(me, {
    category: 'fraud',
    message: 'Demande un acompte',
    listing_id: listing,
  })
  expect([first.status, first.body['status'], first.body['detail']]).toEqual([
    201,
    'received',
    'Signalement envoyé. Merci.',
  ])
  const again = await report(me, { category: 'fraud', details: 'Encore', listing_id: listing })
  expect([again.status, again.body]).toEqual([200, first.body])
  expect((await report(me, { category: 'spam', listing_id: listing })).status).toBe(201)
  expect(
    (
      await report(
        null,
        { category: 'fraud', listing_id: listing },
        { 'X-Session-Id': 'session-0001' },
      )
    ).status,
  ).toBe(201)
  const rows = await server.services.database.db
    .selectFrom('report')
    .select('id')
    .where('listing_id', '=', listing)
    .execute()
  expect(rows).toHaveLength(3)
})

test('[S3.18] a report of kind “other” requires a message; its targets must exist', async () => {
  const me = await server.person()
  const codes = async (json: object) => {
    const { body } = await call(me, 'POST', 'reports/', json)
    return body['field_codes'] ?? body['code']
  }
  expect(await codes({ category: 'other' })).toEqual({ message: [{ code: 'required' }] })
  expect(await codes({ category: 'other', message: 'court' })).toEqual({
    message: [{ code: 'too_short', min: 10, max: 1000 }],
  })
  expect(await codes({ category: 'rude' })).toEqual({ category: [{ code: 'invalid_choice' }] })
  expect(await codes({})).toEqual({ category: [{ code: 'required' }] })
  expect(await codes({ category: 'spam', listing_id: 'nothing' })).toBe('listing_not_found')
  expect(await codes({ category: 'spam', user_id: 'nobody' })).toBe('not_found')
})

test('[S8.15] reports are limited even where limits are off: ten an hour, three for a visitor', async () => {
  const me = await server.person()
  const send = async (by: Person | null, at: number) =>
    (
      await call(
        by,
        'POST',
        'reports/',
        { category: 'other', message: `numéro ${at} de la série` },
        { 'X-Session-Id': 'session-0009' },
      )
    ).body['code'] ?? 'sent'
  const mine: unknown[] = []
  for (let at = 0; at < 11; at += 1) mine.push(await send(me, at))
  expect(mine.slice(9)).toEqual(['sent', 'report_rate_limited'])
  const visits: unknown[] = []
  for (let at = 0; at < 4; at += 1) visits.push(await send(null, at))
  expect(visits.slice(2)).toEqual(['sent', 'report_rate_limited'])
})
