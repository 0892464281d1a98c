import type { Page } from '@playwright/test'
import { Person } from '../support/api.ts'
import { talk } from '../support/conversation.ts'
import { expect, openSignedIn, ready, settled, test } from './device.ts'
import { faultless } from './faultless.ts'
import { listed, newSeller } from './listings.ts'

const ways = (page: Page) => page.getByRole('navigation', { name: 'Mon compte' })
const way = (page: Page, name: string) => ways(page).getByRole('link', { name })

test('[S13.10] the account is one overview, with numbers that are there without a network', async ({
  market,
  device,
}) => {
  const seller = await newSeller(market.url)
  await listed(seller, 'Vélo de ville')
  await listed(seller, 'Selle de vélo')
  const page = await openSignedIn(device, seller.username, '/profile')
  await expect(way(page, 'Mes annonces')).toHaveAccessibleName('Mes annonces 2 annonces')
  await expect(way(page, 'Messages')).toHaveAccessibleName('Messages 0 conversation')
  await expect(way(page, 'Favoris')).toHaveAccessibleName('Favoris 0 annonce')
  await expect(way(page, 'Recherches enregistrées')).toContainText('0')
  await expect(way(page, 'Ma boutique')).toHaveAccessibleName('Ma boutique 0 abonné')
  await expect(way(page, 'En attente d’envoi')).toContainText('0')
  // Settings have one way here.
  await expect(page.getByRole('main').getByRole('link', { name: 'Paramètres' })).toHaveCount(1)
  await faultless(page)
  await settled(page)

  device.proxy.set('cut')
  await page.reload()
  await ready(page)
  await expect(way(page, 'Mes annonces')).toHaveAccessibleName('Mes annonces 2 annonces')
  await page.getByRole('textbox', { name: 'Présentation' }).fill('Vélos et pièces.')
  await page.getByRole('button', { name: 'Enregistrer', exact: true }).click()
  await expect(way(page, 'En attente d’envoi')).toContainText('1')
  await way(page, 'Mes annonces').tap()
  await expect(page.getByRole('heading', { level: 1, name: 'Mes annonces' })).toBeVisible()
})

test('[S13.10] the overview has two columns on a wide window, and says what is unread', async ({
  market,
  desktop,
}) => {
  const { seller } = await talk(market)
  const page = await openSignedIn(desktop, seller.username, '/profile')
  await expect(way(page, 'Messages')).toHaveAccessibleName(/^Messages (\d|9\+) non lus? \d+ /)
  const side = await ways(page).boundingBox()
  const main = await page.getByRole('region', { name: 'Aperçu' }).boundingBox()
  expect(main?.x ?? 0).toBeGreaterThan((side?.x ?? 0) + (side?.width ?? 0))
  await faultless(page)
})

test('[S13.13] empty screens show a drawing, one sentence and a way on, offline too', async ({
  market,
  device,
}) => {
  const name = `vide${Date.now() % 1e8}`
  await new Person(market.url).register(name)
  const page = await openSignedIn(device, name, '/saved')
  await settled(page)
  const drawing = page.locator('main svg[viewBox="0 0 176 132"]')
  const empty = [
    ['/saved', 'Touchez le cœur'],
    ['/messages', 'Aucune conversation'],
    ['/notifications', 'Rien de nouveau'],
    ['/outbox', 'Tout est à jour'],
    ['/profile?tab=listings', 'Vous n’avez pas encore d’annonce'],
    ['/listings?search=zzzzzz', 'Aucune annonce ne correspond'],
    ['/no-such-page', 'Page introuvable'],
  ] as const
  for (const [path, text] of empty) {
    await page.goto(device.url + path)
    await expect(page.getByRole('main').getByText(text).first()).toBeVisible()
    await expect(drawing).toBeVisible()
  }
  device.proxy.set('cut')
  for (const [path, text] of empty.slice(0, 4)) {
    await page.goto(device.url + path)
    await expect(page.getByRole('main').getByText(text).first()).toBeVisible()
    await expect(drawing).toBeVisible()
  }
})
