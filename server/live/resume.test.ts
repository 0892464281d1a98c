import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { testServer, type TestServer } from '../../tests/server/support/server.ts'
import { connect, listening, type Client } from '../../tests/server/support/socketClient.ts'
import { publish } from './publish.ts'
import { person, talk, type Person } from '../../tests/server/support/people.ts'

let server: TestServer
let port: number
let stop: (this: void) => Promise<void>
beforeAll(async () => {
  server = await testServer()
  ;({ port, stop } = await listening(server.services))
})
afterAll(async () => {
  await stop()
  await server.close()
})

let ama: Person
let bila: Person
beforeEach(async () => {
  ama = await person(server, 'ama')
  bila = await person(server, 'bila')
})

const tell = (who: Person, from: number, to: number) =>
  server.services.database.tx(async (tx) => {
    for (let n = from; n <= to; n += 1)
      publish(tx, {
        to: who.id,
        by: null,
        at: new Date(),
        fact: { event: 'listing.published', listing: 'L1', title: `${n}`, image: null },
      })
  })
const idOf = async (who: Person, seq: number) =>
  (
    await server.services.database.db
      .selectFrom('event')
      .select('id')
      .where('user_id', '=', who.id)
      .where('seq', '=', seq)
      .executeTakeFirstOrThrow()
  ).id
const titles = (client: Client) =>
  client.frames.flatMap((frame) => (frame.event === undefined ? [] : [frame.message]))
const words = (client: Client) => client.frames.map((frame) => frame.type ?? frame.message)
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => `${from + n}`)
const resume = (who: Person, lastEventId: string) =>
  connect(port, { token: who.token, last_event_id: lastEventId })
const answered = (client: Client) =>
  client.until((frame) => frame.type === 'resumed' || frame.type === 'resync')

