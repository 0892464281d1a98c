import { afterAll, beforeAll, expect, test } from 'vitest'
import * as v from 'valibot'
import { listingDetail, listingPage, type ListingPage } from '#schema/wire/listing'
import { testServer, type TestServer } from '../../testing.ts'
import { addListing, addPerson } from './sample.ts'

let server: TestServer
let seller: string

beforeAll(async () => {
  server = await testServer()
  seller = await addPerson(server.services.database.db, 'seller')
})
afterAll(() => server.close())

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await server.app.request(`/api/${path}`, { headers })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

test('[S7.03] a page has the wire’s shape', async () => {
  await addListing(server.services.database.db, seller)
  const { status, body } = await get('listings/')
  expect(status).toBe(200)
  expect(v.safeParse(listingPage, body).issues).toBeUndefined()
  const page: ListingPage = v.parse(listingPage, body)
  expect(page.count).toBe(1)
  const detail = await get(`listings/${page.results[0]?.id}/`)
  expect(v.safeParse(listingDetail, detail.body).issues).toBeUndefined()
})
