import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { readConfig } from '../../server/config.ts'
import { migrate } from '../../server/db/migrate.ts'
import { openDatabase, type Database } from '../../server/db/open.ts'
import { createUser } from '../../server/nouns/account/register.ts'
import { openSession } from '../../server/nouns/account/session.ts'
import { addListing } from '../../server/nouns/listing/sample.ts'
import { discard } from '../support/folder.ts'
import { withPostgres } from '../support/postgres.ts'
import { fuzz } from './fuzz.ts'
import { logins, town } from './load.ts'
import { newFolder, startServer, type Started } from './start-server.ts'

/**
 * `npm run kills [-- rounds]`: kills the server with SIGKILL while four phones write messages, again and again, on both databases.
 * Whoever got no answer sends the same again with the same key. In the end no acknowledged message may be lost and none be there
 * twice, and every message must have its notification, its event and its key, because all are one transaction.
 */
const ROUNDS = Number(process.argv[2] ?? 50)
const WRITERS = 4

interface Market {
  readonly token: string
  readonly conversation: string
}

async function lay(database: Database): Promise<Market> {
  await migrate(database)
  const now = new Date()
  return database.tx(async (tx) => {
    const person = (username: string) => createUser(tx, { username, email: `${username}@example.com`, passwordHash: 'none', language: 'fr' }, now)
    const [seller, buyer] = [await person('seller'), await person('buyer')]
    const listing = await addListing(tx, seller)
    const conversation = randomUUID()
    await tx.insertInto('conversation').values({ id: conversation, listing_id: listing, buyer_id: buyer, seller_id: seller, created_at: now }).execute()
    for (const user_id of [seller, buyer]) await tx.insertInto('participant').values({ user_id, conversation_id: conversation, sorted_at: now, updated_at: now }).execute()
    // a seller may not write first, so the buyer does it all, from several phones
    return { conversation, token: await openSession(tx, buyer, 'kills', now) }
  })
}

/** One phone: the next message goes when the one before is acknowledged; after a cut the same is sent again. */
class Writer {
  readonly acknowledged: string[] = []
  readonly #name: number
  readonly #market: Market
  #waiting: { key: string; content: string } | null = null

  constructor(name: number, market: Market) {
    this.#name = name
    this.#market = market
  }

  /** Writes on until it is told to end or an answer does not come; `told` hears of each that did. */
  async write({ url }: Started, until: AbortSignal, told: () => void): Promise<void> {
    while (!until.aborted) {
      this.#waiting ??= { key: randomUUID(), content: `writer ${this.#name} message ${this.acknowledged.length}` }
      if (!(await this.#send(url, this.#waiting))) return
      this.acknowledged.push(this.#waiting.content)
      this.#waiting = null
      told()
    }
  }

  async #send(url: string, { key, content }: { key: string; content: string }): Promise<boolean> {
    try {
      const response = await fetch(`${url}/api/conversations/${this.#market.conversation}/messages/`, {
        method: 'POST',
        headers: { Authorization: `Token ${this.#market.token}`, 'Content-Type': 'application/json', 'Idempotency-Key': key },
        body: JSON.stringify({ content }),
      })
      const text = await response.text()
      if (response.status >= 400 && response.status < 500 && response.status !== 409) throw new Refused(`${response.status} ${text}`)
      return response.status === 201
    } catch (error) {
      if (error instanceof Refused) throw error
      return false
    }
  }
}
class Refused extends Error {}

async function kill(place: string, databaseUrl: string | null): Promise<boolean> {
  const dataDir = await newFolder()
  const config = readConfig({ DATA_DIR: dataDir, ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }) })
  const empty = await openDatabase(config)
  const market = await lay(empty)
  await empty.close()
  const env = { DATA_DIR: dataDir, RATE_LIMITS: 'off', ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }) }
  const writers = Array.from({ length: WRITERS }, (_, name) => new Writer(name, market))
  const starts: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now()
    const server = await startServer(env)
    starts.push(performance.now() - began)
    const over = new AbortController()
    const first = Promise.withResolvers<void>()
    const writing = Promise.all(writers.map((writer) => writer.write(server, over.signal, first.resolve)))
    await Promise.race([first.promise, writing])
    await pause(randomInt(0, 400))
    await server.stop('SIGKILL')
    over.abort()
    await writing
  }
  // every last one is sent again and answered before counting
  const server = await startServer(env)
  await Promise.all(
    writers.map(async (writer) => {
      const enough = new AbortController()
      await writer.write(server, enough.signal, () => enough.abort())
    }),
  )
  await server.stop()
  const database = await openDatabase(config)
  const faults = await judge(database, writers)
  await database.close()
  discard(dataDir)
  const acknowledged = writers.reduce((sum, writer) => sum + writer.acknowledged.length, 0)
  const middle = starts.toSorted((a, b) => a - b)[Math.floor(starts.length / 2)] ?? 0
  console.log(`${place}: ${ROUNDS} kills, ${acknowledged} messages acknowledged, start after a kill ${Math.round(middle)} ms (median), ${faults.length === 0 ? 'none lost, none doubled' : faults.join('; ')}`)
  return faults.length === 0
}

async function judge(database: Database, writers: readonly Writer[]): Promise<string[]> {
  const { rows } = await sql<{ content: string; n: number }>`select content, count(*)::int as n from message group by content`.execute(database.db)
  const stored = new Map(rows.map(({ content, n }) => [content, n]))
  const acknowledged = writers.flatMap((writer) => writer.acknowledged)
  const lost = acknowledged.filter((content) => !stored.has(content))
  const doubled = rows.filter(({ n }) => n > 1)
  const { rows: halves } = await sql<{ messages: number; top: number; keys: number; events: number }>`
    select (select count(*)::int from message) as messages, (select coalesce(max(seq), 0) from message) as top, (select count(*)::int from idempotency) as keys,
      (select count(*)::int from event where name = 'message.created') as events`.execute(database.db)
  const half = halves[0]
  const whole = half !== undefined && half.messages === half.top && half.messages === half.keys && half.messages <= half.events
  return [
    ...(lost.length > 0 ? [`${lost.length} LOST`] : []),
    ...(doubled.length > 0 ? [`${doubled.length} DOUBLED`] : []),
    ...(whole ? [] : [`HALF TRANSACTIONS ${JSON.stringify(half)}`]),
  ]
}

const well = [await kill('embedded', null), await withPostgres((url) => kill('PostgreSQL', url))]
well.push(await logins(), await town(30))
well.push(await fuzz('fuzz, embedded', null), await withPostgres((url) => fuzz('fuzz, PostgreSQL', url)))
process.exitCode = well.every(Boolean) ? 0 : 1
