import { afterAll, beforeAll, expect, test } from 'vitest'
import { pino } from 'pino'
import { testServer, type TestServer } from '../../tests/server/support/server.ts'
import { conversationReads } from '../nouns/conversation/queries.ts'
import { silentBus } from './bus.ts'
import { openHub, type Listener } from './hub.ts'
import { publish } from './publish.ts'
import { jsonIn, person } from '../../tests/server/support/people.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

test('[API 14.2] sockets of one user at different positions each get what they miss, nothing twice', async () => {
  const { database, clock } = server.services
  const ama = await person(server, 'ama')
  const hub = openHub(
    database.db,
    conversationReads,
    clock,
    pino({ level: 'silent' }),
    () => silentBus,
  )
  const at = (id: string, place: number | null): Listener & { received: string[] } => {
    const received: string[] = []
    const listener = {
      id,
      user: ama.id,
      session: id,
      language: 'fr' as const,
      place,
      received,
      send: (text: string) => void received.push(jsonIn(text).message),
      close: () => undefined,
    }
    hub.join(listener)
    return listener
  }
  const tell = (title: string) =>
    database.tx(async (tx) =>
      publish(tx, {
        to: ama.id,
        by: null,
        at: clock(),
        fact: { event: 'listing.published', listing: 'L1', title, image: null },
      }),
    )
  for (const title of ['1', '2', '3']) await tell(title)
  const [behind, ahead, busy] = [at('behind', 0), at('ahead', 2), at('busy', null)]
  // a poll finds events without a wake
  await hub.look()
  while (behind.place !== 3 || ahead.place !== 3)
    await new Promise((resolve) => setImmediate(resolve))
  expect([behind.received, ahead.received, busy.received]).toEqual([['1', '2', '3'], ['3'], []])
})
