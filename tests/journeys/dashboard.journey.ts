import type { Page } from '@playwright/test'
import { admin } from '../support/admin.ts'
import { list, member, Person, text } from '../support/api.ts'
import { faultless } from './faultless.ts'
import { listed, newSeller } from './listings.ts'
import { expect, holds, openSignedIn, ready, settled, signIn, test } from './device.ts'
import { choose } from '../support/wizard.ts'
import { toasted } from './toasts.ts'

const card = (page: Page, id: string) => page.locator(`article[data-listing="${id}"]`)

test('[S2.39] [S2.40] [S3.02] the dashboard shows results and tasks of the listings, also without a network', async ({
  market,
  device,
}) => {
  const seller = await newSeller(market.url)
  const [refused, shown, archived] = [
    await listed(seller, 'Radio refusée'),
    await listed(seller, 'Vélo en ligne'),
    await listed(seller, 'Lit archivé'),
  ]
  await admin(market, 'reject', refused, '--reason', 'Il manque une photo.')
  await admin(market, 'approve', shown, archived)
  await seller.ask('POST', `listings/${archived}/quick-toggle/`, {
    action: 'archived',
    desired: true,
  })
  const buyer = await new Person(market.url).signIn('acheteur')
  await buyer.ask('POST', 'conversations/start/', {
    listing_id: shown,
    content: 'Bonjour, il est encore là ?',
  })
  await buyer.ask('POST', `listings/${shown}/contacted/`, { channel: 'phone' })

  const page = await openSignedIn(device, seller.username, '/dashboard')
  await ready(page)
  const overview = page.getByRole('region', { name: 'Aperçu' })
  await expect(overview.getByText('Contacts')).toBeVisible()
  await expect(overview).toContainText('1 message non lu')
  await expect(overview).toContainText('Radio refusée : refusée')
  await expect(page.getByText('non vérifié')).toBeVisible()
  await page.getByRole('textbox', { name: 'Nom de boutique' }).fill('Chez Awa')
  await page.getByRole('textbox', { name: 'Présentation' }).fill('Du neuf et de l’occasion.')
  await page.getByRole('button', { name: 'Enregistrer', exact: true }).click()
  await expect
    .poll(async () => member(await seller.ask('GET', 'auth/me/'), 'shop_name'))
    .toBe('Chez Awa')
  await faultless(page)

  await page.getByRole('link', { name: 'Publier une annonce' }).first().click()
  await choose(page, 'Emplois')
  await page.getByRole('textbox', { name: 'Titre' }).fill('Cherche vendeuse')
  // A link of the app waits until the typed text is stored.
  await page
    .getByRole('navigation', { name: 'Navigation principale' })
    .getByRole('link', { name: /^Profil/ })
    .click()
  await expect(page.locator('[data-draft]')).toContainText('Cherche vendeuse')
  await page.goto(`${device.url}/profile?tab=listings`)
  await ready(page)
  await expect(card(page, shown)).toBeVisible()
  await holds(page, 'ownListings', 3)
  await settled(page)

  device.proxy.set('cut')
  await page.reload()
  await ready(page)
  await expect(page.locator('[data-draft]')).toContainText('Cherche vendeuse')
  await expect(card(page, shown)).toBeVisible()
  await expect(card(page, archived)).toHaveCount(0)
  await expect(card(page, refused)).toContainText('Il manque une photo.')
  await page.getByRole('button', { name: 'Archivées' }).click()
  await expect(card(page, archived)).toContainText('Archivée')
  await expect(card(page, shown)).toHaveCount(0)
  await page.getByRole('button', { name: 'Toutes' }).click()
  await expect(page.getByRole('main').getByRole('article')).toHaveCount(3)
  await card(page, shown).getByRole('button', { name: 'Marquer vendue' }).click()
  await expect(card(page, shown)).toContainText('Vendu')

  await page.goto(`${device.url}/dashboard`)
  await ready(page)
  await expect(overview).toContainText('1 envoi attend le réseau')
  await expect(overview).toContainText('1 message non lu')
  await expect(page.locator('[data-draft]')).toContainText('Cherche vendeuse')
  await expect(page.getByRole('textbox', { name: 'Nom de boutique' })).toHaveValue('Chez Awa')
  await faultless(page)
  await overview.getByRole('link', { name: 'Corriger' }).click()
  await expect(page.getByRole('textbox', { name: 'Titre' })).toHaveValue('Radio refusée')
})

