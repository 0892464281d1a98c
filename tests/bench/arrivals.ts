import { type Person, text } from '../support/api.ts'
import { talk } from '../support/conversation.ts'
import type { Product } from '../support/product.ts'
import { SLOWED, withDevice } from './browser.ts'
import { type Figure, median } from './measure.ts'
import { longestTask } from './tasks.ts'

const WANTED = 1000
/** Cards loaded before scrolling: enough that scrolling never reaches an end and loads no page. */
const HELD = 100
const AT_ONCE = 10
/** The system stalls a thread for 4 to 5 ms now and then, which the median of ten rounds hides. */
const ROUNDS = 10

/** Scrolls every frame, up and down for `ms` or down until `cards` loaded; returns their number. */
export function scroll(until: { readonly ms?: number; readonly cards?: number }): Promise<number> {
  return new Promise((resolve) => {
    const began = performance.now()
    const known = new Set(
      [...document.querySelectorAll('article[data-listing]')].map((card) =>
        card.getAttribute('data-listing'),
      ),
    )
    const before = known.size
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) {
        for (const node of addedNodes)
          if (node instanceof Element)
            for (const card of [node, ...node.querySelectorAll('article[data-listing]')])
              known.add(card.getAttribute('data-listing'))
      }
      known.delete(null)
    }).observe(document.body, { childList: true, subtree: true })
    let way = 40
    const over = (): boolean =>
      until.cards === undefined
        ? performance.now() - began > (until.ms ?? 0)
        : known.size - before >= until.cards
    const frame = (): void => {
      scrollBy(0, way)
      if (
        until.cards === undefined &&
        (scrollY > document.documentElement.scrollHeight / 2 || scrollY === 0)
      )
        way = scrollY === 0 ? 40 : -40
      if (over()) resolve(known.size - before)
      else requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })
}

/**
 * What arrives while a list is scrolled: 1,000 messages by socket (with conversation list,
 * notification and badges), and 1,000 listings into the list itself, page by page.
 */
export async function arrivals(market: Product): Promise<readonly Figure[]> {
  const { buyer, seller, conversation } = await talk(market)
  return withDevice(async (device) => {
    const page = await device.newPage()
    await page.addInitScript((token) => localStorage.setItem('authToken', token), buyer.token)
    await page.goto(`${market.url}/listings`)
    await page.waitForSelector('html[data-ready]')
    const count = (): Promise<number> => page.locator('article[data-listing]').count()
    for (let held = await count(); held < HELD; held = await count()) {
      // A synthetic click: a mouse would add a hit test to each frame.
      await page
        .getByRole('button', { name: 'Afficher plus' })
        .evaluate((button: HTMLElement) => button.click())
      await page.waitForFunction(
        (had) => document.querySelectorAll('article[data-listing]').length > had,
        held,
      )
    }
    await page.evaluate(() => scrollTo(0, 0))
    // Without slowdown, since a slowed page is measured by the wall clock (tasks.ts).
    const scrolled = (until: Parameters<typeof scroll>[0]): Promise<number> =>
      page.evaluate(scroll, until)
    await scrolled({ ms: 5000 })
    const held = async (): Promise<number> =>
      Number(
        text(
          await page.evaluate(
            'yaar.stats().then(({ counts }) => ({ held: String(counts.messages) }))',
          ),
          'held',
        ),
      )
    const before = await held()
    const idle: number[] = []
    const longest: number[] = []
    for (let round = 1; round <= ROUNDS; round += 1) {
      idle.push(await longestTask(page, async () => void (await scrolled({ ms: 3000 }))))
      longest.push(
        await longestTask(page, async () => {
          void write(seller, conversation)
          while ((await held()) < before + (round * WANTED) / ROUNDS) await scrolled({ ms: 1000 })
        }),
      )
    }
    const messages = (await held()) - before
    let came = 0
    const grown: number[] = []
    for (let round = 1; round <= ROUNDS; round += 1)
      grown.push(
        await longestTask(
          page,
          async () => void (came += await scrolled({ cards: WANTED / ROUNDS })),
        ),
      )
    return [
      {
        what: 'messages that arrived while a list was scrolled',
        value: messages,
        unit: 'rows',
        reach: WANTED,
        atLeast: true,
      },
      {
        what: 'longest task while they arrive, processor time x 6, median of ten stretches',
        value: median(longest) * SLOWED,
        unit: 'ms',
        reach: 50,
      },
      {
        what: 'the same, beside scrolling alone',
        value: median(longest) * SLOWED,
        unit: 'ms',
        baseline: { name: 'alone', value: median(idle) * SLOWED },
      },
      {
        what: 'the longest of all ten, beside scrolling alone',
        value: Math.max(...longest) * SLOWED,
        unit: 'ms',
        baseline: { name: 'alone', value: Math.max(...idle) * SLOWED },
      },
      {
        what: 'listings that arrived in the list itself',
        value: came,
        unit: 'rows',
        reach: WANTED,
        atLeast: true,
      },
      {
        what: 'longest task while they arrive, processor time x 6, median of ten stretches',
        value: median(grown) * SLOWED,
        unit: 'ms',
        reach: 50,
      },
      { what: 'the longest of all ten', value: Math.max(...grown) * SLOWED, unit: 'ms' },
    ]
  })
}

async function write(seller: Person, conversation: string): Promise<void> {
  for (let written = 0; written < WANTED / ROUNDS; written += AT_ONCE) {
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, at) =>
        seller.ask('POST', `conversations/${conversation}/messages/`, {
          content: `Message ${written + at}`,
        }),
      ),
    )
  }
}
