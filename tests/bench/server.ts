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

const CATEGORIES = [
  'vehicles',
  'motos',
  'properties',
  'mobile-tablet',
  'fashion',
  'electronics',
  'home-garden',
  'computers',
]
const REGIONS = ['kadiogo', 'guiriko', 'nando', 'kuilse', 'yaadga']
const WORDS = ['livraison', 'prix', 'telephone', 'moto']

/** Each with a lowest price of its own, so that no answer is kept. */
const asks = (path: (at: number) => string): readonly string[] =>
  Array.from({ length: REQUESTS }, (_, at) => `/api/listings${path(at)}&price_min=${at}`)

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
      const paths = {
        key: byKey,
        list: asks(
          (at) => `/?page_size=20&category=${CATEGORIES[at % 8]}&region=${REGIONS[at % 5]}`,
        ),
        word: asks((at) => `/?page_size=20&search=${WORDS[at % 4]}`),
        counted: CATEGORIES.map((slug) => `/api/listings/facets/?category=${slug}`),
        facets: asks((at) => `/facets/?category=${CATEGORIES[at % 8]}&region=${REGIONS[at % 5]}`),
        facetsAgain: CATEGORIES.flatMap((slug) =>
          REGIONS.map((region) => `/api/listings/facets/?category=${slug}&region=${region}`),
        ),
        again: CATEGORIES.map((slug) => `/api/listings/?page_size=20&category=${slug}`),
      }
      type Name = keyof typeof paths
      const names: readonly Name[] = [
        'key',
        'list',
        'word',
        'counted',
        'facets',
        'facetsAgain',
        'again',
      ]
      const rounds: ReadonlyMap<Name, Times>[] = []
      await load(market.port, paths.list)
      for (let round = 0; round < ROUNDS; round += 1) {
        const times = new Map<Name, Times>()
        for (const name of names) times.set(name, await load(market.port, paths[name]))
        rounds.push(times)
      }
      const of = (name: Name, part: keyof Times): number =>
        median(rounds.map((round) => round.get(name)?.[part] ?? Number.NaN))
      const beside = (what: string, name: Name, part: keyof Times, reach: number): Figure => ({
        what: `${what}, 200,000 rows, 50 at once: ${part}`,
        value: of(name, part),
        unit: 'ms',
        baseline: { name: 'by key', value: of('key', part) },
        reach,
      })
      const plain = (what: string, name: Name, reach: number): Figure => ({
        what: `${what}, 200,000 rows, 50 at once: p50`,
        value: of(name, 'p50'),
        unit: 'ms',
        reach,
      })
      return [
        beside('GET listings/, two filters and a price', 'list', 'p50', 3),
        beside('GET listings/, two filters and a price', 'list', 'p99', 5),
        beside('GET listings/, a common word and a price', 'word', 'p50', 4),
        beside('GET listings/, a common word and a price', 'word', 'p99', 8),
        beside('GET listings/, a category that is read all the time', 'again', 'p50', 1),
        plain('GET listings/facets/, a category', 'counted', 60),
        plain('GET listings/facets/, two filters, asked all the time', 'facetsAgain', 60),
        plain('GET listings/facets/, two filters and a new price each time', 'facets', 60),
      ]
    } finally {
      await market.stop()
    }
  })
}
