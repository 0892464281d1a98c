import type { Locator, Page } from '@playwright/test'
import { list, member, Person, text } from '../support/api.ts'
import type { Product } from '../support/product.ts'
import { type Device, expect, ready, test } from './device.ts'
import { type Finger, touches } from './touches.ts'

async function fullScreen(market: Product, device: Device): Promise<Page> {
  const answer = await new Person(market.url).ask(
    'GET',
    'listings/?category=vehicles&has_images=true&page_size=50',
  )
  const row = list(answer, 'results').find((one) => Number(member(one, 'images_count')) >= 3)
  const page = await device.open(`/listings/${text(row, 'id')}`)
  await ready(page)
  await page.getByRole('button', { name: 'Agrandir la photo 1' }).click()
  await expect(page.getByRole('button', { name: 'Zoomer' })).toBeVisible()
  return page
}

const strip = (page: Page): Locator =>
  page.getByRole('dialog').getByRole('group', { name: /^Photo \d+ sur/ })

/** The first photo's width over the screen's. */
async function scale(page: Page): Promise<number> {
  const photo = strip(page).locator('img').first()
  const width = (await photo.boundingBox())?.width ?? 0
  return Math.round((width / (page.viewportSize()?.width ?? 1)) * 10) / 10
}

test('[S13.23] a double tap enlarges the photo under the finger, and another shows it whole', async ({
  market,
  device,
}) => {
  const page = await fullScreen(market, device)
  const touch = await touches(page)
  const twice = async (at: Finger): Promise<void> => {
    for (const _ of [1, 2]) {
      await touch([at])
      await touch([])
    }
  }
  await twice([270, 320])
  await expect.poll(() => scale(page)).toBe(2.5)
  const left = async () => (await strip(page).locator('img').first().boundingBox())?.x
  // What was at 270 of 360 px is still there.
  await expect.poll(left).toBeCloseTo(270 - 270 * 2.5, 0)

  await touch([[200, 320]])
  await touch([[260, 320]])
  await touch([[300, 320]])
  await touch([])
  await expect.poll(left).toBeCloseTo(270 - 270 * 2.5 + 100, 0)
  await expect(strip(page)).toHaveAccessibleName(/^Photo 1 sur/)

  await twice([180, 320])
  await expect.poll(() => scale(page)).toBe(1)
})

test('[S13.23] two fingers enlarge the photo, and not the page', async ({ market, device }) => {
  const page = await fullScreen(market, device)
  const touch = await touches(page)
  await touch([[160, 320]])
  await touch([
    [160, 320],
    [200, 320],
  ])
  await touch([
    [140, 320],
    [220, 320],
  ])
  await touch([
    [120, 320],
    [240, 320],
  ])
  await touch([])
  await expect.poll(() => scale(page)).toBe(3)
  expect(await page.evaluate(() => visualViewport?.scale)).toBe(1)
})

test('[S13.24] a drag down closes the full screen, a short one does not, and a swipe moves on', async ({
  market,
  device,
}) => {
  const page = await fullScreen(market, device)
  const touch = await touches(page)
  const drag = async (from: Finger, to: Finger): Promise<void> => {
    await touch([from])
    for (let step = 1; step <= 10; step += 1)
      await touch([
        [from[0] + ((to[0] - from[0]) * step) / 10, from[1] + ((to[1] - from[1]) * step) / 10],
      ])
    await touch([])
  }
  await drag([300, 320], [40, 320])
  await expect(strip(page)).toHaveAccessibleName(/^Photo 2 sur/)
  // A finger on a strip that still moves only stops it.
  await expect(strip(page).locator(':scope > *').nth(1)).toBeInViewport({ ratio: 0.99 })
  await drag([180, 400], [180, 200])
  await expect(page.getByRole('dialog')).toBeVisible()
  await drag([180, 200], [180, 500])
  await expect(page.getByRole('dialog')).toBeHidden()
  // The page shows the photo that was seen last.
  await expect(page.getByRole('group', { name: /^Photo 2 sur/ })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Agrandir la photo 2' })).toBeFocused()
})

test('[S13.23] keys and a button enlarge the photo; the next photo begins whole', async ({
  market,
  desktop,
}) => {
  const page = await fullScreen(market, desktop)
  const frame = strip(page).locator('[data-zoomed]')
  await page.keyboard.press('+')
  await expect(frame).toBeVisible()
  await page.keyboard.press('-')
  await expect(frame).toHaveCount(0)
  await page.getByRole('button', { name: 'Zoomer' }).click()
  await expect(frame).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(strip(page)).toHaveAccessibleName(/^Photo 2 sur/)
  await expect(frame).toHaveCount(0)
  await page.keyboard.press('ArrowLeft')
  await expect(strip(page)).toHaveAccessibleName(/^Photo 1 sur/)
  await expect.poll(() => scale(page)).toBe(1)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
})