describe('[API 14.2] resume', () => {
  test('by the query: hello, missed events oldest first, resumed, then new events', async () => {
    await tell(ama, 1, 5)
    const client = resume(ama, await idOf(ama, 2))
    expect(await answered(client)).toEqual({
      type: 'resumed',
      replayed: 3,
      last_event_id: await idOf(ama, 5),
    })
    await tell(ama, 6, 6)
    await client.until((frame) => frame.message === '6')
    expect(words(client)).toEqual(['hello', '3', '4', '5', 'resumed', '6'])
    client.socket.close()
  })

  test('by a frame: events that were already sent are sent again', async () => {
    await tell(ama, 1, 3)
    const client = connect(port, { token: ama.token })
    await client.until((frame) => frame.type === 'hello')
    await tell(ama, 4, 4)
    await client.until((frame) => frame.message === '4')
    client.send({ type: 'resume', last_event_id: await idOf(ama, 2) })
    expect(await answered(client)).toMatchObject({ type: 'resumed', replayed: 2 })
    expect(words(client)).toEqual(['hello', '4', '3', '4', 'resumed'])
    client.socket.close()
  })

  test('new events during a resume wait for its end', async () => {
    await tell(ama, 1, 1)
    const client = connect(port, { token: ama.token })
    await client.until((frame) => frame.type === 'hello')
    await tell(ama, 2, 900)
    await client.until((frame) => frame.message === '900')
    client.send({ type: 'resume', last_event_id: await idOf(ama, 1) })
    await client.until(() => client.frames.filter((frame) => frame.message === '2').length === 2)
    await tell(ama, 901, 901)
    await client.until((frame) => frame.message === '901')
    expect(titles(client)).toEqual([...range(2, 900), ...range(2, 900), '901'])
    client.socket.close()
  })

  test('once per socket', async () => {
    await tell(ama, 1, 2)
    const client = resume(ama, await idOf(ama, 1))
    await answered(client)
    client.send({ type: 'resume', last_event_id: await idOf(ama, 1) })
    expect(await client.until((frame) => frame.type === 'error')).toMatchObject({ code: 'invalid' })
    expect(titles(client)).toEqual(['2'])
    client.socket.close()
  })

  test('without missed events it is resumed at once', async () => {
    await tell(ama, 1, 1)
    const client = resume(ama, await idOf(ama, 1))
    expect(await answered(client)).toEqual({
      type: 'resumed',
      replayed: 0,
      last_event_id: await idOf(ama, 1),
    })
    client.socket.close()
  })

  test('[D102] 1,000 missed events are replayed in one resume without a gap', async () => {
    await tell(ama, 1, 1001)
    const client = resume(ama, await idOf(ama, 1))
    expect(await answered(client)).toMatchObject({ type: 'resumed', replayed: 1000 })
    expect(titles(client)).toEqual(range(2, 1001))
    client.socket.close()
  })

  test('[D102] after 5,000 the frame is resync, and the delta reads have no gap', async () => {
    await tell(ama, 1, 1)
    const { cursor } = (await ama.get('notifications/')).body
    await tell(ama, 2, 5001)
    const client = resume(ama, await idOf(ama, 1))
    expect(await answered(client)).toEqual({
      type: 'resync',
      reason: 'too_many',
      last_event_id: await idOf(ama, 5001),
    })
    await tell(ama, 5002, 5002)
    await client.until((frame) => frame.message === '5002')
    expect(titles(client)).toEqual(['5002'])
    const seen: string[] = []
    for (let next: string | null = `notifications/?after=${cursor}&page_size=100`; next !== null;) {
      const { body }: Awaited<ReturnType<Person['get']>> = await ama.get(next)
      seen.push(...body.results.map((one) => one.message))
      next = body.next
    }
    expect(seen).toEqual(range(2, 5002))
    client.socket.close()
  })

  test.each([
    ['unknown_event', 'of another person', async () => (await tell(bila, 1, 1), idOf(bila, 1))],
    ['unknown_event', 'of nobody', async () => 'nothing'],
    ['unknown_event', 'that no database takes', async () => 'a\u0000b'],
    [
      'too_old',
      'older than seven days',
      async () => {
        const id = await idOf(ama, 1)
        await sql`update event set created_at = created_at - interval '7 days 1 minute' where id = ${id}`.execute(
          server.services.database.db,
        )
        return id
      },
    ],
  ])('%s: an event %s', async (reason, _, event) => {
    await tell(ama, 1, 2)
    const client = resume(ama, await event())
    expect(await answered(client)).toEqual({
      type: 'resync',
      reason,
      last_event_id: await idOf(ama, 2),
    })
    client.socket.close()
  })

  test('[D103] a replayed message has its old state, its conversation the current one', async () => {
    const { id } = await talk(server, bila, ama)
    const after = await idOf(ama, 1)
    await bila.post(`conversations/${id}/messages/`, { content: 'deux' })
    await bila.post(`conversations/${id}/messages/`, { content: 'trois' })
    await ama.post(`conversations/${id}/mark-read/`)
    const client = resume(ama, after)
    await answered(client)
    const second = client.frames.find((frame) => frame.message?.content === 'deux')
    expect(second).toMatchObject({
      message: { seq: 2 },
      conversation: { last_seq: 3, my_read_until: 3, unread_count: 0 },
    })
    client.socket.close()
  })

  test('a client with frequent disconnects during writes gets every event in order', async () => {
    await tell(ama, 1, 1)
    let last = await idOf(ama, 1)
    const seen: { id: string; title: string }[] = []
    const write = (round: number) =>
      Promise.all(
        Array.from({ length: 4 }, async (_, writer) => {
          for (let n = 0; n < 5; n += 1)
            await server.services.database.tx(async (tx) =>
              publish(tx, {
                to: [ama.id, bila.id],
                by: null,
                at: new Date(),
                fact: {
                  event: 'listing.published',
                  listing: 'L1',
                  title: `${writer} ${round * 5 + n}`,
                  image: null,
                },
              }),
            )
        }),
      )
    const visit = async () => {
      const client = resume(ama, last)
      await answered(client)
      client.socket.terminate()
      await client.closed
      const events = client.frames.filter((frame) => frame.event !== undefined)
      for (const frame of events)
        if (!seen.some(({ id }) => id === frame.event_id))
          seen.push({ id: frame.event_id, title: frame.message })
      last = events.at(-1)?.event_id ?? last
    }
    for (let round = 0; round < 10; round += 1) {
      const writing = write(round)
      await visit()
      await visit()
      await writing
    }
    await visit()
    const of = (writer: number) =>
      seen.filter(({ title }) => title.startsWith(`${writer} `)).map(({ title }) => title)
    for (const writer of [0, 1, 2, 3])
      expect(of(writer)).toEqual(Array.from({ length: 50 }, (_, n) => `${writer} ${n}`))
  })
})
