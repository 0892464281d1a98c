import { afterAll, beforeAll, expect, test } from 'vitest'
import * as v from 'valibot'
import { testServer, type TestServer } from '../../../../tests/server/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer([], { LISTING_REVIEW: 'auto' })
})
afterAll(() => server.close())

const anything = v.record(v.string(), v.any())
const FIELDS = {
  title: 'Toyota Corolla 2012',
  description: 'Très bon état',
  category: 'vehicles',
  price: 5000,
  region: 'kadiogo',
}

test('[S4.01] automatic review publishes at once, edits too, and notifies owner and followers [D26, D89]', async () => {
  const [seller, fan] = [await server.person(), await server.person()]
  const call = async (method: string, path: string, by: typeof seller, json?: object) =>
    v.parse(anything, await (await server.call(method, path, { by, ...(json && { json }) })).json())
  await call('POST', `follow/${seller.id}/toggle/`, fan, { desired: true })
  const made = await call('POST', 'listings/', seller, FIELDS)
  expect(made).toMatchObject({ status: 'active', review_status: 'approved' })
  expect(made['expires_at']).not.toBeNull()
  await server.job('followers')
  const events = await server.services.database.db
    .selectFrom('event')
    .select(['user_id', 'name'])
    .where('name', 'like', 'listing.%')
    .orderBy('name')
    .execute()
  expect(events).toEqual([
    { user_id: fan.id, name: 'listing.new_from_followed' },
    { user_id: seller.id, name: 'listing.published' },
  ])
  expect(
    await call('PATCH', `listings/${made['id']}/`, seller, { title: 'Toyota Yaris 2015' }),
  ).toMatchObject({ status: 'active', title: 'Toyota Yaris 2015' })
  expect(
    v.parse(anything, await (await server.call('GET', 'listings/?search=yaris')).json())['count'],
  ).toBe(1)
})
