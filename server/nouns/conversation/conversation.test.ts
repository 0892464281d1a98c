import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import {
  conversation,
  initConversation,
  listConversations,
  startConversation,
} from '#schema/wire/conversation'
import {
  aText,
  listingOf,
  nth,
  person,
  talk,
  type Person,
} from '../../../tests/server/support/people.ts'
import { testServer, type TestServer } from '../../../tests/server/support/server.ts'
import { listingChanged, peopleChanged } from './changes.ts'
import { quickMessages } from './routes.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

let buyer: Person
let seller: Person
let listing: string
beforeEach(async () => {
  buyer = await person(server, 'buyer')
  seller = await person(server, 'seller')
  listing = await listingOf(server, seller)
})

const tx = <T>(work: Parameters<typeof server.services.database.tx<T>>[0]) =>
  server.services.database.tx(work)
const setListing = (id: string, set: Record<string, unknown>) =>
  tx((t) => t.updateTable('listing').set(set).where('id', '=', id).execute())
const eventsOf = (who: Person) =>
  server.services.database.db
    .selectFrom('event')
    .select(['name', 'conversation_id'])
    .where('user_id', '=', who.id)
    .orderBy('seq')
    .execute()
const block = (a: Person, b: Person) =>
  tx((t) =>
    t
      .insertInto('block')
      .values({ blocker_id: a.id, blocked_id: b.id, created_at: new Date() })
      .execute(),
  )

describe('[S7.35] [API 11.1] starting', () => {
  test('is 201 when new and 200 when known, with the first message when one was given', async () => {
    const first = await buyer.post('conversations/start/', {
      listing_id: listing,
      content: ' Bonjour ',
    })
    expect(first.status).toBe(201)
    expect(v.is(startConversation.answer, first.body)).toBe(true)
    expect(first.body).toMatchObject({
      last_seq: 1,
      unread_count: 0,
      message: { seq: 1, content: 'Bonjour', sender_id: buyer.id },
      can_send: true,
    })
    const again = await buyer.post('conversations/start/', { listing_id: listing })
    expect([again.status, again.body.id, again.body.last_seq, again.body.message]).toEqual([
      200,
      first.body.id,
      1,
      undefined,
    ])
    const more = await buyer.post('conversations/start/', {
      listing_id: listing,
      content: 'Encore',
    })
    expect([more.status, more.body.message.seq]).toEqual([200, 2])
  })

  test('20 concurrent starts create one conversation', async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, () => buyer.post('conversations/start/', { listing_id: listing })),
    )
    expect(new Set(all.map(({ body }) => body.id)).size).toBe(1)
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1)
  })

  test('the same key creates one conversation and one message, with the same response', async () => {
    const body = {
      listing_id: listing,
      content: 'Bonjour',
      client_id: '0197c3f2-6a10-7c31-9d0e-5b1f3a7c2e01',
    }
    const [one, two] = [
      await buyer.post('conversations/start/', body),
      await buyer.post('conversations/start/', body),
    ]
    expect(two.body).toEqual(one.body)
    expect([two.status, two.headers.get('Idempotent-Replayed')]).toEqual([201, 'true'])
    expect(one.body.message.client_id).toBe(body.client_id)
  })

  test('[D61] an empty conversation is seen by the buyer only', async () => {
    const { body } = await buyer.post('conversations/start/', { listing_id: listing })
    expect((await buyer.get('conversations/')).body.results).toHaveLength(1)
    expect((await seller.get('conversations/')).body.results).toHaveLength(0)
    expect((await seller.get(`conversations/${body.id}/`)).status).toBe(404)
    expect(
      (await seller.post(`conversations/${body.id}/messages/`, { content: 'Oui ?' })).status,
    ).toBe(404)
  })

  test.each([
    [
      'own listing',
      400,
      'own_listing',
      () => seller.post('conversations/start/', { listing_id: listing }),
    ],
    [
      'unknown listing',
      404,
      'listing_not_found',
      () => buyer.post('conversations/start/', { listing_id: 'nothing' }),
    ],
    [
      'a visitor',
      401,
      'conversation_login_required',
      () => buyer.post('conversations/start/', { listing_id: listing }, { Authorization: '' }),
    ],
    [
      'an empty text',
      400,
      'validation_error',
      () => buyer.post('conversations/start/', { listing_id: listing, content: '  ' }),
    ],
    [
      'a text of 2,001 characters',
      400,
      'validation_error',
      () => buyer.post('conversations/start/', { listing_id: listing, content: '😀'.repeat(2001) }),
    ],
    ['no listing', 400, 'validation_error', () => buyer.post('conversations/start/', {})],
  ])('%s is refused with %i %s', async (_, status, code, ask) => {
    const answer = await ask()
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect(
      await server.services.database.db
        .selectFrom('conversation')
        .select('id')
        .where('buyer_id', '=', buyer.id)
        .execute(),
    ).toEqual([])
  })

  test.each([
    ['sold', { is_sold: true }, 'listing_unavailable'],
    ['inactive', { is_active: false }, 'listing_unavailable'],
    ['archived', { is_archived: true }, 'listing_unavailable'],
    ['expired', { expires_at: new Date('2020-01-01') }, 'listing_unavailable'],
    ['pending', { review_status: 'pending' }, 'listing_not_found'],
    ['rejected', { review_status: 'rejected' }, 'listing_not_found'],
    ['deleted', { deleted_at: new Date() }, 'listing_not_found'],
  ])('[D60] a new one on a %s listing is 404, an old one is found', async (_, set, code) => {
    const old = await buyer.post('conversations/start/', { listing_id: listing })
    await setListing(listing, set)
    const stranger = await person(server, 'stranger')
    const fresh = await stranger.post('conversations/start/', { listing_id: listing })
    expect([fresh.status, fresh.body.code]).toEqual([404, code])
    const found = await buyer.post('conversations/start/', { listing_id: listing })
    expect([found.status, found.body.id]).toEqual([200, old.body.id])
  })

  test('[API 10.6] a block prevents starting, but an existing conversation is found', async () => {
    await block(seller, buyer)
    const refused = await buyer.post('conversations/start/', { listing_id: listing })
    expect([refused.status, refused.body.code]).toEqual([403, 'cannot_message_user'])
    const other = await listingOf(server, buyer)
    expect((await seller.post('conversations/start/', { listing_id: other })).status).toBe(403)
  })
})

