import { setTimeout as wait } from 'node:timers/promises'
import { list, text } from '../support/api.ts'
import type { Product } from '../support/product.ts'
import { Proxy, slow3g } from '../support/proxy.ts'
import { withBareDevice } from './bare.ts'
import { type Photo, serveBaselines } from './baselines.ts'
import { visit } from './browser.ts'
import { startHeavyMarket } from './heavyMarket.ts'
import type { Figure } from './measure.ts'
import { firstVisits, type Place, plain, product, toRow } from './visits.ts'

const CARDS = 20
const MINUTE_MS = 60_000

/** First visits with photos: scripts, photos in sight and bytes share a slow line. */
export async function photoVisits(): Promise<readonly Figure[]> {
  const market = await startHeavyMarket(CARDS, { DEMO_LISTINGS: '200', DEMO_USERS: '50' })
  try {
    return await measured(market)
  } finally {
    await market.stop()
  }
}

async function measured(market: Product): Promise<readonly Figure[]> {
  const at = `${market.url}/api/listings/?page_size=${CARDS}`
  const answer: unknown = await (await fetch(at)).json()
  const cards = list(answer, 'results')
  const photos = await Promise.all(cards.map((card) => cardPhoto(market, card)))
  const inSight = photos.slice(0, product.count).flat().length
  const rows = cards.map(toRow)
  const { server, port } = await serveBaselines(answer, cards, rows, photos.flat(), inSight)
  const marks = { ...product, photos: inSight }
  const shown = { port: market.port, path: '/listings', marks }
  try {
    const [l1, l2, alone, own] = await firstVisits([
      { port, path: '/l1/', marks: { ...plain, photos: inSight } },
      { port, path: '/l2/', marks: plain },
      { port, path: '/photos/', marks: { ...plain, count: inSight, photos: inSight } },
      shown,
    ])
    if (!l1 || !l2 || !alone || !own) throw new Error('a visit is missing')
    const bytes = await firstMinute(shown)
    return [
      {
        what: 'first visit with photos, slow 3G, 6x: list visible',
        value: own.visible,
        unit: 'ms',
        baseline: { name: 'L1 with photos', value: l1.visible },
        reach: 1.25,
      },
      {
        what: 'first visit with photos: a tap answered',
        value: own.tap,
        unit: 'ms',
        baseline: { name: 'L2', value: l2.tap },
        reach: 1.1,
      },
      {
        what: 'first visit with photos: all photos in sight',
        value: own.photos,
        unit: 'ms',
        baseline: { name: 'the photos alone', value: alone.photos },
        reach: 1.5,
      },
      { what: 'first minute with photos', value: bytes / 1024, unit: 'KB', reach: 300 },
    ]
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

async function firstMinute({ port, path, marks }: Place): Promise<number> {
  const proxy = await new Proxy(port).listen()
  proxy.throttle(slow3g)
  const bytes = await withBareDevice(async (device) => {
    const page = await device.newPage()
    const began = Date.now()
    // Without a tap, which opens the filters.
    await visit(page, proxy.url + path, { ...marks, button: null })
    await wait(MINUTE_MS - (Date.now() - began))
    await page.close()
    return proxy.count().received
  })
  await proxy.close()
  return bytes
}

/** What the product's card loads on the phone of the bench. */
async function cardPhoto(market: Product, card: unknown): Promise<readonly Photo[]> {
  const image = list(card, 'images')[0]
  if (image === undefined) return []
  const format = list(image, 'avif_widths').includes(320) ? 'avif' : 'webp'
  const path = `${text(image, 'base')}/320.${format}`
  const type = `image/${format}`
  const bytes = Buffer.from(await (await fetch(market.url + path)).arrayBuffer())
  return [{ path, type, bytes }]
}
