import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { databaseOf, type Database } from '../../server/db/open.ts'
import { openPostgres } from '../../server/db/postgres.ts'
import { hashOf, newToken } from '../../server/route/token.ts'
import { newId } from '../../server/ids.ts'
import { publish } from '../../server/live/publish.ts'
import { listingOf } from '../server/support/people.ts'
import { begin } from '../../server/nouns/conversation/routes.ts'
import { send } from '../../server/nouns/message/send.ts'
import { discard } from '../support/folder.ts'
import { withPostgres } from '../support/postgres.ts'
import { freePort } from '../support/product.ts'
import { median, type Figure } from './measure.ts'

const SOCKETS = 2000
const PAIRS = 50
const MESSAGES = 2000
const ROUNDS = 5

interface Someone {
  readonly id: string
  readonly token: string
}

interface Process {
  readonly port: number
  readonly dataDir: string
  stop(): Promise<void>
}

/** Fan-out over two processes, memory of idle sockets, resume, and send throughput. */
export async function live(): Promise<readonly Figure[]> {
  return withPostgres(async (databaseUrl) => {
    const [one, two] = [await open(databaseUrl), await open(databaseUrl)]
    const database = databaseOf(openPostgres(databaseUrl, 4))
    try {
      const people = await makePeople(database, SOCKETS)
      return [
        ...(await fanOut(people, one, two)),
        ...(await resume(database, people, one)),
        ...(await sending(database, people, one)),
      ]
    } finally {
      await database.close()
      await Promise.all([one.stop(), two.stop()])
    }
  })
}

async function open(databaseUrl: string): Promise<Process> {
  const [port, dataDir] = [await freePort(), mkdtempSync(join(tmpdir(), 'bench-live-'))]
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    PORT: `${port}`,
    DATA_DIR: dataDir,
    DEMO: '0',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
  }
  const child = spawn(process.execPath, ['tests/bench/plain-server.ts'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  await once(child.stdout, 'data')
  return {
    port,
    dataDir,
    async stop() {
      child.kill('SIGKILL')
      await ended
      discard(dataDir)
    },
  }
}

async function makePeople(database: Database, count: number): Promise<Someone[]> {
  const now = new Date()
  const people = Array.from({ length: count }, () => ({ id: newId(), token: newToken() }))
  for (let from = 0; from < count; from += 500) {
    const some = people.slice(from, from + 500)
    await database.tx(async (tx) => {
      await tx
        .insertInto('app_user')
        .values(
          some.map(({ id }) => ({
            id,
            username: id,
            username_key: id,
            language: 'fr' as const,
            joined_at: now,
            updated_at: now,
          })),
        )
        .execute()
      await tx
        .insertInto('session')
        .values(
          some.map(({ id, token }) => ({
            id: newId(),
            token_hash: hashOf(token),
            user_id: id,
            user_agent: '',
            created_at: now,
            last_used_at: now,
          })),
        )
        .execute()
    })
  }
  return people
}

async function connect(people: readonly Someone[], port: number): Promise<WebSocket[]> {
  const sockets: WebSocket[] = []
  for (let from = 0; from < people.length; from += 50) {
    const some = people.slice(from, from + 50).map(
      ({ token }) =>
        new WebSocket(`ws://127.0.0.1:${port}/ws/notifications/?token=${token}`, {
          perMessageDeflate: false,
        }),
    )
    await Promise.all(some.map((socket) => once(socket, 'message')))
    sockets.push(...some)
  }
  return sockets
}

async function closeAll(sockets: readonly WebSocket[]): Promise<void> {
  await Promise.all(
    sockets.map(async (socket) => {
      const closed = once(socket, 'close')
      socket.close()
      await closed
    }),
  )
}

async function resident(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1])
}

async function fanOut(people: readonly Someone[], one: Process, two: Process): Promise<Figure[]> {
  // A first round warms up the process, so that one-time allocations do not count for sockets.
  await closeAll(await connect(people.slice(0, SOCKETS / 2), one.port))
  const before = await resident(one.port)
  const sockets = await connect(people, one.port)
  await pause(2000)
  const perSocket = ((await resident(one.port)) - before) / SOCKETS / 1024
  await closeAll(sockets)

  const both = [
    ...(await connect(people.slice(0, SOCKETS / 2), one.port)),
    ...(await connect(people.slice(SOCKETS / 2), two.port)),
  ]
  const spans: number[] = []
  const missed: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const arrivals: number[] = []
    const received = both.map(
      (socket) =>
        new Promise<void>((resolve) => {
          socket.once('message', () => {
            arrivals.push(performance.now())
            resolve()
          })
        }),
    )
    const began = performance.now()
    const trigger = tellAll(people, two.port)
    await Promise.race([Promise.all(received), pause(10_000)])
    await trigger
    missed.push(SOCKETS - arrivals.length)
    spans.push(Math.max(...arrivals) - began)
  }
  await closeAll(both)
  return [
    {
      what: `memory of an idle socket, ${SOCKETS} of them`,
      value: perSocket,
      unit: 'KB',
      reach: 30,
    },
    {
      what: `one event to ${SOCKETS} sockets on two processes: the last one has it`,
      value: median(spans),
      unit: 'ms',
      reach: 500,
    },
    { what: 'of these missed', value: Math.max(...missed), unit: 'events', reach: 0 },
  ]
}

