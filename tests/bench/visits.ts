import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { discard } from '../support/folder.ts'
import { Proxy, slow3g } from '../support/proxy.ts'
import type { Product } from '../support/product.ts'
import { LIST_ROWS_MAX } from '#schema/limits'
import type { Page } from '@playwright/test'
import { list, member, text } from '../support/api.ts'
import { serveBaselines } from './baselines.ts'
import { withBareDevice } from './bare.ts'
import { type Marks, SLOWED, type Visit, visit, withDevice } from './browser.ts'
import { type Figure, median } from './measure.ts'
import type { Row } from './pages/row.ts'
import { slowWorkers } from './workers.ts'

const RUNS = 5
/** Short measurements vary more. */
const REPEATS = 9
export const plain: Marks = { rows: 'article', count: 20, button: 'button[aria-expanded]' }
/** Six cards fill the screen; the rest comes later. A tap changes the filter button's state. */
export const product = {
  rows: 'article[data-listing]',
  count: 6,
  button: 'main button[aria-expanded]',
} satisfies Marks
const detail: Marks = { rows: 'article[data-listing] h1', count: 1, button: null }

interface Medians {
  readonly visible: number
  readonly tap: number
  readonly longest: number
  readonly shift: number
  readonly photos: number
}

const medians = (seen: readonly Visit[]): Medians => ({
  visible: median(seen.map((one) => one.visible)),
  tap: median(seen.map((one) => one.tap)),
  longest: median(seen.map((one) => one.longest)),
  shift: median(seen.map((one) => one.shift)),
  photos: median(seen.map((one) => one.photos)),
})

export interface Place {
  readonly port: number
  readonly path: string
  readonly marks: Marks
}

/** First visits with a new profile, slow 3G and slowed CPU; in turns, for the same conditions. */
export async function firstVisits(
  places: readonly Place[],
): Promise<readonly (Medians & { readonly bytes: number })[]> {
  const seen: Visit[][] = places.map(() => [])
  const bytes: number[][] = places.map(() => [])
  const stop = slowWorkers(SLOWED)
  for (let run = 0; run < RUNS; run += 1) {
    for (const [at, { port, path, marks }] of places.entries()) {
      const proxy = await new Proxy(port).listen()
      proxy.throttle(slow3g)
      await withBareDevice(async (device) => {
        const page = await device.newPage()
        await page.slow(SLOWED)
        if (marks.photos === undefined) await page.withoutPhotos()
        seen[at]?.push(await visit(page, proxy.url + path, marks))
        bytes[at]?.push(proxy.count().received)
        await page.close()
      })
      await proxy.close()
    }
  }
  stop?.()
  return seen.map((visits, at) => ({ ...medians(visits), bytes: median(bytes[at] ?? []) }))
}

interface Known extends Place {
  readonly prepare: (page: Page, url: string) => Promise<unknown>
}

/** Repeat visits of the same profiles without a network: only what `prepare` stored is there. */
async function offlineVisits(places: readonly Known[]): Promise<readonly Medians[]> {
  const devices: {
    readonly place: Known
    readonly proxy: Proxy
    readonly profile: string
    readonly seen: Visit[]
  }[] = []
  for (const place of places) {
    const proxy = await new Proxy(place.port).listen()
    const profile = mkdtempSync(join(tmpdir(), 'device-'))
    // Preparing a profile runs at full speed.
    await withDevice(async (device) => place.prepare(await device.newPage(), proxy.url), profile)
    proxy.set('cut')
    devices.push({ place, proxy, profile, seen: [] })
  }
  const stop = slowWorkers(SLOWED)
  for (let run = 0; run < REPEATS; run += 1) {
    for (const { place, proxy, profile, seen } of devices) {
      await withBareDevice(async (device) => {
        // The first visit starts the service worker from a cold disk: not counted.
        for (const counts of [false, true]) {
          const page = await device.newPage()
          await page.slow(SLOWED)
          const one = await visit(page, proxy.url + place.path, place.marks)
          if (counts) seen.push(one)
          await page.close()
        }
      }, profile)
    }
  }
  stop?.()
  for (const { proxy, profile } of devices) {
    await proxy.close()
    discard(profile)
  }
  return devices.map(({ seen }) => medians(seen))
}

async function filled(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.waitForFunction(() => document.title === 'filled', null, { timeout: 120_000 })
}

/** Scrolls until the device has LIST_ROWS_MAX listings; reloads, and ends once all is cached. */
async function fillProduct(page: Page, url: string): Promise<Page> {
  // Thousands of photos would delay the service worker's caching.
  await page.route('**/media/**', (route) => route.abort())
  await page.goto(`${url}/listings`)
  await page.waitForSelector('html[data-ready]')
  const cards = page.locator('article[data-listing]')
  for (let held = await cards.count(); held < LIST_ROWS_MAX; held = await cards.count()) {
    await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight }))
    await page.waitForFunction(
      (had) => document.querySelectorAll('article[data-listing]').length > had,
      held,
    )
  }
  await page.evaluate(() => navigator.serviceWorker.ready)
  // The second visit, whose screens are stored: the first one was long ago.
  await page.evaluate(() => localStorage.setItem('visited', '1'))
  const again = await page.context().newPage()
  await page.close()
  await again.goto(`${url}/listings`)
  await again.waitForSelector('html[data-ready]')
  await again.waitForFunction(() => navigator.serviceWorker.controller !== null)
  // The screen's snapshot is stored once it is idle.
  await again.evaluate(async () => {
    const screens = await caches.open('screens')
    while ((await screens.match('/listings')) === undefined)
      await new Promise((resolve) => setTimeout(resolve, 100))
  })
  return again
}

