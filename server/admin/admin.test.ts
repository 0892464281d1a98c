import { mkdtemp, stat } from 'node:fs/promises'
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../ids.ts'
import { type Person, type TestServer, testServer } from '../../tests/server/support/server.ts'
import { derive } from '../nouns/listing/derive.ts'
import type { Outcome } from './command.ts'
import { REASONS } from '../nouns/listing/moderation/moderation.ts'
import { runCommand } from './run.ts'
import { askServer, openAdmin, pathIn } from './socket.ts'

let server: TestServer
let seller: Person
let fan: Person
beforeAll(async () => {
  server = await testServer([], { TEST_CLOCK_OFFSET_S: '0' })
  seller = await server.person()
  fan = await server.person()
  await server.services.database.tx((tx) =>
    tx
      .insertInto('follow')
      .values({
        follower_id: fan.id,
        seller_id: seller.id,
        created_at: new Date(),
        ended_at: null,
        told_at: null,
      })
      .execute(),
  )
})
afterAll(() => server.close())

const admin = (...argv: string[]): Promise<Outcome> =>
  runCommand(server.services, { argv, operator: 'awa' })

async function waiting(owner = seller): Promise<string> {
  const now = new Date()
  const id = newId()
  const values = {
    title: 'Vélo de ville',
    description: 'Un vélo.',
    category: 'sports',
    region: 'kadiogo',
    town: 'ouagadougou',
    neighbourhood: null,
    location_note: null,
    specs: {},
  }
  const { specs, ...rest } = values
  await server.services.database.tx((tx) =>
    tx
      .insertInto('listing')
      .values({
        ...rest,
        ...derive(values),
        specs: sql`${JSON.stringify(specs)}::jsonb`,
        id,
        seller_id: owner.id,
        price: 1000,
        created_at: now,
        updated_at: now,
      })
      .execute(),
  )
  return id
}

async function eventsOf(person: Person): Promise<unknown[]> {
  const rows = await server.services.database.db
    .selectFrom('event')
    .select(['name', 'data'])
    .where('user_id', '=', person.id)
    .orderBy('seq')
    .execute()
  return rows.map(({ name, data }) => ({ ...(typeof data === 'object' ? data : {}), event: name }))
}

