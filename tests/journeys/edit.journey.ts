import type { Page } from '@playwright/test'
import { admin } from '../support/admin.ts'
import { list, member, text } from '../support/api.ts'
import { rowsOf } from '../support/disk.ts'
import { faultless } from './faultless.ts'
import { jpeg, listed, newSeller, upload } from './listings.ts'
import { expect, type Device, ready, settled, openSignedIn, signIn, test } from './device.ts'
import { choose, photoAction } from '../support/wizard.ts'

const next = (page: Page) => page.getByRole('button', { name: 'Continuer' }).click()
const photos = (page: Page) => page.getByRole('list', { name: 'Photos' }).getByRole('listitem')
const field = (page: Page, name: string) => page.getByRole('textbox', { name })
const card = (page: Page, id: string) => page.locator(`article[data-listing="${id}"]`)

async function go(page: Page, device: Device, path: string): Promise<void> {
  await page.goto(device.url + path)
  await ready(page)
}

async function save(page: Page): Promise<void> {
  await next(page)
  await next(page)
  await page.getByRole('button', { name: 'Enregistrer' }).click()
}

async function retitleOffline(
  page: Page,
  device: Device,
  id: string,
  title: string,
): Promise<void> {
  device.proxy.set('cut')
  await card(page, id).getByRole('button', { name: 'Modifier' }).click()
  await field(page, 'Titre').fill(title)
  await save(page)
  await expect(
    page.getByRole('heading', { name: 'Vos changements attendent d’être envoyés' }),
  ).toBeVisible()
}

/** Opens the own listings and waits until their edit data is stored on the device. */
async function myListings(
  page: Page,
  device: Device,
  username: string,
  titles: readonly string[],
): Promise<void> {
  await signIn(page, device, username, '/profile?tab=listings')
  await ready(page)
  await page.getByRole('button', { name: 'Toutes' }).click()
  for (const title of titles) await expect(page.getByRole('heading', { name: title })).toBeVisible()
  await settled(page)
  // The whole texts follow the list, one call a listing.
  const whole = titles.map((title) => expect.objectContaining({ title, more: expect.anything() }))
  await expect.poll(() => rowsOf(page, 'ownListings')).toEqual(expect.arrayContaining(whole))
}

test('[S4.01] [S4.02] [S7.16] [S7.20] a refused listing shows why, is corrected offline and reviewed again', async ({
  market,
  deviceOnDisk: device,
}) => {
  const seller = await newSeller(market.url)
  const ids = [
    await upload(market.url, seller, await jpeg('#c00000', 400, 300)),
    await upload(market.url, seller, await jpeg('#0000c0', 300, 500)),
  ]
  const id = await listed(seller, 'Vélo de course', { uploaded_image_ids: ids })
  let page = await device.open('/')
  await myListings(page, device, seller.username, ['Vélo de course'])
  await admin(market, 'reject', id, '--reason', 'Le titre ne dit pas la taille.')
  await go(page, device, '/notifications')
  const notice = page.locator('[data-notification]').filter({ hasText: 'Annonce refusée' })
  await expect(notice).toContainText('Le titre ne dit pas la taille.')
  await notice.getByRole('link').or(notice.getByRole('button')).first().click()
  await expect(page).toHaveURL(`${device.url}/listings/${id}`)
  await expect(page.getByText('Le titre ne dit pas la taille.')).toBeVisible()
  device.proxy.set('cut')
  await page.getByRole('link', { name: 'Corriger' }).click()

  await expect(field(page, 'Titre')).toHaveValue('Vélo de course')
  await expect(page.getByText('Le titre ne dit pas la taille.')).toBeVisible()
  await expect(photos(page)).toHaveCount(2)
  await faultless(page)
  await field(page, 'Titre').fill('Vélo de course, taille 54')
  await field(page, 'Prix (F CFA)').fill('40 000')
  await photoAction(page, 'Reculer la photo 1')
  await page
    .getByLabel('Ajouter des photos')
    .setInputFiles([
      { name: 'vert.jpg', mimeType: 'image/jpeg', buffer: await jpeg('#008000', 640, 320) },
    ])
  await expect(photos(page)).toHaveCount(3)
  await photoAction(page, 'Avancer la photo 3')
  await expect(page.getByText('Photo en place 2 sur 3')).toBeAttached()
  await next(page)
  await expect(page).toHaveURL(/step=specs/)
  await page
    .getByRole('navigation', { name: 'Navigation principale' })
    .getByRole('link', { name: /^Profil/ })
    .click()
  await expect(page.locator('[data-draft]').getByRole('link')).toHaveAttribute('href', /step=specs/)
  await device.close()

  page = await device.open('/profile')
  await ready(page)
  const draft = page.locator('[data-draft]')
  await expect(draft).toContainText('Vélo de course, taille 54')
  await draft.getByRole('link').click()
  await next(page)
  await expect(page.getByText('Vélo de course, taille 54')).toBeVisible()
  await expect(photos(page)).toHaveCount(3)
  await faultless(page)
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await expect(
    page.getByRole('heading', { name: 'Vos changements attendent d’être envoyés' }),
  ).toBeVisible()
  await go(page, device, '/profile?tab=listings')
  await expect(card(page, id)).toContainText('Vélo de course, taille 54')
  await expect(card(page, id)).toContainText('En attente d’envoi')
  expect(text(await seller.ask('GET', `listings/${id}/`), 'title')).toBe('Vélo de course')

  device.proxy.set('pass')
  await expect
    .poll(async () => text(await seller.ask('GET', `listings/${id}/`), 'title'))
    .toBe('Vélo de course, taille 54')
  await expect(card(page, id)).not.toContainText('En attente d’envoi')
  const now = await seller.ask('GET', `listings/${id}/`)
  expect([text(now, 'status'), member(now, 'price'), member(now, 'review_reason')]).toEqual([
    'pending',
    40_000,
    null,
  ])
  expect(
    list(now, 'images').map((image) => [member(image, 'width'), member(image, 'height')]),
  ).toEqual([
    [300, 500],
    [640, 320],
    [400, 300],
  ])
  await go(page, device, '/profile')
  await expect(page.locator('[data-draft]')).toHaveCount(0)
  await admin(market, 'approve', id)
  await go(page, device, '/notifications')
  await expect(
    page.locator('[data-notification]').filter({ hasText: 'Annonce approuvée' }),
  ).toContainText('taille 54')
})

