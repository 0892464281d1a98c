import type { Product } from '../support/product.ts'
import { SLOWED, withPhone } from './browser.ts'
import type { Figure } from './measure.ts'
import { longestTask } from './tasks.ts'

const WANTED = 1000

/** Scrolls frame by frame: up and down for so long, or always downwards until so many cards have come. Answers how many came. */
function scroll(until: { readonly ms?: number; readonly cards?: number }): Promise<number> {
  return new Promise((resolve) => {
    const began = performance.now()
    const known = new Set([...document.querySelectorAll('article[data-listing]')].map((card) => card.getAttribute('data-listing')))
    const before = known.size
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) {
        for (const node of addedNodes) if (node instanceof Element) for (const card of [node, ...node.querySelectorAll('article[data-listing]')]) known.add(card.getAttribute('data-listing'))
      }
      known.delete(null)
    }).observe(document.body, { childList: true, subtree: true })
    let way = 40
    const over = (): boolean => (until.cards === undefined ? performance.now() - began > (until.ms ?? 0) : known.size - before >= until.cards)
    const frame = (): void => {
      scrollBy(0, way)
      const bottom = scrollY + innerHeight >= document.documentElement.scrollHeight - 2
      if (until.cards === undefined && (bottom || scrollY === 0)) way = -way
      if (over()) resolve(known.size - before)
      else requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })
}

/** 1,000 listings come in, page by page, while the list that shows them is scrolled without a pause. */
export async function arrivals(market: Product): Promise<readonly Figure[]> {
  return withPhone(async (phone) => {
    const page = await phone.newPage()
    await page.goto(`${market.url}/listings`)
    await page.waitForSelector('html[data-ready]')
    await page.waitForFunction(() => document.querySelectorAll('article[data-listing]').length >= 20)
    let came = 0
    // At full speed, since a page that is slowed is counted by the clock (tasks.ts).
    const idle = await longestTask(page, async () => {
      await page.evaluate(scroll, { ms: 5000 })
    })
    const longest = await longestTask(page, async () => {
      came = await page.evaluate(scroll, { cards: WANTED })
    })
    return [
      { what: 'listings that arrived while scrolling', value: came, unit: 'rows', reach: WANTED, atLeast: true },
      { what: 'longest task while they arrive, processor time x 6', value: longest * SLOWED, unit: 'ms', reach: 50 },
      { what: 'longest task of idle scrolling, processor time x 6', value: idle * SLOWED, unit: 'ms' },
    ]
  })
}
