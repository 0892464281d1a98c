import type { Locator, Page } from '@playwright/test'
import { admin } from '../support/admin.ts'
import { list, member, text } from '../support/api.ts'
import { plainJpeg } from '../support/camera.ts'
import { faultless } from './faultless.ts'
import { listed, newSeller } from './listings.ts'
import { expect, openSignedIn, ready, settled, test } from './device.ts'
import { Taps } from './taps.ts'
import { holdTimers } from './timers.ts'
import { toasted } from './toasts.ts'
import { photos } from '../support/wizard.ts'

const card = (page: Page, id: string) => page.locator(`article[data-listing="${id}"]`)

test('[S13.48] [S13.40] [S13.42] [S13.43] a phone with three photos is published in 12 taps', async ({
  market,
  device,
}) => {
  const seller = await newSeller(market.url)
  const page = await openSignedIn(device, seller.username, '/')
  await ready(page)
  const taps = await Taps.on(page)
  await page
    .getByRole('navigation', { name: 'Navigation principale' })
    .getByRole('link', { name: 'Vendre' })
    .tap()
  await page.getByRole('radio', { name: 'Téléphones et tablettes' }).tap()
  await expect(page.getByRole('textbox', { name: 'Titre' })).toBeVisible()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByText('Ajouter des photos').tap(),
  ])
  await chooser.setFiles([
    await plainJpeg('a.jpg', '#c00000', 400, 300),
    await plainJpeg('b.jpg', '#00c000', 400, 300),
    await plainJpeg('c.jpg', '#0000c0', 400, 300),
  ])
  await expect(photos(page).getByRole('img')).toHaveCount(3)
  const write = async (field: Locator, text: string): Promise<void> => {
    await field.tap()
    await expect(field).toBeFocused()
    await page.keyboard.type(text)
  }
  await write(page.getByRole('textbox', { name: 'Titre' }), 'Redmi Note 13 256 Go')
  await write(page.getByRole('textbox', { name: 'Description' }), 'Très bon état, avec chargeur.')
  await write(page.getByRole('textbox', { name: 'Prix (F CFA)' }), '85000')
  await write(page.getByRole('combobox', { name: 'Lieu' }), 'bobo')
  await page
    .getByRole('option', { name: /^Bobo-Dioulasso/ })
    .first()
    .tap()
  await expect(page.getByRole('combobox', { name: 'Ville' })).toHaveValue('bobo-dioulasso')
  await expect(page.getByText('Sans numéro, personne ne peut vous appeler.')).toBeVisible()
  await page.getByRole('button', { name: 'Continuer' }).tap()

  await expect(page.getByLabel(/^Marque/)).toHaveValue('Xiaomi')
  await expect(page.getByLabel(/^Modèle/)).toHaveValue('Redmi Note 13')
  await expect(page.getByRole('combobox', { name: 'Stockage interne' })).toHaveValue('256gb')
  await expect(page.getByText('Proposé d’après le titre')).toHaveCount(4)
  await page.getByRole('radio', { name: 'Occasion' }).tap()
  await page.getByRole('button', { name: 'Continuer' }).tap()
  await page.getByRole('button', { name: 'Publier', exact: true }).tap()
  await expect(page.getByRole('heading', { name: 'Votre annonce est envoyée' })).toBeVisible()
  console.info(`published in ${taps.count} taps`)
  expect(taps.count).toBeLessThanOrEqual(12)

  const [made] = list(await seller.ask('GET', 'profile/my-listings/?status=all'), 'results')
  const detail = await seller.ask('GET', `listings/${text(made, 'id')}/`)
  expect(member(detail, 'specs')).toEqual({
    device_type: 'phone',
    brand: 'Xiaomi',
    model: 'Redmi Note 13',
    internal_storage: '256gb',
    condition: 'used',
  })
  expect([text(detail, 'town'), list(detail, 'images').length]).toEqual(['bobo-dioulasso', 3])
})

test('[S13.46] [S13.47] [S13.48] a price changed and a listing marked as sold offline, and undone', async ({
  market,
  device,
}) => {
  const seller = await newSeller(market.url)
  const id = await listed(seller, 'Vélo de course')
  await admin(market, 'approve', id)
  const page = await openSignedIn(device, seller.username, '/profile?tab=listings')
  await ready(page)
  await settled(page)
  // A notice with "undo" stays until it is tapped or replaced, instead of 9 s.
  await holdTimers(page, 9000)
  await page.reload()
  await ready(page)
  await expect(card(page, id)).toContainText('En ligne')
  const price = async () => member(await seller.ask('GET', `listings/${id}/`), 'price')
  const status = async () => text(await seller.ask('GET', `listings/${id}/`), 'status')
  const taps = await Taps.on(page)
  const undo = page.getByRole('button', { name: 'Annuler' })

  const changePrice = async (price: string): Promise<void> => {
    await card(page, id).getByRole('button', { name: 'Changer le prix de Vélo de course' }).tap()
    await expect(card(page, id).getByRole('textbox')).toBeFocused()
    await page.keyboard.type(price)
  }
  await changePrice('40 000')
  await faultless(page)
  await page.getByRole('button', { name: 'Enregistrer le prix' }).tap()
  expect(taps.count).toBeLessThanOrEqual(3)
  await toasted(page, 'Nouveau prix')
  await expect(card(page, id)).toContainText(/40\s000/)
  await expect.poll(price).toBe(40_000)
  await undo.tap()
  await expect.poll(price).toBe(45_000)

  device.proxy.set('cut')
  await changePrice('39000')
  await page.keyboard.press('Enter')
  await expect(card(page, id)).toContainText(/39\s000/)
  await undo.tap()
  await expect(card(page, id)).toContainText(/45\s000/)

  taps.count = 0
  await card(page, id).getByRole('button', { name: 'Marquer vendue' }).tap()
  expect(taps.count).toBeLessThanOrEqual(2)
  await expect(card(page, id)).toContainText('Vendu')
  await undo.tap()
  await expect(card(page, id)).toContainText('En ligne')
  await card(page, id).getByRole('button', { name: 'Marquer vendue' }).tap()
  await expect(card(page, id)).toContainText('Vendu')
  // Only a page that was offline says that it is back.
  await expect(page.locator('html')).toHaveAttribute('data-network', 'offline')

  device.proxy.set('pass')
  await toasted(page, 'De retour en ligne')
  await expect.poll(status).toBe('sold')
  await expect.poll(price).toBe(45_000)
  await card(page, id).getByRole('button', { name: 'Remettre en vente' }).tap()
  await undo.tap()
  await expect(card(page, id)).toContainText('Vendu')
  await expect(card(page, id)).not.toContainText('En attente d’envoi')
  await expect.poll(status).toBe('sold')
})
