import type { Page } from '@playwright/test'
import { withDevice } from './browser.ts'
import { startHeavyMarket } from './heavyMarket.ts'
import type { Figure } from './measure.ts'

const CARDS = 20

/** Bytes of the photos of a list's first cards on a phone, with photos like those of phones. */
export async function weights(): Promise<readonly Figure[]> {
  const market = await startHeavyMarket(CARDS, { DEMO_LISTINGS: '200', DEMO_USERS: '50' })
  try {
    const sizes = await withDevice(async (device) =>
      photosOf(await device.newPage(), `${market.url}/listings`),
    )
    const total = sizes.reduce((sum, size) => sum + size, 0)
    return [
      {
        what: `photos of ${CARDS} cards at 360 px × 2 (${sizes.length} files)`,
        value: total / 1024,
        unit: 'KB',
        reach: 350,
      },
      { what: 'the largest of them', value: Math.max(...sizes) / 1024, unit: 'KB', reach: 60 },
    ]
  } finally {
    await market.stop()
  }
}

/** By address: the page and its service worker may both fetch one. */
async function photosOf(page: Page, url: string): Promise<readonly number[]> {
  const sizes = new Map<string, Promise<number>>()
  page.context().on('response', (response) => {
    if (response.url().includes('/media/images/'))
      sizes.set(
        response.url(),
        response.body().then(
          ({ byteLength }) => byteLength,
          () => 0,
        ),
      )
  })
  await page.goto(url)
  await page.waitForSelector('html[data-ready]')
  const cards = page.locator('article[data-listing]')
  for (let at = 0; at < CARDS; at += 1) {
    const card = cards.nth(at)
    await card.scrollIntoViewIfNeeded()
    await card
      .locator('img')
      .evaluateAll((images) =>
        Promise.all(
          images
            .filter((image) => image instanceof HTMLImageElement)
            .map((image) => image.decode()),
        ),
      )
  }
  return Promise.all(sizes.values())
}