describe('[S7.36] [S3.12] [API 11.2] the list', () => {
  test('shows each participant their own view, newest first, with unread counts', async () => {
    const first = await talk(server, buyer, seller)
    const second = await talk(server, buyer, seller)
    await seller.post(`conversations/${first.id}/messages/`, { content: 'Oui' })
    const { body } = await buyer.get('conversations/')
    expect(v.is(listConversations.answer, body)).toBe(true)
    expect(body).toMatchObject({ count: 2, next: null, previous: null, unread_total: 1 })
    expect(body.results.map((one) => one.id)).toEqual([first.id, second.id])
    expect(body.results[0]).toMatchObject({
      unread_count: 1,
      last_seq: 2,
      my_read_until: 0,
      last_message: { content: 'Oui', client_id: null },
    })
    expect(nth(body.results, 0).participants.map((one) => one.id)).toEqual([buyer.id, seller.id])
    expect(nth(body.results, 0).listing).toMatchObject({
      id: first.listing,
      status: 'active',
      seller_id: seller.id,
      price: 3_500_000,
    })
  })

  test('pages and searches username, shop name and title without accents', async () => {
    for (const title of ['Vélo électrique', 'Moto 100 %', 'Table']) {
      const id = await listingOf(server, seller, title)
      await buyer.post('conversations/start/', { listing_id: id, content: 'Bonjour' })
    }
    const page = await buyer.get('conversations/?page=2&page_size=2')
    expect([page.body.results.length, page.body.count, page.body.previous]).toEqual([
      1,
      3,
      '/api/conversations/?page=1&page_size=2',
    ])
    expect((await buyer.get('conversations/?page=3&page_size=2')).body.code).toBe('invalid_page')
    const titles = async (search: string) =>
      (await buyer.get(`conversations/?search=${encodeURIComponent(search)}`)).body.results.map(
        (one) => one.listing.title,
      )
    expect(await titles('ELECTRIQUE')).toEqual(['Vélo électrique'])
    expect(await titles('100 %')).toEqual(['Moto 100 %'])
    expect(await titles(seller.username)).toHaveLength(3)
    expect(await titles(buyer.username)).toHaveLength(0)
    expect(await titles('%')).toEqual(['Moto 100 %'])
  })

  test.each(['page=0', 'page=x', 'page_size=0', 'page_size=1.5'])(
    '%s is invalid',
    async (query) => {
      expect((await buyer.get(`conversations/?${query}`)).status).toBe(400)
    },
  )
})

