import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { elides } from '#schema/elision'
import { serverEvent } from '#schema/wire/event'
import { hello } from '#schema/wire/socket'
import { newToken } from '../route/token.ts'
import { testServer, type TestServer } from '../../tests/server/support/server.ts'
import { connect, listening, textOf, type Client } from '../../tests/server/support/socketClient.ts'
import type { Live } from './live.ts'
import { publish } from './publish.ts'
import { presenceOf } from './presence.ts'
import {
  anInstant,
  jsonIn,
  listingOf,
  person,
  talk,
  type Json,
  type Person,
} from '../../tests/server/support/people.ts'

let server: TestServer
let live: Live
let port: number
let stop: (this: void) => Promise<void>
let ticks = 0
beforeAll(async () => {
  server = await testServer([], { CORS_ORIGINS: 'https://allowed.example' })
  ;({ live, port, stop } = await listening(server.services, () => ticks))
})
afterAll(async () => {
  await stop()
  await server.close()
})

let ama: Person
let bila: Person
const open: Client[] = []
beforeEach(async () => {
  ama = await person(server, 'ama')
  bila = await person(server, 'bila')
})
afterEach(async () => {
  for (const client of open.splice(0)) {
    client.socket.close()
    await client.closed
  }
})

const join = (
  who: Person,
  query: Record<string, string> = {},
  headers: Record<string, string> = {},
): Client => {
  const client = connect(port, { token: who.token, ...query }, headers)
  open.push(client)
  return client
}
const greeted = async (who: Person, query: Record<string, string> = {}) => {
  const client = join(who, query)
  const first = await client.until((frame) => frame.type === 'hello')
  return { client, first }
}
const tell = (who: Person, title: string) =>
  server.services.database.tx(async (tx) =>
    publish(tx, {
      to: who.id,
      by: null,
      at: new Date(),
      fact: { event: 'listing.published', listing: 'L1', title, image: null },
    }),
  )
const titled = (title: string) => (frame: Json) => frame.message === title
/** The response to a ping comes after all frames sent before it. */
const settled = async (client: Client, ts: number) => {
  client.send({ type: 'ping', ts })
  await client.until((frame) => frame.type === 'pong' && frame.ts === ts)
}