test('[S7.16] an edit conflict shows both values of each field, and sends the chosen ones after a restart', async ({
  market,
  deviceOnDisk: device,
}) => {
  const seller = await newSeller(market.url)
  const id = await listed(seller, 'Table en bois', { negotiable: false })
  await admin(market, 'approve', id)
  let page = await device.open('/')
  await myListings(page, device, seller.username, ['Table en bois'])
  device.proxy.set('cut')
  await card(page, id).getByRole('button', { name: 'Modifier' }).click()
  await field(page, 'Titre').fill('Table en bois massif')
  await field(page, 'Prix (F CFA)').fill('40000')
  await field(page, 'Téléphone').fill('70 11 22 33')
  await save(page)
  await expect(
    page.getByRole('heading', { name: 'Vos changements attendent d’être envoyés' }),
  ).toBeVisible()
  await seller.ask('PATCH', `listings/${id}/`, {
    title: 'Grande table',
    price: 42_000,
    description: 'Écrit sur l’autre appareil.',
  })

  device.proxy.set('pass')
  await expect(page.getByRole('group', { name: 'Titre' })).toBeVisible()
  await device.close()
  page = await device.open('/profile?tab=listings')
  await ready(page)
  await expect(card(page, id)).toContainText('Modifiée aussi ailleurs')
  await faultless(page)
  await card(page, id).getByRole('link', { name: 'Choisir' }).click()
  const title = page.getByRole('group', { name: 'Titre' })
  await expect(title.getByRole('radio')).toHaveCount(2)
  await expect(title).toContainText('Table en bois massif')
  await expect(title).toContainText('Grande table')
  await faultless(page)
  await page
    .getByRole('group', { name: 'Prix', exact: true })
    .getByRole('radio', { name: 'De l’autre appareil' })
    .check()
  // A field changed on one side only is no conflict.
  await expect(page.getByRole('group')).toHaveCount(2)
  await page.getByRole('button', { name: 'Envoyer ces choix' }).click()
  await expect(page.getByRole('heading', { name: 'Vos changements sont envoyés' })).toBeVisible()
  const now = await seller.ask('GET', `listings/${id}/`)
  expect([
    text(now, 'title'),
    member(now, 'price'),
    text(now, 'description'),
    text(now, 'contact_phone'),
  ]).toEqual(['Table en bois massif', 42_000, 'Écrit sur l’autre appareil.', '+22670112233'])
})

