import { setTimeout as wait } from 'node:timers/promises'
import type { CDPSession, Page } from '@playwright/test'
import { talk } from '../support/conversation.ts'
import type { Product } from '../support/product.ts'
import { scroll } from './arrivals.ts'
import { withDevice } from './browser.ts'
import type { Figure } from './measure.ts'

const MINUTES = 4
const CARDS = 1000

/** What an open tab takes: processor time of an hour in which nothing happens, and memory. */
export async function lasting(market: Product): Promise<readonly Figure[]> {
  const { buyer } = await talk(market)
  return withDevice(async (device) => {
    await device.addInitScript((token) => localStorage.setItem('authToken', token), buyer.token)
    const page = await device.newPage()
    await page.goto(`${market.url}/listings`)
    await page.locator('html[data-ready]').waitFor()
    const session = await device.newCDPSession(page)
    await session.send('Performance.enable')
    await session.send('HeapProfiler.enable')
    // The app fetches ahead, and stores the screen.
    await wait(30_000)
    const before = await metric(session, 'ProcessTime')
    await wait(MINUTES * 60_000)
    const spent = (await metric(session, 'ProcessTime')) - before
    const held = await memory(page, session)
    const came = await page.evaluate(scroll, { cards: CARDS })
    await wait(5000)
    const grown = await memory(page, session)
    return [
      {
        what: `processor time of the tab with its worker, idle hour in front, from ${MINUTES} minutes`,
        value: (spent * 60) / MINUTES,
        unit: 's',
        reach: 3,
      },
      { what: 'cards scrolled', value: came, unit: 'cards', reach: CARDS, atLeast: true },
      {
        what: 'JavaScript memory of the page after them',
        value: grown / 1024 / 1024,
        unit: 'MB',
        baseline: { name: 'before', value: held / 1024 / 1024 },
        reach: 1.5,
      },
    ]
  })
}

async function metric(session: CDPSession, name: string): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  const found = metrics.find((one) => one.name === name)
  if (!found) throw new Error(`the browser has no metric ${name}`)
  return found.value
}

async function memory(page: Page, session: CDPSession): Promise<number> {
  await page.evaluate(() => scrollTo(0, 0))
  await wait(2000)
  await session.send('HeapProfiler.collectGarbage')
  return metric(session, 'JSHeapUsedSize')
}
