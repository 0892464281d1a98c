import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import * as v from 'valibot'
import { exportMe } from '#schema/wire/account'
import { problem } from '#schema/wire/problem'
import { testServer, type Person, type TestServer } from '../../../tests/server/support/server.ts'
import { addListing } from '../../../tests/server/support/sample.ts'
import { hashPassword } from './password.ts'

let server: TestServer
let seller: Person
let buyer: Person
let listing: string
beforeAll(async () => {
  server = await testServer()
  seller = await server.person('vendeur')
  buyer = await server.person('acheteuse')
  const { db } = server.services.database
  listing = await addListing(db, seller.id, { contact_phone: '+22670000000' })
  await db
    .updateTable('app_user')
    .set({ password_hash: await hashPassword('secret1'), phone: '+22670000001' })
    .where('id', '=', seller.id)
    .execute()
  const write = (by: Person, path: string, json: unknown) =>
    server.call('POST', path, { by, json, key: crypto.randomUUID() })
  await write(buyer, 'conversations/start/', {
    listing_id: listing,
    content: 'Toujours disponible ?',
  })
  const { id } = v.parse(
    v.looseObject({ id: v.string() }),
    await db.selectFrom('conversation').select('id').executeTakeFirstOrThrow(),
  )
  await write(seller, `conversations/${id}/messages/`, { content: 'Oui' })
  await write(buyer, 'favorites/', { listing_id: listing })
  await write(seller, 'favorites/', { listing_id: await addListing(db, buyer.id) })
  const at = new Date()
  await db
    .insertInto('follow')
    .values([
      { follower_id: seller.id, seller_id: buyer.id, created_at: at },
      { follower_id: buyer.id, seller_id: seller.id, created_at: at },
    ])
    .execute()
  await db.updateTable('app_user').set({ followers_count: 1, following_count: 1 }).execute()
  await db
    .insertInto('report')
    .values({
      id: 'r1',
      category: 'spam',
      reporter: `u:${seller.id}`,
      reporter_user_id: seller.id,
      user_id: buyer.id,
      created_at: at,
    })
    .execute()
})
afterAll(() => server.close())

test('[F19] [API 7.7] the export contains the user’s own data, as a file', async () => {
  const response = await server.call('GET', 'auth/me/export/', { by: seller })
  expect(response.headers.get('Content-Disposition')).toBe('attachment; filename="export.json"')
  const file = v.parse(exportMe.answer, await response.json())
  expect(file.user).toMatchObject({ username: 'vendeur', phone: '+22670000001' })
  expect(file.listings).toEqual([
    expect.objectContaining({ id: listing, contact_phone: '+22670000000' }),
  ])
  expect(file.conversations).toEqual([
    expect.objectContaining({
      messages: [
        expect.objectContaining({ content: 'Toujours disponible ?' }),
        expect.objectContaining({ content: 'Oui' }),
      ],
    }),
  ])
  expect([file.favorites.length, file.reports.length, file.sessions.length]).toEqual([1, 1, 1])
  expect(JSON.stringify(file)).not.toMatch(/argon2|token_hash/)
})

test('[API 7.7] deletion requires the password', async () => {
  const response = await server.call('DELETE', 'auth/me/', {
    by: seller,
    json: { current_password: 'wrong' },
  })
  expect(v.parse(problem, await response.json()).field_codes).toEqual({
    current_password: [{ code: 'password_incorrect' }],
  })
  expect((await server.call('DELETE', 'auth/me/', { by: seller })).status).toBe(400)
  expect((await server.call('GET', 'auth/me/', { by: seller })).status).toBe(200)
})

