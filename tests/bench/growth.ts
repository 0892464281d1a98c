import { Person, list, text } from '../support/api.ts'
import { withPostgres } from '../support/postgres.ts'
import { type Product, startProduct } from '../support/product.ts'
import { crowd } from './crowd.ts'
import { type Figure, median } from './measure.ts'

const SIZES = [5000, 50_000, 200_000, 500_000]
const TIMES = 60
const WORDS = ['toyota', 'villa', 'samsung', 'moto']
const CATEGORIES = ['vehicles', 'properties', 'fashion', 'home-garden']

/** ms per sequential call, each with different parameters, so that no answer is cached. */
interface Costs {
  readonly page: number
  readonly found: number
  readonly priced: number
  readonly row: number
  readonly facets: number
  readonly counted: number
  /** From the start until the first list is read. */
  readonly start: number
  /** MB after the calls. */
  readonly memory: number
}

/** `GROWTH=5000,50000` chooses other sizes; the first is the baseline. */
export async function growth(): Promise<readonly Figure[]> {
  const sizes = process.env['GROWTH']?.split(',').map(Number) ?? SIZES
  const measured: { readonly size: number; readonly costs: Costs }[] = []
  await withPostgres(async (databaseUrl) => {
    for (const size of sizes) {
      if (measured.length > 0) await crowd(databaseUrl, sizes[0] ?? size, size)
      measured.push({ size, costs: await costsAt(databaseUrl, size) })
    }
  })
  const [first] = measured
  if (first === undefined) return []
  return measured.flatMap(({ size, costs }) => {
    const beside = (what: string, name: keyof Costs): Figure => ({
      what: `${what}, ${size.toLocaleString('en')} listings`,
      value: costs[name],
      unit: 'ms',
      baseline: { name: `of ${first.size.toLocaleString('en')}`, value: first.costs[name] },
      reach: 2,
    })
    const at = size.toLocaleString('en')
    const plain = (what: string, name: keyof Costs, unit: string, reach: number): Figure => ({
      what: `${what}, ${at} listings`,
      value: costs[name],
      unit,
      reach,
    })
    return [
      beside('a page of 20 with two filters and a price', 'page'),
      beside('a page of 20 that a word finds', 'found'),
      beside('a page of 20 that a word finds, by price', 'priced'),
      beside('one listing', 'row'),
      plain('facets of two filters that nobody asked for before', 'facets', 'ms', 60),
      plain('facets of a category', 'counted', 'ms', 10),
      // The first start also fills the market.
      ...(size === first.size
        ? []
        : [plain('from the start until the first list', 'start', 'ms', 3000)]),
      plain('memory of the server', 'memory', 'MB', first.costs.memory + 50),
    ]
  })
}

async function costsAt(databaseUrl: string, listings: number): Promise<Costs> {
  const began = performance.now()
  const market = await startProduct({
    env: {
      DATABASE_URL: databaseUrl,
      DEMO: '1',
      DEMO_LISTINGS: String(listings),
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
    },
  })
  try {
    const page = await new Person(market.url).ask('GET', 'listings/?page_size=50')
    const start = performance.now() - began
    const ids = list(page, 'results').map((row) => text(row, 'id'))
    const filters = (at: number): string =>
      `category=${CATEGORIES[at % 4]}` +
      `&region=${['kadiogo', 'guiriko', 'nando'][at % 3]}&price_min=${at * 500}`
    // Warms up the cache and the JIT.
    await cost(market, (at) => `listings/facets/?${filters(at + 1000)}`)
    const costs = {
      page: await cost(market, (at) => `listings/?page_size=20&${filters(at)}`),
      found: await cost(
        market,
        (at) => `listings/?page_size=20&search=${WORDS[at % 4]}&price_min=${at * 500}`,
      ),
      priced: await cost(
        market,
        (at) =>
          `listings/?page_size=20&ordering=price&search=${WORDS[at % 4]}&price_min=${at * 500}`,
      ),
      row: await cost(market, (at) => `listings/${ids[at % ids.length]}/`),
      facets: await cost(market, (at) => `listings/facets/?${filters(at)}`),
      counted: await cost(market, (at) => `listings/facets/?category=${CATEGORIES[at % 4]}`),
    }
    return { ...costs, start, memory: await memoryOf(market) }
  } finally {
    await market.stop()
  }
}

async function memoryOf(market: Product): Promise<number> {
  const metrics = await (await fetch(`${market.url}/metrics`)).text()
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1]) / 1e6
}

async function cost(market: Product, path: (at: number) => string): Promise<number> {
  const times: number[] = []
  for (let at = 0; at < TIMES; at += 1) {
    const began = performance.now()
    const answer = await fetch(`${market.url}/api/${path(at)}`)
    if (answer.status !== 200) throw new Error(`${path(at)}: ${answer.status}`)
    await answer.arrayBuffer()
    times.push(performance.now() - began)
  }
  return median(times)
}
