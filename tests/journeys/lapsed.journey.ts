import type { Page } from '@playwright/test'
import { expect, type Device, ready, settled, openSignedIn, signIn, test } from './device.ts'
import { newSeller } from './listings.ts'
import { list, type Person, text } from '../support/api.ts'
import { plainJpeg } from '../support/camera.ts'
import { choose, fillCore, gallery, keptDrafts, next, option, photos } from '../support/wizard.ts'

const lapsed = (page: Page) =>
  page.getByRole('alert').filter({ hasText: 'Votre brouillon reste sur ce téléphone' })
const title = (page: Page) => page.getByRole('textbox', { name: 'Titre' })

async function begun(device: Device, seller: Person): Promise<Page> {
  const page = await openSignedIn(device, seller.username, '/create-listing')
  await ready(page)
  await settled(page)
  return page
}

async function comeBack(page: Page, seller: Person): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail ou nom d’utilisateur' }).fill(seller.username)
  await page.getByLabel('Mot de passe', { exact: true }).fill('marche2026')
  await page.getByRole('button', { name: 'Se connecter' }).click()
}

test('[S4.06] [S2.38] a session that ends in the wizard loses nothing, neither texts nor photos', async ({
  market,
  device,
}) => {
  const seller = await newSeller(market.url)
  const page = await begun(device, seller)
  await choose(page, 'Véhicules')
  await fillCore(page, 'Toyota Corolla')
  await gallery(page).setInputFiles([await plainJpeg('a.jpg', '#c00000', 300, 200)])
  await expect(photos(page).getByRole('img')).toHaveCount(1)
  await next(page)
  await page.getByLabel(/^Marque/).fill('Toyota')
  await expect.poll(() => keptDrafts(page)).toMatchObject([{ specs: { brand: 'Toyota' } }])

  await seller.ask('DELETE', 'auth/sessions/')
  await expect(lapsed(page)).toBeVisible()
  await page.getByLabel(/^Modèle/).fill('Corolla')
  await page.getByRole('button', { name: 'Retour' }).click()
  await expect(title(page)).toHaveValue('Toyota Corolla')
  await title(page).fill('Toyota Corolla 2012')
  await gallery(page).setInputFiles([await plainJpeg('b.jpg', '#00c000', 400, 200)])
  await expect(photos(page).getByRole('img')).toHaveCount(2)
  await page.goBack()
  await expect(page.getByLabel(/^Modèle/)).toHaveValue('Corolla')
  await page.goForward()
  await expect
    .poll(() => keptDrafts(page))
    .toMatchObject([{ title: 'Toyota Corolla 2012', photos: 2, specs: { model: 'Corolla' } }])

  await lapsed(page).getByRole('link', { name: 'Se connecter' }).click()
  await comeBack(page, seller)
  await expect(title(page)).toHaveValue('Toyota Corolla 2012')
  await expect(photos(page).getByRole('img')).toHaveCount(2)
  await expect(lapsed(page)).toHaveCount(0)
  await next(page)
  await expect(page.getByLabel(/^Modèle/)).toHaveValue('Corolla')
  for (const [label, value] of [
    ['Année', '2012'],
    ['Kilométrage', '120000'],
  ] as const)
    await page.getByLabel(new RegExp(`^${label}`)).fill(value)
  await option(page, 'État', 'Occasion').check()
  await page.getByLabel(/^Carburant/).selectOption('petrol')
  await option(page, 'Boîte de vitesses', 'Manuelle').check()
  await next(page)
  await page.getByRole('button', { name: 'Publier', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Votre annonce est envoyée' })).toBeVisible()
  const [made, ...more] = list(
    await seller.ask('GET', 'profile/my-listings/?status=all'),
    'results',
  )
  expect([text(made, 'title'), more.length]).toEqual(['Toyota Corolla 2012', 0])
  expect(list(await seller.ask('GET', `listings/${text(made, 'id')}/`), 'images')).toHaveLength(2)
})

test('[S4.06] [S8.14] a draft begun after the session ended belongs to its writer, not the next person', async ({
  market,
  device,
}) => {
  const [seller, other] = [await newSeller(market.url), await newSeller(market.url)]
  const page = await begun(device, seller)
  await seller.ask('DELETE', 'auth/sessions/')
  await expect(lapsed(page)).toBeVisible()
  await choose(page, 'Services')
  await fillCore(page, 'Cours de soutien')
  await gallery(page).setInputFiles([await plainJpeg('a.jpg', '#c00000', 300, 200)])
  await expect(photos(page).getByRole('img')).toHaveCount(1)
  await next(page)
  await page.getByRole('button', { name: 'Publier', exact: true }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Échec de l’envoi' })).toContainText(
    'Connexion requise.',
  )
  await expect
    .poll(() => keptDrafts(page))
    .toMatchObject([{ title: 'Cours de soutien', photos: 1 }])

  await lapsed(page).getByRole('link', { name: 'Se connecter' }).click()
  await comeBack(page, other)
  await expect(page.getByText('Étape 1 sur')).toBeVisible()
  await expect(page.locator('[data-draft]')).toHaveCount(0)
  await expect(page.getByText('Cours de soutien')).toHaveCount(0)
  await page.goto(`${device.url}/profile`)
  await ready(page)
  await page.getByRole('button', { name: 'Se déconnecter' }).click()
  await page.waitForURL(`${device.url}/`)
  await signIn(page, device, seller.username, '/create-listing')
  await page.locator('[data-draft]').getByRole('link').click()
  await expect(photos(page).getByRole('img')).toHaveCount(1)
  await page.getByRole('button', { name: 'Publier', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Votre annonce est envoyée' })).toBeVisible()
})