test('[S4.02] [S2.46] a waiting edit shows its new photo and the names of its new location, offline', async ({
  market,
  device,
}) => {
  const seller = await newSeller(market.url)
  const id = await listed(seller, 'Moto 125', {
    uploaded_image_ids: [await upload(market.url, seller, await jpeg('#c00000', 400, 300))],
  })
  await admin(market, 'approve', id)
  const page = await device.open('/')
  await myListings(page, device, seller.username, ['Moto 125'])
  device.proxy.set('cut')
  await card(page, id).getByRole('button', { name: 'Modifier' }).click()
  await page
    .getByLabel('Ajouter des photos')
    .setInputFiles([
      { name: 'vert.jpg', mimeType: 'image/jpeg', buffer: await jpeg('#008000', 640, 320) },
    ])
  await expect(photos(page)).toHaveCount(2)
  await photoAction(page, 'Avancer la photo 2')
  await page.getByRole('combobox', { name: 'Région' }).selectOption('guiriko')
  await page.getByRole('combobox', { name: 'Ville' }).selectOption('bobo-dioulasso')
  await save(page)
  await expect(
    page.getByRole('heading', { name: 'Vos changements attendent d’être envoyés' }),
  ).toBeVisible()
  await go(page, device, '/profile?tab=listings')
  const shape = () =>
    card(page, id)
      .locator('img')
      .first()
      .evaluate((image) =>
        image instanceof HTMLImageElement ? `${image.naturalWidth}×${image.naturalHeight}` : '',
      )
  await expect.poll(shape).toBe('640×320')
  await go(page, device, `/listings/${id}`)
  await expect(page.locator(`article[data-listing="${id}"] header`)).toContainText('Bobo-Dioulasso')

  device.proxy.set('pass')
  await expect
    .poll(async () => text(await seller.ask('GET', `listings/${id}/`), 'town'))
    .toBe('bobo-dioulasso')
  await go(page, device, '/profile?tab=listings')
  await expect(card(page, id)).not.toContainText('En attente d’envoi')
  await expect(card(page, id).locator('img')).toHaveCount(1)
})

test('[S4.02] [S7.18] [S7.19] every state is set offline, by one tap or a number of days, and applied online', async ({
  market,
  device,
}) => {
  const seller = await newSeller(market.url)
  const titles = ['Lampe solaire', 'Chaise pliante', 'Tapis de prière']
  const ids: string[] = []
  for (const title of titles) ids.push(await listed(seller, title))
  await admin(market, 'approve', ...ids)
  const [lamp = '', chair = '', rug = ''] = ids
  const before = Date.parse(text(await seller.ask('GET', `listings/${lamp}/`), 'expires_at'))
  const page = await device.open('/')
  await myListings(page, device, seller.username, titles)
  const menu = async (id: string, action: string) => {
    await card(page, id)
      .getByRole('button', { name: /^Actions pour/ })
      .click()
    await page.getByRole('menuitem', { name: action }).click()
  }
  device.proxy.set('cut')
  await menu(lamp, 'Prolonger de 30 jours')
  await expect(page.locator('html')).toHaveAttribute('data-network', 'offline')
  await menu(lamp, 'Mettre à la une')
  await expect(card(page, lamp)).toContainText('À la une')
  await menu(chair, 'Mettre en pause')
  await expect(card(page, chair)).toContainText('En pause')
  await menu(rug, 'Archiver')
  await expect(card(page, rug)).toContainText('Archivée')
  await menu(rug, 'Choisir la durée…')
  await page.getByRole('radio', { name: '7 jours' }).check()
  await page.getByRole('dialog').getByRole('button', { name: 'Prolonger' }).click()
  await expect(card(page, rug)).toContainText('En ligne')
  await page.reload()
  await ready(page)
  await expect(card(page, chair)).toContainText('En pause')
  await faultless(page)

  device.proxy.set('pass')
  await expect
    .poll(async () => member(await seller.ask('GET', `listings/${lamp}/`), 'is_featured'))
    .toBe(true)
  await expect
    .poll(async () => text(await seller.ask('GET', `listings/${chair}/`), 'status'))
    .toBe('inactive')
  await expect
    .poll(async () => text(await seller.ask('GET', `listings/${rug}/`), 'status'))
    .toBe('active')
  expect(
    Date.parse(text(await seller.ask('GET', `listings/${lamp}/`), 'expires_at')),
  ).toBeGreaterThan(before)
})

