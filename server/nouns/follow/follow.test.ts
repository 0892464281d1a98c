import { afterAll, beforeAll, expect, test } from 'vitest'
import * as v from 'valibot'
import { testServer, type TestServer } from '../../../tests/server/support/server.ts'

type Person = Awaited<ReturnType<TestServer['person']>>
let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

const anything = v.record(v.string(), v.any())
async function call(by: Person | null, method: string, path: string, json?: object) {
  const response = await server.call(method, path, { by, ...(json && { json }) })
  return {
    status: response.status,
    body: v.parse(anything, await response.json().catch(() => ({}))),
  }
}
const eventCounts = async (person: Person, name: string) =>
  (
    await server.services.database.db
      .selectFrom('event')
      .select('id')
      .where('user_id', '=', person.id)
      .where('name', '=', name)
      .execute()
  ).length

test('[S7.25] a follow is set or flipped and counted on both sides', async () => {
  const [me, seller] = [await server.person(), await server.person()]
  const path = `follow/${seller.id}/toggle/`
  expect((await call(me, 'POST', path, { desired: true })).body).toEqual({
    user_id: seller.id,
    following: true,
    followers_count: 1,
  })
  expect((await call(me, 'POST', path, { desired: true })).body).toMatchObject({
    following: true,
    followers_count: 1,
  })
  expect((await call(me, 'GET', 'follow/stats/')).body).toEqual({
    followers_count: 0,
    following_count: 1,
  })
  expect((await call(me, 'GET', 'follow/following/')).body).toMatchObject({
    count: 1,
    results: [{ id: seller.id }],
  })
  expect((await call(seller, 'GET', 'follow/followers/')).body).toMatchObject({
    count: 1,
    results: [{ id: me.id }],
  })
  expect((await call(me, 'POST', path)).body).toMatchObject({
    following: false,
    followers_count: 0,
  })
  await call(me, 'POST', path)
  expect(await eventCounts(seller, 'follow.created')).toBe(1)
  expect((await call(me, 'GET', `follow/${seller.username}/status/`)).body).toMatchObject({
    following: true,
  })
})

test('[S7.25] refuses oneself, an unknown user and a visitor', async () => {
  const me = await server.person()
  expect((await call(me, 'POST', `follow/${me.id}/toggle/`)).body).toMatchObject({
    code: 'cannot_follow_self',
    non_field_errors: ['Vous ne pouvez pas vous suivre vous-même.'],
  })
  expect((await call(me, 'POST', 'follow/nobody/toggle/')).body['code']).toBe('not_found')
  expect((await call(null, 'GET', `follow/${me.id}/status/`)).body['code']).toBe(
    'not_authenticated',
  )
})

test('[S7.25] two people who follow each other at once both succeed', async () => {
  const [one, other] = [await server.person(), await server.person()]
  await Promise.all([
    call(one, 'POST', `follow/${other.id}/toggle/`, { desired: true }),
    call(other, 'POST', `follow/${one.id}/toggle/`, { desired: true }),
  ])
  expect((await call(one, 'GET', 'follow/stats/')).body).toEqual({
    followers_count: 1,
    following_count: 1,
  })
})

test('[S1.02] a block ends follows in both directions and prevents new ones, without a notification', async () => {
  const [me, other] = [await server.person(), await server.person()]
  await call(other, 'POST', `follow/${me.id}/toggle/`, { desired: true })
  const first = await call(me, 'POST', 'blocks/', { user_id: other.id })
  expect([first.status, first.body]).toEqual([201, { user_id: other.id, blocked: true }])
  expect((await call(me, 'POST', 'blocks/', { user_id: other.id })).status).toBe(200)
  expect((await call(me, 'GET', 'follow/stats/')).body).toEqual({
    followers_count: 0,
    following_count: 0,
  })
  expect(
    (await call(other, 'POST', `follow/${me.id}/toggle/`, { desired: true })).body['code'],
  ).toBe('permission_denied')
  expect((await call(me, 'GET', 'blocks/')).body).toMatchObject({
    count: 1,
    results: [{ id: other.id }],
  })
  expect((await call(me, 'GET', `shops/${other.id}/`)).body['is_blocked']).toBe(true)
  expect([
    (await call(me, 'DELETE', `blocks/${other.id}/`)).status,
    (await call(me, 'DELETE', `blocks/${other.id}/`)).status,
  ]).toEqual([204, 204])
  expect((await call(me, 'POST', 'blocks/', { user_id: me.id })).body['field_codes']).toEqual({
    user_id: [{ code: 'invalid' }],
  })
  expect((await call(me, 'POST', 'blocks/', { user_id: 'nobody' })).body['code']).toBe('not_found')
  expect(await eventCounts(other, 'follow.created')).toBe(0)
})