/** The same, left while something else than the list is open: the list must still be stored. */
async function leaveFrom(opener: string, opened: string, page: Page, url: string): Promise<void> {
  const again = await fillProduct(page, url)
  await again.locator(opener).first().click()
  await again.locator(opened).first().waitFor()
  // The app stores a screen two seconds after it appeared.
  await again.waitForTimeout(3000)
}

/** A time of the product beside the same one of a baseline. */
function beside(
  what: string,
  time: 'visible' | 'tap' | 'longest',
  own: Medians,
  [name, baseline]: readonly [name: string, baseline: Medians],
  reach?: number,
): Figure {
  return {
    what,
    value: own[time],
    unit: 'ms',
    baseline: { name, value: baseline[time] },
    ...(reach !== undefined && { reach }),
  }
}

/** First visit on slow 3G and repeat visit without a network, beside L1, L2, L3 and R1. */
export async function visits(market: Product): Promise<readonly Figure[]> {
  const answer: unknown = await (await fetch(`${market.url}/api/listings/?page_size=20`)).json()
  const listings = await allListings(market)
  const { server, port } = await serveBaselines(answer, listings, listings.map(toRow))
  try {
    const [l1, l2, own, one] = await firstVisits([
      { port, path: '/l1/', marks: plain },
      { port, path: '/l2/', marks: plain },
      { port: market.port, path: '/listings', marks: product },
      { port: market.port, path: `/listings/${await firstListing(market)}`, marks: detail },
    ])
    const [l3, r1, again, fromDialog, fromListing] = await offlineVisits([
      { port, path: '/l3/', marks: plain, prepare: (page, url) => filled(page, `${url}/l3/`) },
      { port, path: '/r1/', marks: plain, prepare: (page, url) => filled(page, `${url}/r1/`) },
      { port: market.port, path: '/listings', marks: product, prepare: fillProduct },
      {
        port: market.port,
        path: '/listings',
        marks: product,
        prepare: (page, url) => leaveFrom(product.button, 'dialog[open]', page, url),
      },
      {
        port: market.port,
        path: '/listings',
        marks: product,
        prepare: (page, url) => leaveFrom('article[data-listing] a', detail.rows, page, url),
      },
    ])
    if (!l1 || !l2 || !own || !one || !l3 || !r1 || !again || !fromDialog || !fromListing)
      throw new Error('a visit is missing')
    return [
      beside('first visit, slow 3G, 6x: list visible', 'visible', own, ['L2', l2], 1.3),
      beside('first visit: list visible, beside the static page', 'visible', own, ['L1', l1], 1.25),
      beside('first visit: a tap answered', 'tap', own, ['L2', l2], 1.2),
      { what: 'first visit: shift of the layout', value: own.shift, unit: '', reach: 0.02 },
      {
        what: 'first visit: bytes until the tap, without photos',
        value: own.bytes / 1024,
        unit: 'KB',
        reach: 200,
      },
      beside('first visit: longest task', 'longest', own, ['L2', l2]),
      beside(
        'first visit to a listing: visible, beside the static page',
        'visible',
        one,
        ['L1', l1],
        1.25,
      ),
      beside('first visit to a listing: a tap answered', 'tap', one, ['L2', l2], 1.2),
      {
        what: 'first visit to a listing: shift of the layout',
        value: one.shift,
        unit: '',
        reach: 0.02,
      },
      beside('repeat visit without network, 6x: list visible', 'visible', again, ['L3', l3], 1.4),
      beside('repeat visit without network, 6x: list visible', 'visible', again, ['R1', r1], 0.5),
      beside('repeat visit without network, 6x: a tap answered', 'tap', again, ['L3', l3], 1.8),
      beside(
        'the same after leaving from an open dialog: list visible',
        'visible',
        fromDialog,
        ['L3', l3],
        1.4,
      ),
      beside(
        'the same after leaving from a listing: list visible',
        'visible',
        fromListing,
        ['L3', l3],
        1.4,
      ),
    ]
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

async function firstListing(market: Product): Promise<string> {
  const answer: unknown = await (await fetch(`${market.url}/api/listings/?page_size=1`)).json()
  return text(list(answer, 'results')[0], 'id')
}

async function allListings(market: Product): Promise<readonly unknown[]> {
  const listings: unknown[] = []
  for (let next = '/api/listings/?page_size=50'; next !== '' && listings.length < 5000;) {
    const page: unknown = await (await fetch(market.url + next)).json()
    listings.push(...list(page, 'results'))
    const following = member(page, 'next')
    next = typeof following === 'string' ? following : ''
  }
  return listings
}

export function toRow(row: unknown, at: number): Row {
  const text = (name: string): string | null => {
    const value = member(row, name)
    return typeof value === 'string' ? value : null
  }
  const price = member(row, 'price')
  return {
    id: text('id') ?? String(at),
    title: text('title') ?? '',
    price: typeof price === 'number' ? price : null,
    town_name: text('town_name'),
    region_name: text('region_name') ?? '',
    newest: -Date.parse(text('posted_at') ?? '') || 0,
  }
}
