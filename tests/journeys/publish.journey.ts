import type { Page } from '@playwright/test'
import { type Device, expect, ready, settled, openSignedIn, test } from './device.ts'
import { Person, list, member, text } from '../support/api.ts'
import { cameraJpeg, plainJpeg } from '../support/camera.ts'
import type { Product } from '../support/product.ts'
import {
  backOnline,
  choose,
  fillCore,
  gallery,
  keptDrafts,
  next,
  photos,
  sendUntil,
} from '../support/wizard.ts'

async function seller(
  market: Product,
  device: Device,
): Promise<{ readonly person: Person; readonly page: Page }> {
  const person = await new Person(market.url).register(`publ${Date.now() % 1e8}`)
  const page = await openSignedIn(device, person.username, '/create-listing')
  await ready(page)
  await settled(page)
  return { person, page }
}

async function own(person: Person): Promise<readonly unknown[]> {
  return list(await person.ask('GET', 'profile/my-listings/?status=all'), 'results')
}

async function sizes(person: Person, listing: unknown): Promise<readonly unknown[]> {
  const detail = await person.ask('GET', `listings/${text(listing, 'id')}/`)
  return list(detail, 'images').map((image) => [member(image, 'width'), member(image, 'height')])
}

const publish = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Publier', exact: true }).click()
const posted = (page: Page) => page.getByRole('heading', { name: 'Votre annonce est envoyée' })
const waits = (page: Page) =>
  page.getByRole('heading', { name: 'Votre annonce attend d’être envoyée' })

test('[F13] [S4.01] [S9.02] five photos through ten cuts make one listing, with its photos in order', async ({
  market,
  device,
}) => {
  test.slow()
  const { person, page } = await seller(market, device)
  await choose(page, 'Services')
  const files = await Promise.all(
    [1, 2, 3, 4, 5].map((n) => cameraJpeg(`vue${n}.jpg`, 1600, 1000 + 40 * n)),
  )
  await gallery(page).setInputFiles(files)
  await expect(photos(page).getByRole('img')).toHaveCount(5)
  const title = `Cinq photos ${Date.now()}`
  await fillCore(page, title)
  await next(page)
  device.proxy.set('cut')
  await publish(page)
  await expect(waits(page)).toBeVisible()
  const queue = await device.open('/outbox')

  for (let cuts = 0; cuts < 10; cuts += 1) {
    // From a photo's first bytes to its last, and sometimes its answer: a photo has some 150 KB.
    let cut = false
    void device.proxy.cutAfter(20_000 + 23_000 * cuts).then(() => (cut = true))
    device.proxy.set('pass')
    await sendUntil(queue, () => cut)
  }
  await device.loseAnswer('**/api/listings/')
  device.proxy.set('pass')
  await sendUntil(queue, async () => (await own(person)).length > 0)
  await sendUntil(queue, () => posted(page).isVisible())
  const made = await own(person)
  expect(made.map((row) => text(row, 'title'))).toEqual([title])
  expect(await sizes(person, made[0])).toEqual([1, 2, 3, 4, 5].map((n) => [1000 + 40 * n, 1600]))
  await expect.poll(() => keptDrafts(page)).toEqual([])
})

test('[S4.01] published offline, it shows among the own listings with its size, cost and Wi-Fi choice', async ({
  market,
  device,
}) => {
  const { person, page } = await seller(market, device)
  device.proxy.set('cut')
  await choose(page, 'Services')
  await gallery(page).setInputFiles([await cameraJpeg('vue.jpg', 1600, 1200)])
  await expect(photos(page).getByRole('img')).toHaveCount(1)
  await fillCore(page, 'Couture à domicile')
  await next(page)
  await expect(page.getByText(/F\sCFA/).last()).toBeVisible()
  await publish(page)
  await expect(waits(page)).toBeVisible()
  const choice = page.getByRole('checkbox', { name: 'Attendre le Wi-Fi pour envoyer' })
  await choice.check()
  // The tap shows at once; the outbox screen shows what is stored.
  await page.getByRole('link', { name: 'Voir ce qui attend' }).click()
  await expect(
    page.locator('[data-outbox]').getByRole('checkbox', { name: 'Attendre le Wi-Fi pour envoyer' }),
  ).toBeChecked()
  await page.goto(`${device.url}/profile?tab=listings`)
  await ready(page)
  const card = page.locator('[data-listing]').filter({ hasText: 'Couture à domicile' })
  await expect(card).toContainText('En attente d’envoi')
  await expect(card).toContainText(/\d\sko.*F\sCFA/i)
  await expect(card.getByRole('img').or(card.locator('img'))).toHaveCount(1)
  await expect(card.getByRole('checkbox', { name: 'Attendre le Wi-Fi pour envoyer' })).toBeChecked()
  await page.goto(`${device.url}/outbox`)
  await ready(page)
  const entry = page.locator('[data-outbox]')
  await expect(entry).toContainText('Annonce à publier')
  await expect(entry).toContainText('Couture à domicile')
  await entry.getByRole('checkbox', { name: 'Attendre le Wi-Fi pour envoyer' }).uncheck()
  device.proxy.set('pass')
  await backOnline(page)
  await expect(entry).toHaveCount(0)
  expect(await own(person)).toHaveLength(1)
})

