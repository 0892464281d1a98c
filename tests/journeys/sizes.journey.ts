import type { Page } from '@playwright/test'
import { expect, ready, test } from './device.ts'

/**
 * Of each loaded photo with steps: the width that `sizes` promises (the browser's natural width,
 * corrected by the density it chose) beside the width that the slot needs to be covered.
 */
const promised = (page: Page) =>
  page.locator('picture > img').evaluateAll((images) =>
    images.flatMap((image) => {
      if (!(image instanceof HTMLImageElement) || image.srcset === '') return []
      const { width, height } = image.getBoundingClientRect()
      if (!image.complete || image.naturalWidth === 0 || width === 0) return []
      const { naturalWidth, naturalHeight } = image
      const fit = getComputedStyle(image).objectFit
      const needed =
        fit === 'cover' ? Math.max(width, (height * naturalWidth) / naturalHeight) : width
      // Others than 4:3 are cropped, or have bars.
      return Math.abs(naturalWidth / naturalHeight - 4 / 3) < 0.02 ? [naturalWidth / needed] : []
    }),
  )

/** Polls, since a browser chooses again, and loads again, after its viewport changed. */
async function exact(page: Page, slack = 0.04): Promise<void> {
  const wrong = async () => {
    const ratios = await promised(page)
    return ratios.length === 0 ? null : ratios.filter((ratio) => Math.abs(ratio - 1) >= slack)
  }
  await expect.poll(wrong).toEqual([])
}

test('[S13.71] photos are asked for at the width of their slot: cards, rows, home, a listing', async ({
  device,
}) => {
  // Other journeys publish listings without photos, though none in this category.
  const page = await device.open('/listings?category=fashion')
  await ready(page)
  for (const width of [320, 360, 412, 700]) {
    await page.setViewportSize({ width, height: 800 })
    await page.reload()
    await ready(page)
    await exact(page)
  }
  await page.setViewportSize({ width: 360, height: 640 })
  await page.goto(`${device.url}/`)
  await ready(page)
  const card = page.locator('article[data-listing] a:has(picture)').first()
  await card.scrollIntoViewIfNeeded()
  await exact(page)
  await card.click()
  await page.waitForURL(/\/listings\/./)
  await exact(page)
})