/** One event for everybody, in one transaction of the second process. */
async function tellAll(people: readonly Someone[], port: number): Promise<void> {
  await post(new Agent(), port, '/api/bench/announcements/', people[0]?.token ?? '', {})
}

async function resume(
  database: Database,
  people: readonly Someone[],
  one: Process,
): Promise<Figure[]> {
  const [someone] = people
  if (someone === undefined) throw new Error('nobody')
  const times: number[] = []
  const replayed: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const last = await database.db
      .selectFrom('event')
      .select('id')
      .where('user_id', '=', someone.id)
      .orderBy('seq', 'desc')
      .executeTakeFirstOrThrow()
    await database.tx(async (tx) => {
      for (let n = 0; n < 1000; n += 1)
        publish(tx, {
          to: someone.id,
          by: null,
          at: new Date(),
          fact: { event: 'listing.published', listing: 'L', title: `${n}`, image: null },
        })
    })
    const began = performance.now()
    const socket = new WebSocket(
      `ws://127.0.0.1:${one.port}/ws/notifications/?token=${someone.token}&last_event_id=${last.id}`,
    )
    let events = 0
    await new Promise<void>((resolve) => {
      socket.on('message', (data) => {
        const text = Buffer.isBuffer(data) ? data.toString() : ''
        if (text.startsWith('{"type":"resumed"')) resolve()
        else if (!text.startsWith('{"type"')) events += 1
      })
    })
    times.push(performance.now() - began)
    replayed.push(events)
    await closeAll([socket])
  }
  return [
    {
      what: 'a client back after 1,000 missed events: it has them all',
      value: median(times),
      unit: 'ms',
      reach: 2000,
    },
    { what: 'of these missed', value: 1000 - Math.min(...replayed), unit: 'events', reach: 0 },
  ]
}

async function sending(
  database: Database,
  people: readonly Someone[],
  one: Process,
): Promise<Figure[]> {
  const now = new Date()
  const talks: { path: string; token: string }[] = []
  for (let n = 0; n < PAIRS; n += 1) {
    const [buyer, seller] = [people[2 * n], people[2 * n + 1]]
    if (buyer === undefined || seller === undefined) throw new Error('too few people')
    const listing = await listingOf({ services: { database, clock: () => now } }, seller)
    const id = await database.tx(async (tx) => {
      const { id } = await begin(tx, { listing, buyer: buyer.id, now })
      await send(tx, {
        conversation_id: id,
        sender_id: buyer.id,
        content: 'Bonjour',
        attachment: null,
        reply_to_id: null,
        client_id: null,
        fingerprint: null,
        now,
      })
      return id
    })
    talks.push({ path: `/api/conversations/${id}/messages/`, token: buyer.token })
  }
  const plain: number[] = []
  const messages: number[] = []
  const notes = talks.map(({ token }) => ({ path: '/api/bench/notes/', token }))
  await load(one.port, notes, false)
  await load(one.port, talks, true)
  // The database does this by itself within a minute.
  await database.script('analyze')
  for (let round = 0; round < ROUNDS; round += 1) {
    plain.push(await load(one.port, notes, false))
    messages.push(await load(one.port, talks, true))
  }
  const baseline = { name: 'plain insert', value: median(plain) }
  return [
    {
      what: `POST message with key, notification and event, ${PAIRS} at once`,
      value: median(messages),
      unit: 'per s',
      baseline,
      reach: 0.5,
      atLeast: true,
    },
  ]
}

/** Writes, one at a time per writer; returns writes per second. */
async function load(
  port: number,
  writers: readonly { path: string; token: string }[],
  keyed: boolean,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: writers.length })
  const began = performance.now()
  await Promise.all(
    writers.map(async ({ path, token }) => {
      for (let n = 0; n < MESSAGES / writers.length; n += 1)
        await post(
          agent,
          port,
          path,
          token,
          { content: 'Bonjour, est-ce toujours disponible ?' },
          keyed ? newId() : null,
        )
    }),
  )
  agent.destroy()
  return MESSAGES / ((performance.now() - began) / 1000)
}

function post(
  agent: Agent,
  port: number,
  path: string,
  token: string,
  json: unknown,
  key: string | null = null,
): Promise<void> {
  const body = JSON.stringify(json)
  const headers = {
    authorization: `Token ${token}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...(key !== null && { 'idempotency-key': key }),
  }
  return new Promise((resolve, reject) => {
    request({ agent, host: '127.0.0.1', port, path, method: 'POST', headers }, (answer) => {
      if (answer.statusCode !== 201) reject(new Error(`${path}: ${answer.statusCode}`))
      answer.resume().on('end', resolve)
    })
      .on('error', reject)
      .end(body)
  })
}