async function row(id: string) {
  return server.services.database.db
    .selectFrom('listing')
    .select([
      'review_status',
      'review_reason',
      'posted_at',
      'expires_at',
      'version',
      'is_featured',
      'featured_until',
      'deleted_at',
      'listed',
    ])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

test('[S3.01] approved: public for 60 days; owner and followers are notified, the audit names who', async () => {
  const id = await waiting()
  expect(await admin('approve', id)).toMatchObject({ code: 0, lines: [`${id} approved`] })
  const after = await row(id)
  expect(after).toMatchObject({ review_status: 'approved', listed: true, version: 2 })
  expect(
    ((after.expires_at?.getTime() ?? 0) - (after.posted_at?.getTime() ?? 0)) / 86_400_000,
  ).toBe(60)
  expect(await eventsOf(seller)).toContainEqual(
    expect.objectContaining({ event: 'listing.reviewed', listing: id, decision: 'approved' }),
  )
  await server.job('followers')
  expect(await eventsOf(fan)).toContainEqual(
    expect.objectContaining({ event: 'listing.new_from_followed', listing: id }),
  )
  expect(
    await server.services.database.db
      .selectFrom('audit')
      .select(['command', 'operator'])
      .where('target', '=', id)
      .execute(),
  ).toEqual([{ command: 'approve', operator: 'awa' }])
  expect((await server.call('GET', `listings/${id}/`)).status).toBe(200)
  expect(await admin('approve', id)).toMatchObject({ code: 0 })
  expect((await row(id)).version).toBe(2)
})

test('[S3.01] followers get nothing about a listing that is archived or whose seller is suspended', async () => {
  const { db } = server.services.database
  const [archived, hidden] = [await waiting(), await waiting()]
  await db.updateTable('listing').set({ is_archived: true }).where('id', '=', archived).execute()
  await db.updateTable('listing').set({ seller_hidden: true }).where('id', '=', hidden).execute()
  for (const id of [archived, hidden]) {
    expect(await admin('approve', id)).toMatchObject({ code: 0 })
    await server.job('followers')
    expect(JSON.stringify(await eventsOf(fan))).not.toContain(id)
  }
})

test('[S3.01] a listing is rejected with a text or a code, then approved without a second date', async () => {
  const id = await waiting()
  await admin('approve', id)
  await server.job('followers')
  const first = (await row(id)).posted_at
  expect(await admin('reject', id, '--code', 'photo_missing')).toMatchObject({ code: 0 })
  expect(await row(id)).toMatchObject({ review_status: 'rejected', listed: false })
  expect((await eventsOf(seller)).at(-1)).toMatchObject({
    event: 'listing.reviewed',
    decision: 'rejected',
    reason_code: 'photo_missing',
    reason: REASONS['photo_missing'],
  })
  expect(await admin('reject', id, '--reason', 'encore')).toMatchObject({ code: 1 })
  await admin('approve', id)
  await server.job('followers')
  expect((await row(id)).posted_at).toEqual(first)
  expect((await eventsOf(fan)).filter((event) => JSON.stringify(event).includes(id))).toHaveLength(
    1,
  )
  expect(await admin('reject', id, '--reason', 'Le prix est faux.')).toMatchObject({ code: 0 })
  expect((await row(id)).review_reason).toBe('Le prix est faux.')
})

test.for([
  [['reject', 'x'], 2],
  [['reject', 'x', '--reason', 'ab'], 2],
  [['reject', 'x', '--code', 'nothing'], 2],
  [['reject', 'x', '--reason', 'long enough'], 1],
  [['approve'], 2],
  [['approve', 'unknown'], 1],
  [['feature', 'x', '--days', '91'], 2],
  [['ban', 'nobody', '--reason', 'fraude'], 1],
  [['show', 'unknown'], 1],
  [['close-report', 'unknown'], 1],
  [['delete-review', 'unknown'], 1],
  [['announce', '--title-fr', 'a'], 2],
  [['listings', '--status', 'strange'], 2],
  [['listings', '--unknown'], 2],
  [['jobs', 'unknown'], 2],
  [['dance'], 2],
  [['help'], 0],
  [['stats'], 0],
] as const)('[S3.01] %j ends with %i', async ([argv, code]) => {
  expect((await admin(...argv)).code).toBe(code)
})

test('[S3.01] several ids: each result is reported', async () => {
  const id = await waiting()
  expect(await admin('approve', id, 'unknown')).toMatchObject({
    code: 1,
    lines: [`${id} approved`, 'unknown is not there'],
  })
  expect((await row(id)).review_status).toBe('approved')
})

test('[S3.01] featured beyond the owner’s two, and no longer', async () => {
  const id = await waiting()
  expect((await admin('feature', id)).code).toBe(1)
  await admin('approve', id)
  expect((await admin('feature', id, '--days', '3')).code).toBe(0)
  expect(await row(id)).toMatchObject({ is_featured: true })
  expect((await admin('unfeature', id)).code).toBe(0)
  expect(await row(id)).toMatchObject({ is_featured: false, featured_until: null })
})

test('[S3.01] a listing removed by a moderator is hidden from everybody; its owner sees the reason', async () => {
  const id = await waiting()
  await admin('approve', id)
  expect((await admin('remove', id, '--reason', 'Objet interdit')).code).toBe(0)
  expect((await server.call('GET', `listings/${id}/`, { by: seller })).status).toBe(404)
  expect((await eventsOf(seller)).at(-1)).toMatchObject({
    event: 'listing.reviewed',
    decision: 'rejected',
    reason: 'Objet interdit',
  })
})

test('[S3.18] the most reported listings come first, then the oldest; a report is closed once', async () => {
  const [older, newer] = [await waiting(fan), await waiting(fan)]
  const report = newId()
  await server.services.database.tx((tx) =>
    tx
      .insertInto('report')
      .values({
        id: report,
        category: 'fraud',
        message: 'faux',
        listing_id: newer,
        user_id: null,
        reporter: 'r',
        reporter_user_id: fan.id,
        reporter_address: null,
        created_at: new Date(),
        closed_at: null,
        note: null,
      })
      .execute(),
  )
  const { data } = await admin('listings', '--limit', '1000')
  const ids = JSON.stringify(data)
  expect(ids.indexOf(newer)).toBeLessThan(ids.indexOf(older))
  expect((await admin('reports', '--open')).lines.join('\n')).toContain(report)
  expect(await admin('close-report', report, '--note', 'vu')).toMatchObject({ code: 0 })
  expect((await admin('close-report', report)).code).toBe(1)
  expect((await admin('show', newer)).data).toMatchObject({
    id: newer,
    status: 'pending',
    reports: [{ id: report, note: 'vu' }],
  })
})

test('[S3.01] a ban ends sessions, hides listings and mails the reason; it can be lifted', async () => {
  const person = await server.person()
  const id = await waiting(person)
  await admin('approve', id)
  expect(
    await admin('ban', `${person.username}@EXAMPLE.com`, '--reason', 'Fraude répétée'),
  ).toMatchObject({ code: 0 })
  expect((await server.call('GET', 'auth/me/', { by: person })).status).toBe(401)
  expect((await server.call('GET', `listings/${id}/`)).status).toBe(404)
  await server.job('mail')
  expect(
    (await admin('mails', '--to', `${person.username}@example.com`, '--last')).lines.join('\n'),
  ).toContain('Fraude répétée')
  expect((await admin('ban', person.username, '--reason', 'encore')).code).toBe(1)
  expect((await admin('unban', person.id)).code).toBe(0)
  expect((await server.call('GET', `listings/${id}/`)).status).toBe(200)
})

test('[S3.01] a verified seller, a moderator, a token', async () => {
  const person = await server.person()
  await admin('verify-seller', person.username)
  await admin('moderator', person.username)
  const { lines } = await admin('token', person.username)
  const me = await server.call('GET', 'auth/me/', {
    headers: { Authorization: `Token ${lines[0]}` },
  })
  expect(await me.json()).toMatchObject({ verified_seller: true, is_moderator: true })
  await admin('unverify-seller', person.username)
  await admin('moderator', person.username, '--off')
  expect(await (await server.call('GET', 'auth/me/', { by: person })).json()).toMatchObject({
    verified_seller: false,
    is_moderator: false,
  })
  const production = { ...server.services, config: { ...server.services.config, production: true } }
  expect(
    (await runCommand(production, { argv: ['token', person.username], operator: 'awa' })).code,
  ).toBe(1)
})

test('[S3.14] an announcement reaches everybody once, and one person alone', async () => {
  const before = (await eventsOf(fan)).length
  const words = [
    '--title-fr',
    'Rentrée',
    '--title-en',
    'Back to school',
    '--message-fr',
    'Sacs et livres',
    '--message-en',
    'Bags and books',
  ]
  expect(
    (await admin('announce', ...words, '--url', '/listings', '--severity', 'success')).code,
  ).toBe(0)
  await server.job('announce')
  expect((await eventsOf(fan)).slice(before)).toEqual([
    expect.objectContaining({
      event: 'admin.announcement',
      title: { fr: 'Rentrée', en: 'Back to school' },
      url: '/listings',
      severity: 'success',
    }),
  ])
  expect((await admin('announce', ...words, '--to', seller.username)).code).toBe(0)
  expect((await eventsOf(fan)).length).toBe(before + 1)
  expect((await eventsOf(seller)).at(-1)).toMatchObject({ event: 'admin.announcement' })
  expect((await admin('announce', ...words, '--to', 'nobody')).code).toBe(1)
  expect((await admin('announce', ...words, '--url', '//elsewhere.example')).code).toBe(2)
  for (const icon of [
    'javascript:alert(1)',
    'http://pictures.example/a.png',
    '//pictures.example/a.png',
    'icon.png',
  ])
    expect((await admin('announce', ...words, '--icon', icon)).code).toBe(2)
  expect(
    (await admin('announce', ...words, '--icon', '/icon-192.png', '--to', seller.username)).code,
  ).toBe(0)
  expect((await eventsOf(seller)).at(-1)).toMatchObject({ icon: '/icon-192.png' })
})

test('[S3.01] a review that breaks the rules is deleted, and the seller’s average forgets it', async () => {
  const [shop, buyer] = [await server.person(), await server.person()]
  const now = new Date()
  const id = newId()
  await server.services.database.tx((tx) =>
    tx
      .insertInto('review')
      .values({
        id,
        seller_id: shop.id,
        author_id: buyer.id,
        rating: 1,
        comment: 'Insulte',
        created_at: now,
        updated_at: now,
      })
      .execute(),
  )
  const rating = async (): Promise<unknown> =>
    Reflect.get(Object(await (await server.call('GET', `shops/${shop.id}/`)).json()), 'rating')
  expect(await rating()).toMatchObject({ count: 1, average: 1 })
  expect(await admin('delete-review', id)).toMatchObject({ code: 0, lines: [`${id} deleted`] })
  expect(await rating()).toMatchObject({ count: 0 })
  expect((await admin('delete-review', id)).code).toBe(1)
})

test('[S3.01] the running server accepts commands over a socket that only its user may open', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), `yaar-admin-${'x'.repeat(90)}-`))
  const services = { ...server.services, config: { ...server.services.config, dataDir } }
  expect(await askServer(dataDir, { argv: ['stats'], operator: 'awa' })).toBeNull()
  const open = await openAdmin(services)
  expect((await stat(join(dataDir, 'admin.sock'))).mode & 0o777).toBe(0o600)
  const second = await openAdmin(services)
  expect(await askServer(dataDir, { argv: ['approve', 'unknown'], operator: 'awa' })).toEqual({
    code: 1,
    lines: ['unknown is not there'],
    data: { done: [] },
  })
  await second.close()
  expect((await askServer(dataDir, { argv: ['stats'], operator: 'awa' }))?.code).toBe(0)
  // A client that sends nothing must not delay the stop.
  const silent = createConnection(await pathIn(dataDir))
  await once(silent, 'connect')
  await open.close()
  expect(await askServer(dataDir, { argv: ['stats'], operator: 'awa' })).toBeNull()
})