test('[S5.05] [S8.14] a photo that the server refuses is named, replaced, and nothing else is lost', async ({
  market,
  device,
}) => {
  const { person, page } = await seller(market, device)
  await choose(page, 'Services')
  await gallery(page).setInputFiles([
    await plainJpeg('a.jpg', '#c00000', 300, 200),
    await plainJpeg('b.jpg', '#00c000', 400, 200),
    await plainJpeg('c.jpg', '#0000c0', 500, 200),
  ])
  await expect(photos(page).getByRole('img')).toHaveCount(3)
  await fillCore(page, 'Trois tissus')
  await next(page)
  // A repeated upload has the key of the first.
  const uploads = new Set<string | undefined>()
  await device.context.route('**/api/uploads/', (route) => {
    const key = route.request().headers()['idempotency-key']
    uploads.add(key)
    const problem = {
      detail: 'Image illisible.',
      code: 'validation_error',
      file: ['Image illisible.'],
      field_codes: { file: [{ code: 'image_unreadable' }] },
    }
    return [...uploads].indexOf(key) === 1
      ? route.fulfill({ status: 400, json: problem })
      : route.continue()
  })
  await publish(page)
  const failed = page.getByRole('alert').filter({ hasText: 'Échec de l’envoi' })
  await expect(failed).toContainText('Photo 2')
  await expect(failed).toContainText('cette image ne peut pas être lue')
  await failed.getByRole('button', { name: 'Voir les photos' }).click()
  await page
    .getByLabel('Remplacer la photo 2')
    .setInputFiles([await plainJpeg('d.jpg', '#c0c000', 600, 200)])
  await expect(photos(page).getByRole('img')).toHaveCount(3)
  await expect(failed).toHaveCount(0)
  await next(page)
  await publish(page)
  await expect(posted(page)).toBeVisible()
  const [listing] = await own(person)
  expect(await sizes(person, listing)).toEqual([
    [300, 200],
    [600, 200],
    [500, 200],
  ])
  expect(uploads.size).toBe(4)
})

test('[S4.01] the same draft published in two tabs is sent once, and the other tab shows it', async ({
  market,
  device,
}) => {
  const { person, page } = await seller(market, device)
  await choose(page, 'Services')
  await fillCore(page, 'Deux onglets')
  await next(page)
  await expect.poll(() => keptDrafts(page)).toMatchObject([{ title: 'Deux onglets' }])
  const other = await device.open(new URL(page.url()).pathname + new URL(page.url()).search)
  await expect(other.getByRole('button', { name: 'Publier', exact: true })).toBeVisible()
  device.proxy.set('cut')
  await publish(page)
  await expect(waits(page)).toBeVisible()
  await expect(waits(other)).toBeVisible()
  device.proxy.set('pass')
  await backOnline(page)
  await backOnline(other)
  await expect(posted(page)).toBeVisible()
  await expect(posted(other)).toBeVisible()
  expect(await own(person)).toHaveLength(1)
  await expect.poll(() => keptDrafts(page)).toEqual([])
})

test('[S2.38] [S5.04] [S9.03] [S9.04] prices, long texts and emoji stay as typed; categories keep answers', async ({
  market,
  device,
}) => {
  const { page } = await seller(market, device)
  await choose(page, 'Véhicules')
  await fillCore(page, 'Vélo 🛵 d’occasion')
  const price = page.getByRole('textbox', { name: 'Prix (F CFA)' })
  const text = page.getByRole('textbox', { name: 'Description' })
  for (const [typed, why] of [
    ['0', 'Le prix doit être compris'],
    ['dix mille', 'Le prix doit être un nombre entier.'],
    ['10,5', 'Le prix doit être un nombre entier.'],
  ] as const) {
    await price.fill(typed)
    await next(page)
    await expect(page.getByText(why)).toBeVisible()
    await expect(price).toBeFocused()
    await expect(price).toHaveValue(typed)
  }
  await price.fill('10 000 F')
  await expect(page.getByText(/^10\s000\sF\sCFA$/)).toBeVisible()
  await text.fill('é'.repeat(2001))
  await expect(page.getByText('2001/2000')).toBeVisible()
  await next(page)
  await expect(page.getByText('La description ne peut pas dépasser 2000 caractères.')).toBeVisible()
  await text.fill(`${'🛵'.repeat(1999)}é`)
  await expect(page.getByText('2000/2000')).toBeVisible()
  await next(page)
  await page.getByLabel(/^Marque/).fill('Toyota')
  await page.getByRole('combobox', { name: 'Carburant' }).selectOption('diesel')
  await page.goBack()
  await page.goBack()
  await choose(page, 'Emplois')
  await expect(page.getByText('Étape 2 sur 3')).toBeVisible()
  await page.goBack()
  await choose(page, 'Véhicules')
  await expect(page.getByText('Étape 2 sur 4')).toBeVisible()
  await next(page)
  await expect(page.getByLabel(/^Marque/)).toHaveValue('Toyota')
  await expect(page.getByRole('combobox', { name: 'Carburant' })).toHaveValue('diesel')
})
