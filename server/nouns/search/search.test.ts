import { afterAll, beforeAll, expect, test } from 'vitest'
import * as v from 'valibot'
import { testServer, type TestServer } from '../../../tests/server/support/server.ts'
import { addListing } from '../../../tests/server/support/sample.ts'

type Person = Awaited<ReturnType<TestServer['person']>>
let server: TestServer
let me: Person
let seller: Person
let clock = new Date('2026-11-02T07:00:00.000Z')

beforeAll(async () => {
  server = await testServer([], {}, { clock: () => clock })
  me = await server.person()
  seller = await server.person()
})
afterAll(() => server.close())

const anything = v.record(v.string(), v.any())
async function call(method: string, path: string, json?: object, by: Person = me) {
  const response = await server.call(method, path, { by, ...(json && { json }) })
  return {
    status: response.status,
    body: v.parse(anything, await response.json().catch(() => ({}))),
  }
}
const save = (json: object, by: Person = me) => call('POST', 'saved-searches/', json, by)
const later = (minutes: number) => {
  clock = new Date(clock.getTime() + minutes * 60_000)
}
const publish = (more: Parameters<typeof addListing>[2] = {}) =>
  addListing(server.services.database.db, seller.id, { posted_at: clock, ...more })
const alerts = async (person: Person) =>
  (
    await server.services.database.db
      .selectFrom('event')
      .select('data')
      .where('user_id', '=', person.id)
      .where('name', '=', 'saved_search.matched')
      .execute()
  ).length

test('[S7.32] a search is stored by its parameters; saving it again renames it', async () => {
  const params = {
    search: 'corolla',
    category: 'cars',
    price_max: 4_000_000,
    page: 3,
    whatever: 'x',
    'spec.fuel': 'petrol',
    region: '',
  }
  const first = await save({ name: 'Corolla Ouaga', params })
  expect([first.status, first.body]).toMatchObject([
    201,
    {
      name: 'Corolla Ouaga',
      params: { search: 'corolla', category: 'cars', price_max: 4_000_000, 'spec.fuel': 'petrol' },
      alerts: 'daily',
      new_count: 0,
      last_run_at: null,
    },
  ])
  const again = await save({
    name: 'Corolla',
    params: 'spec.fuel=petrol&price_max=4000000&search=corolla&category=cars',
  })
  expect([again.status, again.body['id'], again.body['name']]).toEqual([
    200,
    first.body['id'],
    'Corolla',
  ])
  expect((await call('GET', 'saved-searches/')).body['count']).toBe(1)
  const bad = await save({
    name: '',
    params: { category: 'spaceships', price_min: -1, search: ['x'] },
  })
  expect(bad.body['field_codes']).toEqual({ name: [{ code: 'required' }] })
  expect(
    (await save({ name: 'x', params: { category: 'spaceships', price_min: -1, search: ['x'] } }))
      .body['field_codes'],
  ).toEqual({
    'params.search': [{ code: 'invalid' }],
    'params.category': [{ code: 'invalid_choice' }],
    'params.price_min': [{ code: 'invalid' }],
  })
})

test('[API 1.1] [API 5.3] an array of parameters is refused, long search texts are truncated', async () => {
  expect((await save({ name: 'x', params: [] })).body['field_codes']).toEqual({
    params: [{ code: 'invalid' }],
  })
  expect(
    (await save({ name: 'long', params: { search: 'é'.repeat(200) } })).body['params'],
  ).toEqual({ search: 'é'.repeat(100) })
  expect(
    (await save({ name: 'x', params: { town: 'x'.repeat(3000) } })).body['field_codes'],
  ).toEqual({ 'params.town': [{ code: 'invalid' }] })
})

test('[S7.33] edit and remove; another user’s is 404', async () => {
  const id = String((await save({ name: 'Emplois', params: { category: 'jobs' } })).body['id'])
  expect(
    (await call('PATCH', `saved-searches/${id}/`, { name: 'Travail', alerts: 'instant' })).body,
  ).toMatchObject({ name: 'Travail', alerts: 'instant' })
  expect(
    (await call('PATCH', `saved-searches/${id}/`, { alerts: 'hourly' })).body['field_codes'],
  ).toEqual({ alerts: [{ code: 'invalid_choice' }] })
  expect((await call('PATCH', `saved-searches/${id}/`, { name: 'x' }, seller)).body['code']).toBe(
    'not_found',
  )
  expect((await call('DELETE', `saved-searches/${id}/`, undefined, seller)).status).toBe(204)
  expect([
    (await call('GET', `saved-searches/${id}/run/`)).status,
    (await call('DELETE', `saved-searches/${id}/`)).status,
    (await call('GET', `saved-searches/${id}/run/`)).status,
  ]).toEqual([200, 204, 404])
})

test('[S7.34] running a search returns its list; the first page resets the new count [D79]', async () => {
  const person = await server.person()
  const id = String(
    (await save({ name: 'Motos', params: { category: 'motos' } }, person)).body['id'],
  )
  later(1)
  const found = [await publish({ category: 'motos' }), await publish({ category: 'motos' })]
  await publish({ category: 'jobs' })
  expect(
    (await call('GET', 'saved-searches/', undefined, person)).body['results'][0]['new_count'],
  ).toBe(2)
  const { body } = await call('GET', `saved-searches/${id}/run/?page_size=1`, undefined, person)
  expect([
    body['count'],
    body['next'].startsWith(`/api/saved-searches/${id}/run/?`),
    body['saved_search']['new_count'],
  ]).toEqual([2, true, 0])
  const next = await call('GET', String(body['next']).replace('/api/', ''), undefined, person)
  const ids = [body, next.body].flatMap((one) =>
    v.parse(v.array(anything), one['results']).map((row) => String(row['id'])),
  )
  expect(ids.toSorted()).toEqual(found.toSorted())
  expect(
    (await call('GET', 'saved-searches/', undefined, person)).body['results'][0]['new_count'],
  ).toBe(0)
})

test('[S3.16] twenty at most', async () => {
  const person = await server.person()
  for (let at = 0; at < 20; at += 1)
    await save({ name: `N${at}`, params: { price_min: at } }, person)
  expect((await save({ name: 'one more', params: { price_min: 99 } }, person)).body['code']).toBe(
    'saved_search_limit',
  )
  expect((await save({ name: 'known', params: { price_min: 3 } }, person)).status).toBe(200)
})

test('[F08] [S1.02] instant alerts: once per new match, five a day; daily ones at eight, if any', async () => {
  const [hasty, patient] = [await server.person(), await server.person()]
  await save({ name: 'Bijoux', params: { category: 'fashion' }, alerts: 'instant' }, hasty)
  await save({ name: 'Bijoux', params: { category: 'fashion' } }, patient)
  for (let at = 0; at < 7; at += 1) {
    later(1)
    await publish({ category: 'fashion' })
    later(1)
    await server.job('alerts')
    await server.job('alerts')
  }
  expect([await alerts(hasty), await alerts(patient)]).toEqual([5, 0])
  clock = new Date('2026-11-02T08:01:00.000Z')
  await server.job('alerts')
  await server.job('alerts')
  expect(await alerts(patient)).toBe(1)
  clock = new Date('2026-11-03T08:01:00.000Z')
  await call(
    'GET',
    `saved-searches/${(await call('GET', 'saved-searches/', undefined, patient)).body['results'][0]['id']}/run/`,
    undefined,
    patient,
  )
  await server.job('alerts')
  expect(await alerts(patient)).toBe(1)
})