test('[F20] [API 7.7] [D117] deletion leaves the messages anonymous and removes all personal data', async () => {
  expect(
    (await server.call('DELETE', 'auth/me/', { by: seller, json: { current_password: 'secret1' } }))
      .status,
  ).toBe(204)
  expect((await server.call('GET', 'auth/me/', { by: seller })).status).toBe(401)
  expect(
    (
      await server.call('POST', 'auth/login/', {
        json: { username: 'vendeur', password: 'secret1' },
      })
    ).status,
  ).toBe(400)
  expect((await server.call('GET', `listings/${listing}/`)).status).toBe(404)
  const list = v.parse(
    v.looseObject({
      results: v.array(
        v.looseObject({
          id: v.string(),
          can_send: v.boolean(),
          cannot_send_reason: v.nullable(v.string()),
        }),
      ),
    }),
    await (await server.call('GET', 'conversations/', { by: buyer })).json(),
  )
  expect(list.results).toEqual([
    expect.objectContaining({ can_send: false, cannot_send_reason: 'account_deleted' }),
  ])
  const messages = v.parse(
    v.looseObject({ results: v.array(v.unknown()) }),
    await (
      await server.call('GET', `conversations/${list.results[0]?.id ?? ''}/messages/`, {
        by: buyer,
      })
    ).json(),
  )
  expect(messages.results).toContainEqual(
    expect.objectContaining({
      content: 'Oui',
      sender_username: 'compte-supprime',
      sender_id: seller.id,
    }),
  )
  const { db } = server.services.database
  const mine = await db
    .selectFrom('app_user')
    .select(['followers_count', 'following_count'])
    .where('id', '=', buyer.id)
    .executeTakeFirstOrThrow()
  expect(mine).toEqual({ followers_count: 0, following_count: 0 })
  // Stored responses to other users remain 30 days for their repeats.
  expect(
    await db.selectFrom('idempotency').select('key').where('scope', '=', seller.id).execute(),
  ).toEqual([])
  const { rows: tables } = await sql<{
    name: string
  }>`select tablename as name from pg_tables where schemaname = 'public'
    and tablename not in ('user_slug', 'idempotency')`.execute(db)
  for (const { name } of tables) {
    const { rows } = await sql<{
      n: number
    }>`select count(*)::int as n from ${sql.table(name)} t where t::text ~ 'vendeur|2267000000'`.execute(
      db,
    )
    expect([name, rows[0]?.n]).toEqual([name, 0])
  }
})

/** Columns with an account's id. A new one: also extend erase.ts and, for data to hand out, export.ts. */
const ERASED = [
  'block.blocked_id',
  'block.blocker_id',
  'favorite.user_id',
  'follow.follower_id',
  'follow.seller_id',
  'one_time_token.user_id',
  'preference.user_id',
  'push_account.user_id',
  'push_subscription.user_id',
  'report.reporter_user_id',
  'saved_search.user_id',
  'session.user_id',
]
const KEPT = [
  'conversation.buyer_id',
  'conversation.seller_id',
  'event_sequence.user_id',
  'listing.seller_id',
  'participant.user_id',
  'picture.owner_id',
  'report.user_id',
  'review.author_id',
  'review.seller_id',
  'user_slug.user_id',
]

test('[API 7.7] every column that refers to an account is erased, or kept on purpose', async () => {
  const { db } = server.services.database
  const { rows } = await sql<{ table: string; column: string }>`
    select c.conrelid::regclass::text as table, a.attname as column
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
    where c.contype = 'f' and c.confrelid = 'app_user'::regclass`.execute(db)
  expect(rows.map(({ table, column }) => `${table}.${column}`).toSorted()).toEqual(
    [...ERASED, ...KEPT].toSorted(),
  )
  for (const name of ERASED) {
    const [table = '', column = ''] = name.split('.')
    const { rows: left } = await sql<{ n: number }>`
      select count(*)::int as n from ${sql.table(table)} where ${sql.ref(column)} = ${seller.id}`.execute(
      db,
    )
    expect([name, left[0]?.n]).toEqual([name, 0])
  }
})

test('the username is free again, its slug is not', async () => {
  const response = await server.call('POST', 'auth/register/', {
    json: { username: 'vendeur', email: 'vendeur@example.com', password: 'secret1' },
  })
  expect(response.status).toBe(201)
  expect(
    v.parse(v.looseObject({ user: v.looseObject({ slug: v.string() }) }), await response.json())
      .user.slug,
  ).toBe('vendeur-2')
})