describe('[API 3] what changed in conversations', () => {
  test('a cursor returns each later change once, oldest first, in pages', async () => {
    const talks = [
      await talk(server, buyer, seller),
      await talk(server, buyer, seller),
      await talk(server, buyer, seller),
    ]
    const { cursor } = (await buyer.get('conversations/')).body
    expect((await buyer.get(`conversations/?updated_after=${cursor}`)).body).toMatchObject({
      results: [],
      next: null,
      cursor: aText,
    })
    await seller.post(`conversations/${talks[2]?.id}/messages/`, { content: 'Oui' })
    await seller.post(`conversations/${talks[0]?.id}/mark-read/`)
    await seller.post(`conversations/${talks[2]?.id}/messages/`, { content: 'Demain' })
    const page = await buyer.get(`conversations/?updated_after=${cursor}&page_size=1`)
    expect(page.body).not.toHaveProperty('count')
    expect(page.headers.get('Cache-Control')).toBe('no-store')
    expect(page.body.results).toMatchObject([{ id: talks[0]?.id, peer_read_until: 1 }])
    const rest = await buyer.get(page.body.next)
    expect(rest.body).toMatchObject({ next: null, results: [{ id: talks[2]?.id, last_seq: 3 }] })
    expect(
      (await buyer.get(`conversations/?updated_after=${rest.body.cursor}`)).body.results,
    ).toEqual([])
  })

  test('an instant starts ten seconds earlier; malformed and foreign cursors are 410', async () => {
    const { id } = await talk(server, buyer, seller)
    expect(
      (await buyer.get(`conversations/?updated_after=${new Date().toISOString()}`)).body.results,
    ).toMatchObject([{ id }])
    const foreign = (await seller.get('conversations/')).body.cursor
    for (const cursor of ['b3Nx.1841', foreign, '2020-01-01T00:00:00Z']) {
      const answer = await buyer.get(`conversations/?updated_after=${cursor}`)
      expect([cursor, answer.status, answer.body.code]).toEqual([cursor, 410, 'cursor_expired'])
    }
  })

  test('[API 14.2] reading while others write loses no change', async () => {
    const talks = await Promise.all(Array.from({ length: 6 }, () => talk(server, buyer, seller)))
    let cursor: string = (await buyer.get('conversations/')).body.cursor
    const seen = new Map<string, number>()
    const read = async () => {
      const { body } = await buyer.get(`conversations/?updated_after=${cursor}&page_size=2`)
      for (const one of body.results) seen.set(one.id, one.last_seq)
      cursor = body.cursor
      return body.results.length > 0
    }
    const state = { writing: true }
    const reader = (async () => {
      while (state.writing) await read()
    })()
    await Promise.all(
      talks.flatMap(({ id }) =>
        Array.from({ length: 8 }, (_, n) =>
          seller.post(`conversations/${id}/messages/`, { content: `${n}` }),
        ),
      ),
    )
    state.writing = false
    await reader
    while (await read());
    expect([...seen.values()]).toEqual(talks.map(() => 9))
  })
})

