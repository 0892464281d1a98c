import type { Page } from '@playwright/test'
import { expect, ready, test } from './device.ts'

/** How many photos had the transition's name when each transition began. */
async function watchTransitions(page: Page): Promise<() => Promise<readonly number[]>> {
  await page.evaluate(() => {
    const start = document.startViewTransition.bind(document)
    document.startViewTransition = (update) => {
      const named = [...document.querySelectorAll('img')].filter(
        (photo) => photo.style.viewTransitionName !== '',
      )
      const before = document.documentElement.dataset['transitions'] ?? ''
      document.documentElement.dataset['transitions'] = `${before} ${named.length}`
      return start(update)
    }
  })
  return async () => {
    const seen = await page.locator('html').getAttribute('data-transitions')
    return (seen ?? '').split(' ').filter(Boolean).map(Number)
  }
}

async function openCard(page: Page, at: number): Promise<void> {
  // A listing shows similar ones, until going back is over.
  const card = page
    .locator('[data-coverage] article[data-listing]', { has: page.locator('img') })
    .nth(at)
  const photo = card.locator('img')
  await photo.scrollIntoViewIfNeeded()
  await expect
    .poll(() => photo.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth > 0))
    .toBe(true)
  const id = await card.getAttribute('data-listing')
  await card.getByRole('link').tap()
  await expect(page).toHaveURL(new RegExp(`/listings/${id}$`))
  await expect(page.locator(`[data-listing="${id}"] [data-gallery]`)).toBeVisible()
}

test('[S13.26] the photo of a tapped card grows into the listing’s, once a listing was opened', async ({
  device,
}) => {
  const page = await device.open('/listings?has_images=true')
  await ready(page)
  const transitions = await watchTransitions(page)
  await openCard(page, 0)
  expect(await transitions()).toEqual([])
  await page.goBack()
  await openCard(page, 1)
  expect(await transitions()).toEqual([1])
  await expect.poll(() => page.locator('[style*="view-transition-name"]').count()).toBe(0)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goBack()
  await openCard(page, 2)
  expect(await transitions()).toEqual([1])
})

test('[S13.27] a dialog eases in, and is there at once with reduced motion', async ({ device }) => {
  const page = await device.open('/listings?has_images=true')
  await ready(page)
  await openCard(page, 0)
  const easing = async () => {
    await page.getByRole('main').getByRole('button', { name: 'Partager' }).tap()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toBeVisible()
    const time = await dialog.evaluate((element) => getComputedStyle(element).animationDuration)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    return Number.parseFloat(time) * 1000
  }
  const ms = await easing()
  expect(ms).toBeGreaterThanOrEqual(120)
  expect(ms).toBeLessThanOrEqual(200)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  expect(await easing()).toBeLessThanOrEqual(1)
})
