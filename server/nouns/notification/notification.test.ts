import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { listNotifications } from '#schema/wire/notification'
import {
  aText,
  anInstant,
  nth,
  person,
  talk,
  type Answer,
  type Person,
} from '../../../tests/server/support/people.ts'
import { publish } from '../../live/publish.ts'
import { newId } from '../../ids.ts'
import { testServer, type TestServer } from '../../../tests/server/support/server.ts'
import { countersOf } from './queries.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

let ama: Person
let bila: Person
beforeEach(async () => {
  ama = await person(server, 'ama')
  bila = await person(server, 'bila')
})

const follow = (n: number) =>
  server.services.database.tx(async (tx) => {
    for (let i = 0; i < n; i += 1)
      publish(tx, {
        to: ama.id,
        by: bila.id,
        at: new Date(),
        fact: { event: 'listing.published', listing: `L${i}`, title: `Titre ${i}`, image: null },
      })
  })
const newestTwo = async () => {
  const { results } = (await ama.get('notifications/')).body
  return [nth(results, 0), nth(results, 1)] as const
}
const titles = (answer: Answer) => answer.body.results.map((one) => one.message)

describe('[S7.40] [API 12.1] the list', () => {
  test('newest first, with its count, its unread and a cursor', async () => {
    await follow(3)
    const { body } = await ama.get('notifications/?page_size=2')
    expect(v.is(listNotifications.answer, body)).toBe(true)
    expect(body).toMatchObject({
      count: 3,
      unread_count: 3,
      next: '/api/notifications/?page_size=2&page=2',
      previous: null,
      cursor: aText,
    })
    expect(body.results.map((one) => one.message)).toEqual(['Titre 2', 'Titre 1'])
    expect(titles(await ama.get(body.next))).toEqual(['Titre 0'])
    expect((await ama.get('notifications/?page=9')).body.code).toBe('invalid_page')
    expect((await bila.get('notifications/')).body).toMatchObject({
      count: 0,
      results: [],
      unread_count: 0,
    })
  })

  test('[API 4.9] texts are in the reader’s language at the time of reading', async () => {
    await talk(server, ama, bila)
    const [fr, en] = [
      await bila.get('notifications/'),
      await bila.get('notifications/', { 'Accept-Language': 'en' }),
    ]
    expect(fr.body.results[0]).toMatchObject({
      title: `Nouveau message d’${ama.username}`,
      message: { content: 'Bonjour', seq: 1 },
      from_user: { id: ama.id, username: ama.username },
    })
    expect(nth(en.body.results, 0).title).toBe(`New message from ${ama.username}`)
  })

  test('unread=true leaves the read ones out', async () => {
    await follow(2)
    const newest = nth((await ama.get('notifications/')).body.results, 0)
    await ama.post(`notifications/${newest.id}/mark-read/`)
    expect(titles(await ama.get('notifications/?unread=true'))).toEqual(['Titre 0'])
    expect((await ama.get('notifications/?unread=maybe')).status).toBe(400)
  })
})

describe('[S7.41] [API 12.1] marking as read', () => {
  test('one by its id or its event’s id, repeatedly, never another user’s', async () => {
    await follow(2)
    const [newest, oldest] = await newestTwo()
    expect((await ama.post(`notifications/${newest.id}/mark-read/`)).body).toEqual({
      id: newest.id,
      read: true,
      unread_count: 1,
    })
    expect((await ama.post(`notifications/${newest.id}/mark-read/`)).body).toEqual({
      id: newest.id,
      read: true,
      unread_count: 1,
    })
    expect((await ama.post(`notifications/${oldest.event_id}/mark-read/`)).body).toEqual({
      id: oldest.id,
      read: true,
      unread_count: 0,
    })
    expect((await bila.post(`notifications/${newest.id}/mark-read/`)).status).toBe(404)
    expect((await ama.post('notifications/nothing/mark-read/')).status).toBe(404)
  })

  test('all, or all up to the newest one seen', async () => {
    await follow(4)
    const list = (await ama.get('notifications/')).body.results
    expect(
      (await ama.post('notifications/mark-all-read/', { up_to: nth(list, 2).id })).body,
    ).toMatchObject({ updated: 2, unread_count: 2 })
    expect(
      (await ama.post('notifications/mark-all-read/', { up_to: 'unknown' })).body,
    ).toMatchObject({ updated: 0, unread_count: 2 })
    expect((await ama.post('notifications/mark-all-read/')).body).toMatchObject({
      updated: 2,
      unread_count: 0,
      last_read_at: anInstant,
    })
  })

  test('[API 14.4] other devices of the user get an event for each effective change', async () => {
    await follow(2)
    const [newest, oldest] = await newestTwo()
    await ama.post(`notifications/${newest.id}/mark-read/`)
    await ama.post(`notifications/${newest.id}/mark-read/`)
    await ama.post('notifications/mark-all-read/', { up_to: oldest.id })
    await ama.post('notifications/mark-all-read/')
    const events = await server.services.database.db
      .selectFrom('event')
      .select('data')
      .where('user_id', '=', ama.id)
      .where('name', '=', 'notification.read')
      .orderBy('seq')
      .execute()
    expect(events.map(({ data }) => data)).toEqual([
      { event: 'notification.read', ids: [newest.id], upTo: null },
      { event: 'notification.read', ids: null, upTo: oldest.id },
    ])
  })

  test('[API 12.1] a message’s notification is read without its conversation', async () => {
    await talk(server, ama, bila)
    const row = nth((await bila.get('notifications/')).body.results, 0)
    await bila.post(`notifications/${row.id}/mark-read/`)
    expect((await bila.get('conversations/')).body.unread_total).toBe(1)
  })
})

describe('[API 3] what changed in notifications', () => {
  test('new and newly read rows, oldest change first, in pages without gaps', async () => {
    await follow(5)
    const { cursor, results } = (await ama.get('notifications/')).body
    await ama.post('notifications/mark-all-read/', { up_to: nth(results, 1).id })
    await follow(1)
    const seen: string[] = []
    let next: string | null = `notifications/?after=${cursor}&page_size=2`
    let pages = 0
    let last = ''
    while (next !== null) {
      const { body }: Answer = await ama.get(next)
      seen.push(...body.results.map((one) => `${one.message} ${one.read}`))
      expect(body).not.toHaveProperty('count')
      next = body.next
      last = body.cursor
      pages += 1
    }
    expect(pages).toBe(3)
    expect(seen.slice(0, 4).toSorted()).toEqual([
      'Titre 0 true',
      'Titre 1 true',
      'Titre 2 true',
      'Titre 3 true',
    ])
    expect(seen.slice(4)).toEqual(['Titre 0 false'])
    expect((await ama.get(`notifications/?after=${last}`)).body).toMatchObject({
      results: [],
      unread_count: 2,
    })
    expect((await ama.get('notifications/?after=rubbish')).status).toBe(410)
  })
})

test('[API 4.3] the counters of auth/me match the lists', async () => {
  await talk(server, ama, bila)
  const { id } = await talk(server, ama, bila)
  await ama.post(`conversations/${id}/messages/`, { content: 'Encore' })
  expect(await countersOf(server.services.database.db, bila.id)).toEqual({
    unread_messages: 3,
    unread_conversations: 2,
    unread_notifications: 3,
  })
  expect(await countersOf(server.services.database.db, newId())).toEqual({
    unread_messages: 0,
    unread_conversations: 0,
    unread_notifications: 0,
  })
})