describe('[API 11.3] one conversation', () => {
  test('init returns all data of the screen and marks nothing read', async () => {
    const { id, listing } = await talk(server, buyer, seller)
    const { body } = await seller.get(`conversations/${id}/init/`)
    expect(v.is(initConversation.answer, body)).toBe(true)
    expect(body).toMatchObject({
      conversation: { id, unread_count: 1 },
      messages: { next: null, results: [{ seq: 1 }] },
    })
    expect(body.listing).toMatchObject({ id: listing, is_owner: true })
    expect(body.quick_messages.length).toBeLessThanOrEqual(6)
    await setListing(listing, { is_active: false })
    expect((await seller.get(`conversations/${id}/init/`)).body.listing.status).toBe('inactive')
    expect((await buyer.get(`conversations/${id}/init/`)).body).toMatchObject({
      listing: null,
      conversation: { listing: { status: 'inactive' } },
    })
    const plain = await seller.get(`conversations/${id}/`)
    expect(v.is(conversation, plain.body)).toBe(true)
    expect(plain.body.unread_count).toBe(1)
  })

  test('other users, visitors and malformed ids get no data', async () => {
    const { id } = await talk(server, buyer, seller)
    const stranger = await person(server, 'stranger')
    for (const path of [
      `conversations/${id}/`,
      `conversations/${id}/init/`,
      `conversations/${id}/messages/`,
      'conversations/nothing/',
      `conversations/${'x'.repeat(65)}/`,
    ])
      expect([path, (await stranger.get(path)).body.code]).toEqual([path, 'not_found'])
    expect(
      (await stranger.post(`conversations/${id}/messages/`, { content: 'Moi aussi' })).status,
    ).toBe(404)
    expect((await stranger.post(`conversations/${id}/mark-read/`)).status).toBe(404)
    expect((await buyer.get(`conversations/${id}/`, { Authorization: '' })).status).toBe(401)
  })

  test('[API 4.7] [API 10.6] cannot_send_reason is given, but hides a block from the blocked user', async () => {
    const { id } = await talk(server, buyer, seller)
    await block(seller, buyer)
    expect((await seller.get(`conversations/${id}/`)).body).toMatchObject({
      can_send: false,
      cannot_send_reason: 'blocked_by_me',
    })
    expect((await buyer.get(`conversations/${id}/`)).body).toMatchObject({
      can_send: false,
      cannot_send_reason: 'unavailable',
    })
    const refused = await buyer.post(`conversations/${id}/messages/`, { content: 'Encore moi' })
    expect([refused.status, refused.body.code]).toEqual([403, 'cannot_message_user'])
    expect((await seller.post(`conversations/${id}/messages/`, { content: 'Non' })).status).toBe(
      403,
    )
  })

  test('[D117] after a deletion the conversation remains, with an anonymous name', async () => {
    const { id } = await talk(server, buyer, seller)
    await tx((t) =>
      t
        .updateTable('app_user')
        .set({ deleted_at: new Date(), updated_at: new Date(), slug: null })
        .where('id', '=', buyer.id)
        .execute(),
    )
    const { body } = await seller.get(`conversations/${id}/`)
    expect(body).toMatchObject({
      can_send: false,
      cannot_send_reason: 'account_deleted',
      last_message: { sender_username: 'compte-supprime', sender_id: buyer.id },
    })
    expect(body.participants[0]).toMatchObject({
      id: buyer.id,
      username: 'compte-supprime',
      slug: null,
      deleted: true,
    })
  })

  test('[API 5.1] a deleted or suspended seller’s listing is shown as deleted', async () => {
    const { id } = await talk(server, buyer, seller)
    await tx((t) =>
      t
        .updateTable('app_user')
        .set({ suspended_at: new Date(), updated_at: new Date() })
        .where('id', '=', seller.id)
        .execute(),
    )
    expect((await buyer.get(`conversations/${id}/`)).body).toMatchObject({
      listing: { status: 'deleted' },
      cannot_send_reason: 'unavailable',
    })
  })
})

