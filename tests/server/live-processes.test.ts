import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgres } from '../../server/db/postgres.ts'
import { databaseOf } from '../../server/db/open.ts'
import { connect, type Client } from './support/socketClient.ts'
import { jsonIn, listingOf, type Json } from './support/people.ts'
import { startServer, type Started } from './start-server.ts'

interface Someone {
  readonly id: string
  readonly username: string
  readonly token: string
}

const ask = async (
  server: Started,
  method: string,
  path: string,
  by: Someone | null,
  json?: unknown,
): Promise<{ status: number; body: Json }> => {
  const headers: Record<string, string> = { 'Content-Type': 'application/json' }
  if (by !== null) headers['Authorization'] = `Token ${by.token}`
  const response = await fetch(`${server.url}${path.startsWith('/') ? path : `/api/${path}`}`, {
    method,
    headers,
    ...(json !== undefined && { body: JSON.stringify(json) }),
  })
  const text = await response.text()
  return { status: response.status, body: jsonIn(text === '' ? 'null' : text) }
}

async function someone(server: Started): Promise<Someone> {
  const username = `u${randomUUID().slice(0, 12)}`
  const { body } = await ask(server, 'POST', 'auth/register/', null, {
    username,
    email: `${username}@example.com`,
    password: 'secret1',
  })
  return { id: body.user.id, username, token: body.token }
}

const join = async (
  server: Started,
  who: Someone,
  query: Record<string, string> = {},
): Promise<Client> => {
  const client = connect(Number(new URL(server.url).port), { token: who.token, ...query })
  await client.until((frame) => frame.type === 'hello')
  return client
}

describe.skipIf(process.env['DATABASE_URL'] === undefined)('sockets on two processes', () => {
  let one: Started
  let two: Started
  beforeAll(async () => {
    one = await startServer({ RATE_LIMITS: 'off' })
    two = await startServer({ ...one.same, RATE_LIMITS: 'off' })
  })
  afterAll(() => Promise.all([one.stop(), two.stop()]))

  async function conversation(): Promise<{ ama: Someone; bila: Someone; at: string; id: string }> {
    const [ama, bila] = [await someone(one), await someone(two)]
    const driver = openPostgres(one.same['DATABASE_URL'] ?? '', 2)
    const database = databaseOf(driver)
    const listing = await listingOf({ services: { database, clock: () => new Date() } }, bila)
    await database.close()
    const { body } = await ask(one, 'POST', 'conversations/start/', ama, {
      listing_id: listing,
      content: 'Bonjour',
    })
    return { ama, bila, id: body.id, at: `conversations/${body.id}/messages/` }
  }

  test('[API 14.2] events of one process reach the sockets of the other, in order and complete', async () => {
    const { ama, bila, at } = await conversation()
    const client = await join(two, bila)
    const sent: string[] = []
    for (let n = 0; n < 50; n += 1)
      sent.push((await ask(n % 2 ? one : two, 'POST', at, ama, { content: `${n}` })).body.id)
    await client.until(
      (frame) => frame.event === 'message.created' && frame.message.content === '49',
    )
    expect(
      client.frames
        .filter((frame) => frame.event === 'message.created')
        .map((frame) => frame.message.id),
    ).toEqual(sent)
    client.socket.close()
  })

  test('[API 11.7] typing and [API 11.6] read receipts reach the other process', async () => {
    const { ama, bila, id } = await conversation()
    const [mine, theirs] = [await join(one, ama), await join(two, bila)]
    mine.send({ type: 'typing', conversation: id, active: true })
    expect(await theirs.until((frame) => frame.type === 'typing')).toMatchObject({
      conversation: id,
      active: true,
    })
    await ask(two, 'POST', `conversations/${id}/mark-read/`, bila, { up_to: 1 })
    await mine.until(
      (frame) => frame.event === 'conversation.updated' && frame.conversation.peer_read_until === 1,
    )
    mine.socket.close()
    theirs.socket.close()
  })

  test('[API 14.1] ending a session closes its sockets everywhere; an eleventh socket closes the oldest', async () => {
    const ama = await someone(one)
    const clients: Client[] = []
    for (let n = 0; n < 11; n += 1) clients.push(await join(n % 2 ? two : one, ama))
    expect(await clients[0]?.closed).toBe(4409)
    await ask(one, 'POST', 'auth/logout/', ama)
    expect(await Promise.all(clients.slice(1).map(({ closed }) => closed))).toEqual(
      Array.from({ length: 10 }, () => 4401),
    )
  })

  test('[API 14.2] a killed process loses nothing: the client resumes at the other', async () => {
    const third = await startServer({ ...one.same, RATE_LIMITS: 'off' })
    const { ama, bila, at } = await conversation()
    const client = await join(third, bila)
    const sent: string[] = []
    const send = async (server: Started, n: number) =>
      sent.push((await ask(server, 'POST', at, ama, { content: `${n}` })).body.id)
    for (let n = 0; n < 10; n += 1) await send(one, n)
    await client.until(
      (frame) => frame.event === 'message.created' && frame.message.content === '4',
    )
    await third.stop('SIGKILL')
    await client.closed
    for (let n = 10; n < 20; n += 1) await send(two, n)
    const last = client.frames.findLast((frame) => frame.event !== undefined)?.event_id ?? ''
    const back = await join(one, bila, { last_event_id: last })
    await back.until((frame) => frame.type === 'resumed')
    const received = [...client.frames, ...back.frames]
      .filter((frame) => frame.event === 'message.created')
      .map((frame) => frame.message.id)
    expect([...new Set(received)]).toEqual(sent)
    back.socket.close()
  })
})
