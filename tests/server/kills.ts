import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { readConfig } from '../../server/config.ts'
import { openDatabase } from '../../server/db/open.ts'
import { discard } from '../support/folder.ts'
import { withPostgres } from '../support/postgres.ts'
import { judge, lay, type Buyer } from './chaos/market.ts'
import { chaosOnEmbedded, chaosOnPostgres } from './chaos/run.ts'
import { fuzz } from './fuzz.ts'
import { logins, town } from './load.ts'
import { newFolder, startServer, type Started } from './start-server.ts'

/**
 * `npm run kills [-- rounds [fault]]`: runs the faults of `chaos/run.ts`, then kills the server
 * under writing clients, on both databases. No acknowledged message may be lost or duplicated.
 */
const ROUNDS = Number(process.argv[2] ?? 50)
const ONLY = process.argv[3] ?? ''
const WRITERS = 4

/** A client that sends one message at a time, and retries with the same key. */
class Writer {
  readonly acknowledged: string[] = []
  readonly #name: number
  readonly #market: Buyer
  #waiting: { key: string; content: string } | null = null

  constructor(name: number, market: Buyer) {
    this.#name = name
    this.#market = market
  }

  /** Writes until aborted or an answer is missing; `onWritten` is called for each answer. */
  async write({ url }: Started, until: AbortSignal, onWritten: () => void): Promise<void> {
    while (!until.aborted) {
      this.#waiting ??= {
        key: randomUUID(),
        content: `writer ${this.#name} message ${this.acknowledged.length}`,
      }
      if (!(await this.#send(url, this.#waiting))) return
      this.acknowledged.push(this.#waiting.content)
      this.#waiting = null
      onWritten()
    }
  }

  async #send(url: string, { key, content }: { key: string; content: string }): Promise<boolean> {
    try {
      const response = await fetch(
        `${url}/api/conversations/${this.#market.conversation}/messages/`,
        {
          method: 'POST',
          headers: {
            Authorization: `Token ${this.#market.token}`,
            'Content-Type': 'application/json',
            'Idempotency-Key': key,
          },
          body: JSON.stringify({ content }),
        },
      )
      const text = await response.text()
      if (response.status >= 400 && response.status < 500 && response.status !== 409)
        throw new Refused(`${response.status} ${text}`)
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
  const config = readConfig({
    DATA_DIR: dataDir,
    ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
  })
  const empty = await openDatabase(config)
  const { buyers } = await lay(empty, 1)
  await empty.close()
  const env = {
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
  }
  // One person with several devices.
  const writers = buyers.flatMap((buyer) =>
    Array.from({ length: WRITERS }, (_, name) => new Writer(name, buyer)),
  )
  const starts: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now()
    const server = await startServer(env)
    starts.push(performance.now() - began)
    const over = new AbortController()
    const first = Promise.withResolvers<void>()
    const writing = Promise.all(
      writers.map((writer) => writer.write(server, over.signal, first.resolve)),
    )
    await Promise.race([first.promise, writing])
    await pause(randomInt(0, 400))
    await server.stop('SIGKILL')
    over.abort()
    await writing
  }
  // Every pending message is retried and acknowledged before counting.
  const server = await startServer(env)
  await Promise.all(
    writers.map(async (writer) => {
      const enough = new AbortController()
      await writer.write(server, enough.signal, () => enough.abort())
    }),
  )
  await server.stop()
  const database = await openDatabase(config)
  const faults = await judge(
    database,
    writers.flatMap((writer) => writer.acknowledged),
  )
  await database.close()
  discard(dataDir)
  const acknowledged = writers.reduce((sum, writer) => sum + writer.acknowledged.length, 0)
  const middle = starts.toSorted((a, b) => a - b)[Math.floor(starts.length / 2)] ?? 0
  console.log(
    `${place}: ${ROUNDS} kills, ${acknowledged} messages acknowledged, ` +
      `start after a kill ${Math.round(middle)} ms (median), ` +
      (faults.length === 0 ? 'none lost, none doubled' : faults.join('; ')),
  )
  return faults.length === 0
}

const well = [await chaosOnEmbedded(ONLY), await chaosOnPostgres(ONLY)]
if (ROUNDS > 0) {
  well.push(await kill('embedded', null), await withPostgres((url) => kill('PostgreSQL', url)))
  well.push(await logins(), await town(30))
  well.push(
    await fuzz('fuzz, embedded', null),
    await withPostgres((url) => fuzz('fuzz, PostgreSQL', url)),
  )
}
// Half-reset sockets may keep the process alive.
process.exit(well.every(Boolean) ? 0 : 1)