test('[S8.14] [S3.02] the limit of listings is explained, and the listing waits until there is room', async ({
  market,
  device,
}) => {
  const seller = await newSeller(market.url)
  const first = await listed(seller, 'Annonce numéro 1')
  for (let n = 2; n <= 200; n += 10)
    await Promise.all(
      Array.from({ length: Math.min(10, 201 - n) }, (_, more) =>
        listed(seller, `Annonce numéro ${n + more}`),
      ),
    )
  const page = await openSignedIn(device, seller.username, '/create-listing')
  await ready(page)
  await choose(page, 'Emplois')
  await field(page, 'Titre').fill('Annonce de trop')
  await field(page, 'Description').fill('Elle ne tient plus.')
  await page.getByRole('combobox', { name: 'Région' }).selectOption('kadiogo')
  await next(page)
  await page.getByRole('button', { name: 'Publier' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Échec de l’envoi' })).toContainText(
    'Nombre maximal d’annonces atteint.'.replace('’', "'"),
  )
  await go(page, device, '/profile?tab=listings')
  await expect(
    page.getByRole('alert').filter({ hasText: 'Annonce pas encore publiée' }),
  ).toContainText('Archivez ou supprimez une annonce')
  await seller.ask('DELETE', `listings/${first}/`)
  await page.getByRole('link', { name: 'Corriger' }).click()
  await page.getByRole('button', { name: 'Publier' }).click()
  await expect(page.getByRole('heading', { name: 'Votre annonce est envoyée' })).toBeVisible()
  const own = list(
    await seller.ask('GET', 'profile/my-listings/?status=all&page_size=5'),
    'results',
  )
  expect(own.filter((row) => text(row, 'title') === 'Annonce de trop')).toHaveLength(1)
})

test('[S4.06] [S8.14] an edit waiting while the session ends is not lost: it is sent after signing in', async ({
  market,
  device,
}) => {
  const seller = await newSeller(market.url)
  const id = await listed(seller, 'Frigo neuf')
  const page = await device.open('/')
  await myListings(page, device, seller.username, ['Frigo neuf'])
  await retitleOffline(page, device, id, 'Frigo presque neuf')
  await seller.ask('DELETE', 'auth/sessions/')
  device.proxy.set('pass')
  await expect(page.getByText('Reconnectez-vous avec le même compte pour l’envoyer.')).toBeVisible()
  await signIn(page, device, seller.username, '/profile?tab=listings')
  await expect
    .poll(async () => text(await seller.ask('GET', `listings/${id}/`), 'title'))
    .toBe('Frigo presque neuf')
  await expect(card(page, id)).toContainText('Frigo presque neuf')
  await expect(card(page, id)).not.toContainText('En attente d’envoi')
})

test('[S8.12] [S4.02] an edit of a listing deleted meanwhile shows so, and offers only useful actions', async ({
  market,
  device,
}) => {
  const seller = await newSeller(market.url)
  const id = await listed(seller, 'Table en bois')
  const page = await device.open('/')
  await myListings(page, device, seller.username, ['Table en bois'])
  await retitleOffline(page, device, id, 'Table en bois massif')
  await seller.ask('DELETE', `listings/${id}/`)
  device.proxy.set('pass')
  await expect(page.getByRole('heading', { name: 'Cette annonce n’existe plus' })).toBeVisible()
  await go(page, device, '/outbox')
  const entry = page.locator('[data-outbox]')
  await expect(entry).toContainText('Cette annonce n’existe plus')
  await expect(entry.getByRole('button')).toHaveText(['Supprimer'])
  await expect(entry.getByRole('link')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Tout envoyer maintenant' })).toHaveCount(0)
  await go(page, device, '/profile')
  await page.locator('[data-draft]').getByRole('link').click()
  await page.getByRole('button', { name: 'Supprimer ces changements' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click()
  await expect(page).toHaveURL(/tab=listings/)
  await expect(card(page, id)).toHaveCount(0)
  await expect(page.locator('[data-draft]')).toHaveCount(0)
  await go(page, device, '/outbox')
  await expect(entry).toHaveCount(0)
})