test('[F10] [S2.39] a listing that is about to expire is renewed from the overview in one tap', async ({
  market,
  device,
}) => {
  const seller = await newSeller(market.url)
  const id = await listed(seller, 'Bientôt finie')
  await admin(market, 'approve', id)
  const page = await device.open('/')
  // Set the device's clock near the listing's expiry.
  await page.clock.setFixedTime(Date.now() + 58 * 86_400_000)
  await signIn(page, device, seller.username, '/profile')
  const row = page
    .getByRole('region', { name: 'Aperçu' })
    .getByRole('listitem')
    .filter({ hasText: 'Bientôt finie' })
  await expect(row).toContainText(/expire/)
  const end = async () => Date.parse(text(await seller.ask('GET', `listings/${id}/`), 'expires_at'))
  const before = await end()
  await row.getByRole('button', { name: 'Prolonger' }).click()
  await expect.poll(end).toBeGreaterThan(before)
  await expect(row).toHaveCount(0)
})

test('[S2.41] a shop shows its sold listings, and its seller can be blocked there without a network', async ({
  market,
  device,
}) => {
  const seller = await newSeller(market.url)
  const id = await listed(seller, 'Lampe vendue')
  await admin(market, 'approve', id)
  await seller.ask('POST', `listings/${id}/quick-toggle/`, { action: 'sold', desired: true })
  const buyer = await newSeller(market.url)
  const page = await openSignedIn(device, buyer.username, `/shop/${seller.username}`)
  await page.getByRole('button', { name: 'Vendues' }).click()
  await expect(card(page, id)).toContainText('Vendu')
  await faultless(page)
  await settled(page)
  device.proxy.set('cut')
  await page.getByRole('button', { name: `Actions pour ${seller.username}` }).click()
  await page.getByRole('menuitem', { name: 'Bloquer' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Bloquer' }).click()
  await toasted(page, 'Personne bloquée.')
  device.proxy.set('pass')
  await expect
    .poll(async () =>
      list(await buyer.ask('GET', 'blocks/'), 'results').map((one) => text(one, 'id')),
    )
    .toEqual([seller.id])
  await page.getByRole('button', { name: `Actions pour ${seller.username}` }).click()
  await expect(page.getByRole('menuitem', { name: 'Débloquer' })).toBeVisible()
})

test('[S4.01] [S4.02] a moderator’s decision shows at once, and a deleted listing is gone everywhere', async ({
  market,
  device,
}) => {
  const seller = await newSeller(market.url)
  const [kept, sold] = [await listed(seller, 'Radio à piles'), await listed(seller, 'Lit en fer')]
  const page = await openSignedIn(device, seller.username, '/profile?tab=listings')
  await ready(page)
  await expect(card(page, kept)).toContainText('En attente de validation')
  await settled(page)
  // The list refreshes by itself a minute after it was read.
  await page.reload()
  await ready(page)
  await expect(card(page, kept)).toContainText('En attente de validation')
  await admin(market, 'approve', kept, sold)
  await expect(card(page, kept)).toContainText('En ligne', { timeout: 45_000 })

  const gone = page.getByText('Annonce introuvable')
  const open = async (): Promise<void> => {
    await page.goto(`${device.url}/listings/${sold}`)
    await ready(page)
  }
  await open()
  await expect(page.getByRole('heading', { name: 'Lit en fer' })).toBeVisible()
  await page.goto(`${device.url}/profile?tab=listings`)
  device.proxy.set('cut')
  await card(page, sold)
    .getByRole('button', { name: /^Actions pour/ })
    .click()
  await page.getByRole('menuitem', { name: 'Supprimer' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click()
  await expect(card(page, sold)).toHaveCount(0)
  await open()
  await expect(gone).toBeVisible()
  device.proxy.set('pass')
  await expect
    .poll(() => seller.ask('GET', `listings/${sold}/`).catch(String))
    .toContain('listing_not_found')
  await open()
  await expect(gone).toBeVisible()
})
