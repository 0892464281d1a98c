import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testDatabase } from '../../tests/server/support/database.ts'
import type { Database } from '../db/open.ts'
import { newId } from '../ids.ts'
import { newEvents, publish } from './publish.ts'
import type { Fact } from './fact.ts'

let database: Database
const at = new Date('2026-11-21T08:00:00.000Z')

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

let [ama, bila, chantal] = ['', '', '']
beforeEach(async () => {
  ;[ama, bila, chantal] = [newId(), newId(), newId()]
  const person = (id: string) => ({
    id,
    username: id,
    username_key: id,
    language: 'fr' as const,
    joined_at: at,
    updated_at: at,
  })
  await database.tx((tx) =>
    tx
      .insertInto('app_user')
      .values([person(ama), person(bila), person(chantal)])
      .execute(),
  )
})

const listing = newId()
const anId: unknown = expect.any(String)
const published: Fact = { event: 'listing.published', listing, title: 'Vélo', image: null }
const updated = (conversation: string): Fact => ({
  event: 'conversation.updated',
  conversation,
  listing,
})
const eventsOf = (user: string) =>
  database.db
    .selectFrom('event')
    .select(['seq', 'name', 'notification_id', 'live', 'conversation_id'])
    .where('user_id', '=', user)
    .orderBy('seq')
    .execute()

test('[API 14.2] events are written with their effect, in call order, and listeners run after the commit', async () => {
  const notified: string[][] = []
  const stop = newEvents.on((users) => notified.push(users.toSorted()))
  await database.tx(async (tx) => {
    publish(tx, { to: [bila, ama], by: null, at, fact: published })
    publish(tx, { to: ama, by: null, at, fact: { event: 'follow.created' } })
    expect(notified).toEqual([])
  })
  stop()
  expect(notified).toEqual([[ama, bila].toSorted()])
  expect(await eventsOf(ama)).toMatchObject([
    { seq: 1, name: 'listing.published' },
    { seq: 2, name: 'follow.created' },
  ])
  expect(await eventsOf(bila)).toMatchObject([
    { seq: 1, name: 'listing.published', notification_id: anId },
  ])
})

test('[API 14.2] a rollback leaves no event and no gap, and calls no listener', async () => {
  const notified: unknown[] = []
  const stop = newEvents.on((users) => notified.push(users))
  const failing = database.tx(async (tx) => {
    publish(tx, { to: ama, by: null, at, fact: published })
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  await database.tx(async (tx) => publish(tx, { to: ama, by: null, at, fact: published }))
  stop()
  expect(notified).toEqual([[ama]])
  expect(await eventsOf(ama)).toMatchObject([{ seq: 1 }])
})

test('[API 12.2] a disabled setting prevents row and frame; without push nothing is stored', async () => {
  const changed = { updated_at: at }
  await database.tx((tx) =>
    tx
      .insertInto('preference')
      .values({ user_id: ama, system_in_app: false, ...changed })
      .execute(),
  )
  await database.tx((tx) =>
    tx
      .insertInto('preference')
      .values({ user_id: bila, system_in_app: false, system_push: false, ...changed })
      .execute(),
  )
  await database.tx(async (tx) =>
    publish(tx, { to: [ama, bila, chantal], by: null, at, fact: published }),
  )
  expect(await eventsOf(ama)).toMatchObject([{ live: false, notification_id: null }])
  expect(await eventsOf(bila)).toEqual([])
  expect(await eventsOf(chantal)).toMatchObject([{ live: true, notification_id: anId }])
})

test('[API 12.2] in one transaction each event obeys its group’s setting; an unused number stays free', async () => {
  await database.tx((tx) =>
    tx
      .insertInto('preference')
      .values({
        user_id: ama,
        announcements_in_app: false,
        announcements_push: false,
        messages_in_app: false,
        updated_at: at,
      })
      .execute(),
  )
  const followed: Fact = { event: 'listing.new_from_followed', listing, title: 'Vélo', image: null }
  const written: Fact = {
    event: 'message.created',
    conversation: 'c1',
    listing,
    image: null,
    message: { id: newId(), seq: 1, content: 'Bonjour' },
  }
  await database.tx(async (tx) => {
    for (const fact of [published, followed, written, updated('c1')])
      publish(tx, { to: [ama, bila], by: null, at, fact })
  })
  await database.tx(async (tx) => publish(tx, { to: [ama, bila], by: null, at, fact: published }))
  expect(await eventsOf(ama)).toMatchObject([
    { seq: 1, name: 'listing.published', live: true, notification_id: anId },
    { seq: 3, name: 'message.created', live: false, notification_id: null },
    { seq: 4, name: 'conversation.updated', live: true, notification_id: null },
    { seq: 5, name: 'listing.published' },
  ])
  expect(await eventsOf(bila)).toMatchObject([
    { seq: 1 },
    { seq: 2, notification_id: anId },
    { seq: 3, notification_id: anId },
    { seq: 4, notification_id: null },
    { seq: 5 },
  ])
})

test('[API 10.6] blocked users get no notification of each other, but changes of the conversation', async () => {
  await database.tx((tx) =>
    tx.insertInto('block').values({ blocker_id: ama, blocked_id: bila, created_at: at }).execute(),
  )
  await database.tx(async (tx) => {
    publish(tx, { to: [ama, chantal], by: bila, at, fact: { event: 'follow.created' } })
    publish(tx, { to: bila, by: ama, at, fact: { event: 'follow.created' } })
    publish(tx, { to: [ama, bila], by: null, at, fact: updated('c1') })
  })
  expect(await eventsOf(ama)).toMatchObject([
    { name: 'conversation.updated', notification_id: null },
  ])
  expect(await eventsOf(bila)).toMatchObject([{ name: 'conversation.updated' }])
  expect(await eventsOf(chantal)).toMatchObject([{ name: 'follow.created' }])
})

test('[API 11.6] changes of one conversation in one transaction are one event, at the last position', async () => {
  await database.tx(async (tx) => {
    publish(tx, { to: ama, by: null, at, fact: updated('c1') })
    publish(tx, { to: ama, by: null, at, fact: published })
    publish(tx, { to: ama, by: null, at, fact: updated('c2') })
    publish(tx, { to: ama, by: null, at, fact: updated('c1') })
  })
  expect(await eventsOf(ama)).toMatchObject([
    { name: 'listing.published' },
    { conversation_id: 'c2' },
    { conversation_id: 'c1' },
  ])
})

test('[API 14.2] many transactions at once leave each event_sequence without a gap', async () => {
  const pairs = Array.from({ length: 40 }, (_, n) =>
    n % 2 ? [ama, bila, chantal] : [chantal, ama, bila],
  )
  await Promise.all(
    pairs.map((to) =>
      database.tx(async (tx) => publish(tx, { to, by: null, at, fact: published })),
    ),
  )
  for (const person of [ama, bila, chantal])
    expect((await eventsOf(person)).map((row) => row.seq)).toEqual(
      Array.from({ length: 40 }, (_, n) => n + 1),
    )
})
