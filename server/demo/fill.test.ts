import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestServer, testServer } from '../../tests/server/support/server.ts'
import { fillDemo } from './fill.ts'
import { demoVariants } from './variants.ts'

const SIZE = { listings: 300, users: 700 }
let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

async function number(question: string): Promise<unknown> {
  const { rows } = await sql
    .raw<{ n: unknown }>(`select (${question}) as n`)
    .execute(server.services.database.db)
  return rows[0]?.n
}

test('[S1.06] an interrupted fill leaves no rows', async () => {
  const { database } = server.services
  const cut = {
    ...database,
    tx: <T>(work: Parameters<typeof database.tx<T>>[0]) =>
      database.tx<T>(async (tx) => {
        await work(tx)
        throw new Error('killed')
      }),
  }
  await expect(fillDemo(cut, SIZE, Date.now())).rejects.toThrow('killed')
  expect(await number('select count(*) from app_user')).toBe(0)
})

test('[S1.06] an empty database is filled, and only an empty one', async () => {
  const { database } = server.services
  expect(await fillDemo(database, SIZE, Date.now())).toBe(true)
  const counted = await number('select count(*) from listing')
  expect(counted).toBe(300)
  expect(await fillDemo(database, SIZE, Date.now())).toBe(false)
  expect(await number('select count(*) from listing')).toBe(counted)
})

test.for([
  [
    'followers',
    'app_user u where followers_count <> (select count(*) from follow where seller_id = u.id and ended_at is null)',
  ],
  [
    'following',
    'app_user u where following_count <> (select count(*) from follow where follower_id = u.id and ended_at is null)',
  ],
  [
    'ratings',
    'app_user u where rating_count <> (select count(*) from review where seller_id = u.id)',
  ],
  [
    'favourites',
    'listing_tally t where favorites_count <> (select count(*) from favorite f where f.listing_id = t.listing_id)',
  ],
  [
    'pictures',
    'listing l where images_count <> (select count(*) from picture p where p.listing_id = l.id)',
  ],
  [
    'covers',
    'listing l where cover_id is distinct from (select id from picture p where p.listing_id = l.id and position = 0)',
  ],
  [
    'last messages',
    'conversation c where last_seq <> (select max(seq) from message m where m.conversation_id = c.id)',
  ],
  [
    'unread marks',
    `participant p where unread <> (select count(*) from message m
      where m.conversation_id = p.conversation_id and m.seq > p.read_until and m.sender_id <> p.user_id)`,
  ],
  [
    'demo pictures',
    'picture p where not exists (select from demo_picture d where d.hash = p.hash)',
  ],
  [
    'slugs',
    'app_user u where not exists (select from user_slug s where s.slug = u.slug and s.user_id = u.id)',
  ],
] as const)('[S1.06] %s agree with what they count', async ([, wrong]) => {
  expect(await number(`select count(*) from ${wrong}`)).toBe(0)
})

test('[S1.06] the named accounts sign in, and nothing of theirs is unread', async () => {
  for (const username of ['acheteur', 'vendeur', 'moderateur']) {
    const answer = await server.call('POST', 'auth/login/', {
      json: { username, password: 'marche2026' },
    })
    expect([username, answer.status]).toEqual([username, 200])
    expect(await answer.json()).toMatchObject({
      user: {
        username,
        email: `${username}@example.com`,
        is_moderator: username === 'moderateur',
        counters: { unread_messages: 0, unread_conversations: 0, unread_notifications: 0 },
      },
    })
  }
})

test('[S2.02] the demo is found by lists, search, facets and a shop', async () => {
  expect(await (await server.call('GET', 'listings/?page_size=50')).json()).not.toMatchObject({
    count: 0,
  })
  expect(
    await (await server.call('GET', 'shops/etoile-du-sahel-motos/listings/')).json(),
  ).toMatchObject({ count: 14 })
  expect(
    await (await server.call('GET', 'listings/?search=yamaha&category=motos')).json(),
  ).not.toMatchObject({ count: 0 })
})

test('[S1.06] picture variants of listings and users are made on request; others are 404', async () => {
  const photo = String(await number('select hash from picture limit 1'))
  const face = String(await number("select avatar from app_user where username = 'vendeur'"))
  for (const path of [
    `/media/images/${photo}/160.webp`,
    `/media/images/${photo}/640.jpg`,
    face,
    face.replace('256', '64'),
  ]) {
    const answer = await server.app.request(path)
    expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([
      path,
      200,
      'public, max-age=31536000, immutable',
    ])
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(300)
  }
  for (const path of [
    `/media/images/${photo}/161.webp`,
    `/media/images/${photo}/256.webp`,
    `/media/avatars/${photo}/256.webp`,
    face.replace('256', '320'),
    '/media/images/00000000000000000000000000000000/160.webp',
    `/media/avatars/${photo}/64.webp`,
  ]) {
    expect([path, (await server.app.request(path)).status]).toEqual([path, 404])
  }
})

test('[S1.06] a picture of the demo has no variants where the database does not show it', async () => {
  const empty = await testServer()
  const photo = String(await number('select hash from picture limit 1'))
  expect((await empty.app.request(`/media/images/${photo}/160.webp`)).status).toBe(404)
  await empty.close()
})

test('[S6.04] requests for one variant at once share the work, and it is stored', async () => {
  const key = `images/${String(await number('select hash from picture order by hash desc limit 1'))}/320.webp`
  const puts: string[] = []
  const { database, files } = server.services
  const make = demoVariants(database, {
    ...files,
    put: (name, bytes) => (puts.push(name), files.put(name, bytes)),
  })
  const [first, second] = await Promise.all([make(key), make(key)])
  expect(first).toEqual(second)
  expect(puts).toEqual([key])
  expect(await files.get(key)).toEqual(Buffer.from(first ?? []))
})
