import { setTimeout as wait } from 'node:timers/promises'
import type { BrowserContext, Page } from '@playwright/test'
import { bubble, talk, write } from '../support/conversation.ts'
import type { Product } from '../support/product.ts'
import { Proxy } from '../support/proxy.ts'
import { sight } from '../support/sight.ts'
import { withDevice } from './browser.ts'
import { type Figure, median } from './measure.ts'

/** Longer than any period of the engine whose socket works: its pings are 25 s apart. */
const REAL_MS = 3 * 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Timers of the page run by a clock that is set forward; none has a longer period. */
const STEP_MS = 30 * 60_000
/** A hidden page closes its socket after half a minute. */
const AWAY_MS = 40_000
const MESSAGES = 5
const QUIET_MS = 4000

/**
 * Bytes both ways at the proxy, with heads and frames of the socket, of somebody who is signed in
 * and has the app. The engine's clock cannot be set forward, so that its part of an hour and of a
 * day is that of three minutes, many times.
 */
export async function wire(market: Product): Promise<readonly Figure[]> {
  const proxy = await new Proxy(market.port).listen()
  const { buyer, seller, conversation } = await talk(market)
  try {
    return await withDevice(async (device) => {
      await device.clock.install()
      await device.addInitScript((token) => localStorage.setItem('authToken', token), buyer.token)
      const first = await open(device, `${proxy.url}/`, proxy)
      await first.close()
      await untilQuiet(proxy)
      const home = await device.newPage()
      await home.goto(`${proxy.url}/`)
      await home.locator('html[data-ready]').waitFor()
      const repeat = await untilQuiet(proxy)
      await home.close()

      const page = await open(device, `${proxy.url}/messages/${conversation}`, proxy)
      const received: number[] = []
      const sent: number[] = []
      for (let at = 0; at < MESSAGES; at += 1) {
        const content = { content: `Toujours disponible, numéro ${at} ?` }
        await seller.ask('POST', `conversations/${conversation}/messages/`, content)
        await bubble(page, content.content).waitFor()
        received.push(await untilQuiet(proxy))
        await write(page, `Oui, toujours, numéro ${at}.`)
        await page
          .locator('[data-message]')
          .last()
          .and(page.locator('[data-state="sent"]'))
          .waitFor()
        sent.push(await untilQuiet(proxy))
      }
      await page.close()

      const idle = await open(device, `${proxy.url}/`, proxy)
      const front = await engineOf(proxy, HOUR_MS)
      const frontPage = await pageOf(idle, proxy, HOUR_MS)
      await sight(idle, 'hidden')
      await wait(AWAY_MS)
      const leaving = bytes(proxy)
      const away = await engineOf(proxy, DAY_MS)
      const awayPage = await pageOf(idle, proxy, DAY_MS)
      const figure = (what: string, value: number, reach?: number): Figure => ({
        what,
        value: value / 1024,
        unit: 'KB',
        ...(reach !== undefined && { reach }),
      })
      return [
        figure('idle hour in front', front + frontPage, 50),
        figure('of it the engine, 20 times three minutes', front),
        figure('a day in the background', leaving + away + awayPage, 20),
        figure('of it the engine, 480 times three minutes', away),
        figure('repeat visit with nothing new', repeat, 10),
        figure(`one message received, median of ${MESSAGES}`, median(received), 1.5),
        figure(`one message sent, median of ${MESSAGES}`, median(sent), 2),
      ]
    })
  } finally {
    await proxy.close()
  }
}

/** A page that has fetched all it fetches ahead; its timers can be set forward. */
async function open(device: BrowserContext, url: string, proxy: Proxy): Promise<Page> {
  const page = await device.newPage()
  await page.goto(url)
  await page.locator('html[data-ready]').waitFor()
  await page.evaluate(() => navigator.serviceWorker.ready)
  await untilQuiet(proxy)
  return page
}

function bytes(proxy: Proxy): number {
  const { received, sent } = proxy.count()
  return received + sent
}

async function untilQuiet(proxy: Proxy): Promise<number> {
  let total = 0
  for (let more = 1; more > 0; total += more) {
    await wait(QUIET_MS)
    more = bytes(proxy)
  }
  return total
}

async function engineOf(proxy: Proxy, ms: number): Promise<number> {
  bytes(proxy)
  await wait(REAL_MS)
  return (bytes(proxy) * ms) / REAL_MS
}

async function pageOf(page: Page, proxy: Proxy, ms: number): Promise<number> {
  bytes(proxy)
  let total = 0
  for (let at = 0; at < ms; at += STEP_MS) {
    await page.clock.fastForward(STEP_MS)
    await wait(500)
    total += bytes(proxy)
  }
  return total
}
