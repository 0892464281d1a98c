import { request as ask, Agent } from 'node:http'
import { type Product, startProduct } from '../support/product.ts'
import { Person, list, text } from '../support/api.ts'
import { withPostgres } from '../support/postgres.ts'
import { type Figure, median, percentile } from './measure.ts'

const LISTINGS = 200_000
const AT_ONCE = 50
const REQUESTS = 4000
const ROUNDS = 5

interface Times {
  readonly p50: number
  readonly p99: number
}

/** Sends REQUESTS requests over fifty keep-alive connections, cycling through `paths`. */
async function load(port: number, paths: readonly string[]): Promise<Times> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  const times: number[] = []
  let next = 0
  const one = async (): Promise<void> => {
    while (next < REQUESTS) {
      const path = paths[next % paths.length] ?? ''
      next += 1
      const began = performance.now()
      await get(agent, port, path)
      times.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
  agent.destroy()
  return { p50: median(times), p99: percentile(times, 0.99) }
}

function get(agent: Agent, port: number, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    ask(
      { agent, host: '127.0.0.1', port, path, headers: { 'accept-encoding': 'br' } },
      (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`${path}: ${answer.statusCode}`))
        answer.resume()
        answer.on('end', resolve)
      },
    )
      .on('error', reject)
      .end()
  })
}

/** GET listings/ with two filters on 200,000 rows in PostgreSQL, against rows by primary key. */
export async function server(): Promise<readonly Figure[]> {
  return withPostgres(async (databaseUrl) => {
    const market: Product = await startProduct({
      env: {
        DATABASE_URL: databaseUrl,
        DEMO: '1',
        DEMO_LISTINGS: String(LISTINGS),
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'error',
      },
    })
    try {
      const page = await new Person(market.url).ask('GET', 'listings/?page_size=50')
      const ids = list(page, 'results').map((row) => text(row, 'id'))
      // The same rows, JSON, compression and headers, but without search.
      const byKey = ids.map(
        (_, at) =>
          `/api/listings/?page_size=20&ids=${[...ids.slice(at), ...ids.slice(0, at)].slice(0, 20).join(',')}`,
      )
      const filtered = [
        'vehicles',
        'motos',
        'properties',
        'mobile-tablet',
        'fashion',
        'electronics',
        'home-garden',
        'computers',
      ].flatMap((category) =>
        ['kadiogo', 'guiriko', 'nando', 'kuilse', 'yaadga'].flatMap((region) =>
          Array.from(
            { length: 10 },
            (_, at) =>
              `/api/listings/?page_size=20&category=${category}&region=${region}&price_min=${at * 1000}`,
          ),
        ),
      )
      const rounds: { readonly key: Times; readonly list: Times }[] = []
      await load(market.port, filtered)
      for (let round = 0; round < ROUNDS; round += 1)
        rounds.push({
          key: await load(market.port, byKey),
          list: await load(market.port, filtered),
        })
      const of = (pick: (round: { readonly key: Times; readonly list: Times }) => number): number =>
        median(rounds.map(pick))
      return [
        {
          what: 'GET listings/, two filters and a price, 200,000 rows, 50 at once: p50',
          value: of((round) => round.list.p50),
          unit: 'ms',
          baseline: { name: 'by key', value: of((round) => round.key.p50) },
          reach: 2,
        },
        {
          what: 'the same: p99',
          value: of((round) => round.list.p99),
          unit: 'ms',
          baseline: { name: 'by key', value: of((round) => round.key.p99) },
          reach: 3,
        },
      ]
    } finally {
      await market.stop()
    }
  })
}