describe('[S7.50] [API 14.1] the handshake', () => {
  test('hello comes first, with the last event id', async () => {
    const { first, client } = await greeted(ama)
    expect(v.is(hello, first)).toBe(true)
    expect(first).toMatchObject({
      user_id: ama.id,
      last_event_id: null,
      heartbeat_s: 25,
      timeout_s: 60,
    })
    expect(client.frames[0]).toBe(first)
    await tell(ama, 'Vélo')
    const event = await client.until(titled('Vélo'))
    expect((await greeted(ama)).first.last_event_id).toBe(event.event_id)
  })

  test.each([
    ['wrong', () => newToken()],
    ['malformed', () => 'x'],
    ['missing', () => ''],
  ])('a %s token is accepted and closed with 4401', async (_, token) => {
    const client = connect(port, { token: token() })
    expect(await client.closed).toBe(4401)
    expect(client.frames).toEqual([])
  })

  test('a suspended account is closed with 4403', async () => {
    await server.services.database.tx((tx) =>
      tx
        .updateTable('app_user')
        .set({ suspended_at: new Date() })
        .where('id', '=', ama.id)
        .execute(),
    )
    expect(await join(ama).closed).toBe(4403)
  })

  test('[D104] a foreign origin gets 403; an allowed one, or none, may connect', async () => {
    expect(await join(ama, {}, { Origin: 'https://evil.example' }).closed).toBe(403)
    for (const origin of [
      'http://yaar.test',
      'https://allowed.example',
      `http://127.0.0.1:${port}`,
    ]) {
      await join(ama, {}, { Origin: origin }).until((frame) => frame.type === 'hello')
    }
  })

  test('of several tokens the first counts', async () => {
    const client = connect(port, {})
    expect(await client.closed).toBe(4401)
    const { WebSocket } = await import('ws')
    const socket = new WebSocket(
      `ws://127.0.0.1:${port}/ws/notifications/?token=${ama.token}&token=x`,
    )
    const first = await new Promise((resolve) =>
      socket.once('message', (data) =>
        resolve(jsonIn(textOf(Buffer.isBuffer(data) ? data : Buffer.alloc(0)))),
      ),
    )
    expect(first).toMatchObject({ type: 'hello' })
    socket.close()
  })

  test('another path is 404', async () => {
    const { WebSocket } = await import('ws')
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/other/`)
    expect(
      await new Promise((resolve) =>
        socket
          .on('unexpected-response', (_, response) => resolve(response.statusCode))
          .on('error', () => undefined),
      ),
    ).toBe(404)
  })
})

describe('[API 14.3] frames of the client', () => {
  test('ping is answered with its ts, the bare text too', async () => {
    const { client } = await greeted(ama)
    client.send({ type: 'ping', ts: 1772356504120 })
    expect(await client.until((frame) => frame.type === 'pong')).toMatchObject({
      ts: 1772356504120,
      server_time: anInstant,
    })
    client.send('ping')
    expect(
      await client.until((frame) => frame.type === 'pong' && frame.ts === undefined),
    ).toBeTruthy()
  })

  test('[API 14.1] 4400: the third frame that is no JSON object, binary ones too', async () => {
    const { client } = await greeted(ama)
    client.send('rubbish')
    client.send('[1]')
    await settled(client, 1)
    client.send(Buffer.from('{}'))
    expect(await client.closed).toBe(4400)
  })

  test('[API 14.1] 1009: a frame above 4 KB', async () => {
    const { client } = await greeted(ama)
    client.send({ type: 'ping', ts: 1, more: 'x'.repeat(4096) })
    expect(await client.closed).toBe(1009)
  })

  test('[API 14.1] 4429: the 61st frame in ten seconds', async () => {
    const { client } = await greeted(ama)
    for (let n = 0; n < 61; n += 1) client.send({ type: 'ping', ts: n })
    expect(await client.closed).toBe(4429)
    expect(client.frames.filter((frame) => frame.type === 'pong')).toHaveLength(60)
  })

  test('[API 14.1] 4408: no frame for 60 seconds; a ping prevents it', async () => {
    const { client: quiet } = await greeted(ama)
    ticks += 30_000
    const { client: lively } = await greeted(bila)
    ticks += 29_999
    await live.look()
    await settled(quiet, 1)
    ticks += 30_001
    await settled(quiet, 2)
    await live.look()
    expect(await lively.closed).toBe(4408)
    await settled(quiet, 3)
  })

  test('[API 14.1] 4409: of eleven sockets the oldest is closed', async () => {
    const clients = []
    for (let n = 0; n < 11; n += 1) clients.push((await greeted(ama)).client)
    expect(await clients[0]?.closed).toBe(4409)
    for (const client of clients.slice(1)) await settled(client, 1)
  })

  test('[API 14.1] 4401: the session ends while the socket is open', async () => {
    const { client } = await greeted(ama)
    await server.services.database.tx((tx) =>
      tx.deleteFrom('session').where('id', '=', ama.sessionId).execute(),
    )
    await live.look()
    expect(await client.closed).toBe(4401)
  })

  test('[D84] 4403: the account is suspended while the socket is open', async () => {
    const { client } = await greeted(ama)
    await server.services.database.tx(async (tx) => {
      await tx
        .updateTable('app_user')
        .set({ suspended_at: new Date() })
        .where('id', '=', ama.id)
        .execute()
      await tx.deleteFrom('session').where('user_id', '=', ama.id).execute()
    })
    await live.look()
    expect(await client.closed).toBe(4403)
  })

  test('a bad frame of a known type is an error, an unknown type is ignored, and the socket stays open', async () => {
    const { client } = await greeted(ama)
    client.send({ type: 'typing', conversation: 5, active: true })
    expect(await client.until((frame) => frame.type === 'error')).toMatchObject({ code: 'invalid' })
    client.send({ type: 'dance' })
    await settled(client, 1)
    expect(client.frames.map((frame) => frame.type)).toEqual(['hello', 'error', 'pong'])
  })
})

describe('[API 11.7] typing', () => {
  test('reaches the other side’s sockets and nobody else’s', async () => {
    const { id } = await talk(server, ama, bila)
    const stranger = await person(server, 'stranger')
    const [mine, theirs, others] = [
      (await greeted(ama)).client,
      (await greeted(bila)).client,
      (await greeted(stranger)).client,
    ]
    mine.send({ type: 'typing', conversation: id, active: true })
    expect(await theirs.until((frame) => frame.type === 'typing')).toEqual({
      type: 'typing',
      conversation: id,
      from_user: { id: ama.id, username: ama.username },
      active: true,
    })
    others.send({ type: 'typing', conversation: id, active: true })
    expect(await others.until((frame) => frame.type === 'error')).toMatchObject({ code: 'invalid' })
    await settled(mine, 1)
    await settled(theirs, 1)
    expect(theirs.frames.filter((frame) => frame.type === 'typing')).toHaveLength(1)
    expect(mine.frames.filter((frame) => frame.type === 'typing')).toHaveLength(0)
  })

  test('[API 11.3] [D61] is not sent for a conversation without messages', async () => {
    const { body } = await ama.post('conversations/start/', {
      listing_id: await listingOf(server, bila),
    })
    const { client: theirs } = await greeted(bila)
    const { client: mine } = await greeted(ama)
    mine.send({ type: 'typing', conversation: body.id, active: true })
    mine.send({ type: 'typing', conversation: 'nothing', active: true })
    await mine.until((frame) => frame.type === 'error')
    await settled(theirs, 1)
    expect(theirs.frames.some((frame) => frame.type === 'typing')).toBe(false)
  })

  test('[API 10.6] is dropped when one blocks the other', async () => {
    const { id } = await talk(server, ama, bila)
    const { client: theirs } = await greeted(bila)
    const { client: mine } = await greeted(ama)
    await server.services.database.tx((tx) =>
      tx
        .insertInto('block')
        .values({ blocker_id: bila.id, blocked_id: ama.id, created_at: new Date() })
        .execute(),
    )
    mine.send({ type: 'typing', conversation: id, active: true })
    mine.send({ type: 'typing', conversation: 'nothing', active: true })
    await mine.until((frame) => frame.type === 'error')
    await settled(theirs, 1)
    expect(theirs.frames.some((frame) => frame.type === 'typing')).toBe(false)
  })
})

describe('[API 14.4] events', () => {
  test('both sides get the complete message, in the order of its transaction', async () => {
    const { id } = await talk(server, ama, bila)
    const [mine, theirs] = [(await greeted(ama)).client, (await greeted(bila)).client]
    const { body } = await ama.post(`conversations/${id}/messages/`, {
      content: 'Bonjour',
      client_id: '0197c3f2-6a10-7c31-9d0e-5b1f3a7c2e99',
    })
    const created = await theirs.until((frame) => frame.event === 'message.created')
    const updated = await theirs.until((frame) => frame.event === 'conversation.updated')
    expect(v.is(serverEvent, created) && v.is(serverEvent, updated)).toBe(true)
    expect(created.message).toEqual({ ...body, client_id: null })
    expect(created).toMatchObject({
      title: `Nouveau message ${elides(ama.username) ? 'd’' : 'de '}${ama.username}`,
      conversation: { id, unread_count: 2, last_seq: 2 },
      read: false,
      url: `/messages/${id}`,
    })
    expect(theirs.events()).toEqual(['message.created', 'conversation.updated'])
    const own = await mine.until((frame) => frame.event === 'conversation.updated')
    expect(own.conversation).toMatchObject({
      id,
      unread_count: 0,
      last_message: { client_id: '0197c3f2-6a10-7c31-9d0e-5b1f3a7c2e99' },
    })
    expect(mine.events()).toEqual(['conversation.updated'])
  })

  test('[API 11.6] a read mark reaches the peer as the read receipt', async () => {
    const { id } = await talk(server, ama, bila)
    const { client: mine } = await greeted(ama)
    await bila.post(`conversations/${id}/mark-read/`, { up_to: 1 })
    expect(
      (await mine.until((frame) => frame.event === 'conversation.updated')).conversation
        .peer_read_until,
    ).toBe(1)
  })

  test('each socket gets events in its language', async () => {
    const [{ client: fr }, { client: en }] = [
      await greeted(ama),
      await greeted(ama, { lang: 'en' }),
    ]
    await tell(ama, 'Vélo')
    expect((await fr.until(titled('Vélo'))).title).toBe('Votre annonce est en ligne')
    expect((await en.until(titled('Vélo'))).title).toBe('Your listing is online')
  })

  test('an event that a setting forbids is not sent, the next one is', async () => {
    await server.services.database.tx((tx) =>
      tx
        .insertInto('preference')
        .values({ user_id: ama.id, system_in_app: false, updated_at: new Date() })
        .execute(),
    )
    const { client } = await greeted(ama)
    await tell(ama, 'Forbidden')
    const { id } = await talk(server, bila, ama)
    await client.until(
      (frame) => frame.conversation?.id === id && frame.event === 'conversation.updated',
    )
    expect(client.frames.some(titled('Forbidden'))).toBe(false)
  })

  test('an event whose wake was lost is found by the next poll', async () => {
    const { client } = await greeted(ama)
    await settled(client, 1)
    // a row as another process would write it
    await server.services.database.tx(async (tx) => {
      await tx.insertInto('event_sequence').values({ user_id: ama.id, last: 1 }).execute()
      await tx
        .insertInto('event')
        .values({
          id: 'lost',
          user_id: ama.id,
          seq: 1,
          name: 'follow.created',
          data: JSON.stringify({ event: 'follow.created' }),
          actor_id: bila.id,
          conversation_id: null,
          message_seq: null,
          notification_id: 'N-lost',
          live: true,
          read_at: null,
          change: 1,
          changed_at: new Date(),
          created_at: new Date(),
        })
        .execute()
    })
    await live.look()
    expect(await client.until((frame) => frame.event_id === 'lost')).toMatchObject({
      message: `${bila.username} vous suit`,
    })
  })
})

test('a process that was considered dead registers its sockets again', async () => {
  const [{ client: seen }, { client: hidden }] = [await greeted(ama), await greeted(ama)]
  seen.send({ type: 'presence', visible: true })
  await settled(seen, 1)
  await settled(hidden, 1)
  const rows = () =>
    server.services.database.db
      .selectFrom('live_socket')
      .select(['process_id', 'session_id', 'visible'])
      .where('user_id', '=', ama.id)
      .orderBy('id')
      .execute()
  await expect.poll(async () => (await rows()).map(({ visible }) => visible)).toEqual([true, false])
  const before = await rows()
  // 45 s in which only the other process sent a heartbeat
  await presenceOf(server.services.database, 'other').sign(new Date(Date.now() + 45_000))
  expect(await rows()).toEqual([])
  await live.sign()
  expect(await rows()).toEqual(before)
  await live.sign()
  expect(await rows()).toEqual(before)
})

test('[API 14.1] 1012: a process that stops closes its sockets and deletes its rows', async () => {
  const other = await listening(server.services)
  const clients = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const client = connect(other.port, { token: ama.token })
      await client.until((frame) => frame.type === 'hello')
      return client
    }),
  )
  await other.stop()
  expect(await Promise.all(clients.map(({ closed }) => closed))).toEqual([
    1012, 1012, 1012, 1012, 1012,
  ])
  const rows = await server.services.database.db
    .selectFrom('live_socket')
    .select('id')
    .where('user_id', '=', ama.id)
    .execute()
  expect(rows).toEqual([])
})