describe('[S7.39] [API 11.6] reading', () => {
  test('read_until only moves forward, never past the end, and updates the unread count', async () => {
    const { id } = await talk(server, buyer, seller)
    for (const content of ['deux', 'trois'])
      await buyer.post(`conversations/${id}/messages/`, { content })
    const mark = async (up_to?: unknown) =>
      (
        await seller.post(
          `conversations/${id}/mark-read/`,
          up_to === undefined ? undefined : { up_to },
        )
      ).body
    expect(await mark(2)).toEqual({
      conversation: id,
      my_read_until: 2,
      unread_count: 1,
      unread_total: 1,
    })
    expect(await mark(1)).toMatchObject({ my_read_until: 2, unread_count: 1 })
    expect(await mark(99_999_999_999)).toMatchObject({ my_read_until: 3, unread_count: 0 })
    expect(await mark()).toMatchObject({ my_read_until: 3, unread_total: 0 })
    for (const bad of [-1, 1.5, 'x', true])
      expect(
        (await seller.post(`conversations/${id}/mark-read/`, { up_to: bad })).body.field_codes,
      ).toEqual({ up_to: [{ code: 'invalid' }] })
    expect((await buyer.get(`conversations/${id}/`)).body.peer_read_until).toBe(3)
  })

  test('reads the notifications of those messages only, and notifies both participants once', async () => {
    const { id } = await talk(server, buyer, seller)
    await buyer.post(`conversations/${id}/messages/`, { content: 'deux' })
    const elsewhere = await talk(server, buyer, seller)
    const before = (await eventsOf(buyer)).length
    await seller.post(`conversations/${id}/mark-read/`, { up_to: 1 })
    const list = (await seller.get('notifications/')).body
    expect(list.unread_count).toBe(2)
    expect(list.results.map((one) => [one.conversation_id, one.message.seq, one.read])).toEqual([
      [elsewhere.id, 1, false],
      [id, 2, false],
      [id, 1, true],
    ])
    expect((await eventsOf(seller)).slice(-2)).toMatchObject([
      { name: 'notification.read' },
      { name: 'conversation.updated', conversation_id: id },
    ])
    expect((await eventsOf(buyer)).slice(before)).toEqual([
      { name: 'conversation.updated', conversation_id: id },
    ])
    await seller.post(`conversations/${id}/mark-read/`, { up_to: 1 })
    expect(await eventsOf(buyer)).toHaveLength(before + 1)
  })

  test('[D81] sending does not change read_until', async () => {
    const { id } = await talk(server, buyer, seller)
    await seller.post(`conversations/${id}/messages/`, { content: 'Oui' })
    expect((await seller.get(`conversations/${id}/`)).body).toMatchObject({
      my_read_until: 0,
      unread_count: 1,
      last_seq: 2,
    })
  })
})

test('[API 14.4] a change of the listing or of a user is sent to the participants', async () => {
  const { id, listing: about } = await talk(server, buyer, seller)
  const stranger = await person(server, 'stranger')
  const other = await talk(server, stranger, seller)
  const count = async () => [
    (await eventsOf(buyer)).length,
    (await eventsOf(seller)).length,
    (await eventsOf(stranger)).length,
  ]
  const [b = 0, s = 0, x = 0] = await count()
  await tx((t) => listingChanged(t, about, new Date()))
  expect(await count()).toEqual([b + 1, s + 1, x])
  await tx((t) => peopleChanged(t, seller.id, buyer.id, new Date()))
  expect(await count()).toEqual([b + 2, s + 2, x])
  await tx((t) => peopleChanged(t, seller.id, null, new Date()))
  expect(await count()).toEqual([b + 3, s + 4, x + 1])
  expect((await eventsOf(buyer)).at(-1)).toEqual({
    name: 'conversation.updated',
    conversation_id: id,
  })
  expect((await eventsOf(stranger)).at(-1)).toEqual({
    name: 'conversation.updated',
    conversation_id: other.id,
  })
})

test('[API 11.3] quick messages match the category and have no open placeholder', () => {
  const about = { category: 'vehicles', town_name: 'Koudougou', is_owner: false }
  expect(quickMessages(about)[0]?.fr).toBe('Les papiers sont-ils au complet\u00a0?')
  expect(
    quickMessages({ ...about, category: 'other' }).some(({ fr }) => fr.includes('Koudougou')),
  ).toBe(true)
  for (const one of [about, { ...about, town_name: null }, { ...about, is_owner: true }]) {
    expect(quickMessages(one).length).toBeGreaterThan(0)
    expect(quickMessages(one).some(({ fr, en }) => /[{}]/.test(fr + en))).toBe(false)
  }
})
