import type { Page } from '@playwright/test'
import { cameraJpeg } from '../support/camera.ts'
import { box, bubble, fromGallery, preview, talk, write } from '../support/conversation.ts'
import { expect, ready, openSignedIn, test } from './device.ts'

const messages = (page: Page) =>
  page.getByRole('log', { name: 'Messages' }).evaluate((log) => log.getBoundingClientRect().height)
const notices = (page: Page) =>
  page.locator('[data-network-line], [data-notice]').evaluateAll((all) =>
    all
      .filter((one) => {
        const { x, y, width, height } = one.getBoundingClientRect()
        return height > 0 && one.contains(document.elementFromPoint(x + width / 2, y + height / 2))
      })
      .map((one) => one.textContent),
  )

test('[S2.42] a small screen shows at least 200 px of messages: above a keyboard, with a photo, with a notice', async ({
  market,
  device,
}) => {
  const { buyer, conversation } = await talk(market)
  const page = await openSignedIn(device, buyer.username, `/messages/${conversation}`)
  await ready(page)
  await expect(bubble(page, 'Bonjour')).toBeVisible()
  await expect.poll(() => messages(page)).toBeGreaterThanOrEqual(200)
  await fromGallery(page).setInputFiles([await cameraJpeg('vue.jpg', 1200, 900)])
  await expect(preview(page)).toBeVisible()
  await expect.poll(() => messages(page)).toBeGreaterThanOrEqual(200)

  await page.setViewportSize({ width: 360, height: 330 })
  await box(page).focus()
  await expect.poll(() => messages(page)).toBeGreaterThanOrEqual(200)
  await expect(preview(page).getByRole('img')).toBeInViewport({ ratio: 1 })
  await box(page).fill('Envoyez le code pour confirmer\nsur trois\nlignes')
  await expect(page.getByText(/Ne donnez jamais un code reçu par SMS/)).toBeVisible()
  await expect.poll(() => messages(page)).toBeGreaterThanOrEqual(200)
  await expect(page.getByRole('button', { name: 'Envoyer', exact: true })).toBeInViewport({
    ratio: 1,
  })
})

test('[S2.42] [S3.20] a conversation shows one notice at a time, never the notification offer beside one', async ({
  market,
  device,
}) => {
  const { buyer, conversation } = await talk(market)
  const page = await openSignedIn(device, buyer.username, `/messages/${conversation}`)
  await ready(page)
  await write(page, 'Je passe mardi')
  const nudge = page.getByRole('button', { name: 'Non merci' })
  await expect(nudge).toBeVisible()
  await expect.poll(() => messages(page)).toBeGreaterThanOrEqual(200)
  device.proxy.set('cut')
  await write(page, 'Ou mercredi')
  await expect(page.locator('[data-network-line]')).toBeVisible()
  await expect.poll(() => notices(page)).toHaveLength(1)
  await expect(nudge).toBeHidden()
  await box(page).fill('Envoyez le code pour confirmer')
  await expect(page.getByText(/Ne donnez jamais un code reçu par SMS/)).toBeVisible()
  await expect.poll(() => notices(page)).toHaveLength(1)
  await expect.poll(() => messages(page)).toBeGreaterThanOrEqual(200)
})
