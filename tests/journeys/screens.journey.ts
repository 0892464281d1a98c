import type { Page } from '@playwright/test'
import { list, member, Person, text } from '../support/api.ts'
import { expect, ready, settled, test } from './device.ts'

const cards = (page: Page) => page.locator('[data-coverage] article[data-listing]')

test('[S2.36] [S13.05] a row of the compact list is at most 88 px high', async ({ device }) => {
  const page = await device.open('/listings')
  await ready(page)
  await page.getByRole('button', { name: 'Vue compacte' }).click()
  await expect
    .poll(() =>
      cards(page).evaluateAll(
        (rows) =>
          rows.length > 5 &&
          Math.max(...rows.slice(0, 10).map((row) => row.getBoundingClientRect().height)) <= 88,
      ),
    )
    .toBe(true)
})

test('[S2.32] [S13.52] a search within a category shows where it looks, and can be widened', async ({
  device,
}) => {
  const page = await device.open('/listings?category=vehicles')
  await ready(page)
  const box = page.getByRole('searchbox', { name: 'Rechercher une annonce' })
  await expect(box).toHaveAttribute('placeholder', 'Dans Autos')
  await box.fill('toyota')
  await box.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^«\stoyota\s»$/)
  const scope = page.getByRole('button', { name: 'Retirer le filtre dans Autos' })
  await expect(scope).toHaveText('dans Autos')
  await scope.click()
  await expect(page).toHaveURL(`${device.url}/listings?search=toyota`)
  await page.goto(`${device.url}/listings?category=vehicles`)
  await ready(page)
  await box.pressSequentially('toyota')
  await page.getByRole('option', { name: 'Chercher dans toutes les catégories' }).click()
  await expect(page).toHaveURL(`${device.url}/listings?search=toyota`)
})

test('[S2.37] full-screen, the photo shows at once from the file that is already loaded', async ({
  market,
  device,
}) => {
  const rows = list(
    await new Person(market.url).ask('GET', 'listings/?has_images=true&page_size=20'),
    'results',
  )
  const page = await device.open(
    `/listings/${text(
      rows.find((row) => Number(member(row, 'images_count')) > 1),
      'id',
    )}`,
  )
  await ready(page)
  const small = page.getByRole('main').getByRole('img', { name: /^Photo 1/ })
  await expect
    .poll(() =>
      small.evaluate(
        (image) => image instanceof HTMLImageElement && image.complete && image.naturalWidth > 0,
      ),
    )
    .toBe(true)
  // The large file never arrives.
  await page.route(/\/(660|880|1280)\.\w+$/, () => undefined)
  await page.getByRole('button', { name: 'Agrandir la photo 1' }).tap()
  const shown = page.getByRole('dialog').locator('img').first()
  await expect(shown).toBeVisible()
  const drawn = () =>
    shown.evaluate(
      (image) =>
        image instanceof HTMLImageElement &&
        image.complete &&
        image.naturalWidth > 0 &&
        image.getBoundingClientRect().width > 300,
    )
  await expect.poll(drawn).toBe(true)
})

test('[S4.23] /outbox opens without a network once the app is cached', async ({ device }) => {
  const page = await device.open('/')
  await settled(page)
  device.proxy.set('cut')
  await page.goto(`${device.url}/outbox`)
  await expect(page.getByRole('heading', { level: 1, name: 'En attente d’envoi' })).toBeVisible()
})

test('[S4.11] reloading a list by hand asks the server again, even if the list is fresh', async ({
  device,
}) => {
  const page = await device.open('/listings')
  await ready(page)
  await expect(page.locator('[data-coverage="covered"]')).toBeVisible()
  const asked = page.waitForRequest((request) => /\/api\/listings\/(?:\?|$)/.test(request.url()))
  await page.reload()
  await asked
  // The fresh rows show all the while.
  await expect(cards(page).first()).toBeVisible()
})
