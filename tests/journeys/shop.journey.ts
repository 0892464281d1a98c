import type { Page } from '@playwright/test'
import { list, member, Person, text } from '../support/api.ts'
import { faultless } from './faultless.ts'
import { expect, type Device, ready, settled, openSignedIn, signIn, test } from './device.ts'

const follow = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Suivre' })
const card = (page: Page, id: string) => page.locator(`article[data-listing="${id}"]`)

async function ofSeller(
  url: string,
): Promise<{ readonly seller: Person; readonly listing: string; readonly slug: string }> {
  const seller = await new Person(url).signIn('vendeur')
  const [first] = list(
    await seller.ask('GET', `listings/?seller=${seller.id}&page_size=1`),
    'results',
  )
  return { seller, listing: text(first, 'id'), slug: text(member(first, 'seller'), 'slug') }
}

async function reloaded(page: Page): Promise<void> {
  await page.reload()
  await ready(page)
}

test('[S2.41] a shop opens from a listing, is followed offline, and stays readable offline', async ({
  market,
  device,
}) => {
  const { seller, listing, slug } = await ofSeller(market.url)
  const buyer = await new Person(market.url).register(`abonne${Date.now() % 1e7}`)
  const page = await openSignedIn(device, buyer.username, `/listings/${listing}`)
  await page.getByRole('region', { name: 'Vendeur' }).getByRole('link').click()
  await expect(page).toHaveURL(`${device.url}/shop/${slug}`)
  const cards = page.getByRole('region', { name: 'Annonces' }).getByRole('article')
  await expect(cards.first()).toBeVisible()
  await faultless(page)
  await settled(page)

  device.proxy.set('cut')
  await expect(follow(page)).toHaveAttribute('aria-pressed', 'false')
  await follow(page).click()
  await expect(follow(page)).toHaveAttribute('aria-pressed', 'true')
  await reloaded(page)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(cards.first()).toBeVisible()
  await expect(follow(page)).toHaveAttribute('aria-pressed', 'true')

  device.proxy.set('pass')
  await expect
    .poll(async () => member(await buyer.ask('GET', `follow/${seller.id}/status/`), 'following'))
    .toBe(true)
  await reloaded(page)
  await expect(follow(page)).toHaveAttribute('aria-pressed', 'true')
})

test('[S2.09] [S2.41] a visitor sorts a shop, and returns to it after signing in; an unknown shop shows so', async ({
  market,
  desktop,
}) => {
  const { slug } = await ofSeller(market.url)
  const page = await desktop.open(`/shop/${slug}`)
  await ready(page)
  await page.getByRole('combobox', { name: 'Trier' }).selectOption('price')
  await expect(page).toHaveURL(`${desktop.url}/shop/${slug}?ordering=price`)
  const cheapest = list(
    await new Person(market.url).ask('GET', `shops/${slug}/listings/?ordering=price`),
    'results',
  )
  await expect(
    page.getByRole('region', { name: 'Annonces' }).getByRole('article').first(),
  ).toHaveAttribute('data-listing', text(cheapest[0], 'id'))
  await follow(page).click()
  await expect(page).toHaveURL(
    ({ pathname, searchParams }) =>
      pathname === '/auth' && searchParams.get('next') === `/shop/${slug}?ordering=price`,
  )
  await page.goto(`${desktop.url}/shop/personne-ici`)
  await expect(page.getByRole('heading', { name: 'Boutique introuvable.' })).toBeVisible()
  await faultless(page)
})

async function myListings(device: Device): Promise<Page> {
  const page = await openSignedIn(device, 'vendeur', '/profile?tab=listings')
  await expect(page.getByRole('main').getByRole('article').first()).toBeVisible()
  return page
}

test('[S2.39] [S4.02] an own listing is marked sold offline, and is sold once online', async ({
  market,
  device,
}) => {
  const { seller, listing } = await ofSeller(market.url)
  const page = await myListings(device)
  await faultless(page)
  await settled(page)
  const state = async () => text(await seller.ask('GET', `listings/${listing}/`), 'status')

  device.proxy.set('cut')
  const own = card(page, listing)
  await own.getByRole('button', { name: 'Marquer vendue' }).click()
  await expect(own).toContainText('Vendu')
  await expect(own).toContainText('En attente d’envoi')
  await reloaded(page)
  await expect(own).toContainText('Vendu')
  await expect(own.getByRole('button', { name: 'Remettre en vente' })).toBeVisible()
  expect(await state()).toBe('active')

  device.proxy.set('pass')
  await expect.poll(state).toBe('sold')
  await expect(own).not.toContainText('En attente d’envoi')
  await own.getByRole('button', { name: 'Remettre en vente' }).click()
  await expect.poll(state).toBe('active')
})

test('[S4.02] opposite taps leave nothing to send, archived ones have their own list, and deleting asks first', async ({
  market,
  desktop,
}) => {
  const seller = await new Person(market.url).signIn('vendeur')
  const [first = '', second = ''] = list(
    await seller.ask('GET', `listings/?seller=${seller.id}&page_size=10&ordering=posted_at`),
    'results',
  ).map((row) => text(row, 'id'))
  const page = await myListings(desktop)
  await settled(page)
  const menu = async (id: string, action: string) => {
    await card(page, id)
      .getByRole('button', { name: /^Actions pour/ })
      .click()
    await page.getByRole('menuitem', { name: action }).click()
  }

  desktop.proxy.set('cut')
  await menu(first, 'Archiver')
  await expect(card(page, first)).toHaveCount(0)
  // Attempted commands may have arrived: taps cancel out only once the app is offline.
  await expect(page.locator('html')).toHaveAttribute('data-network', 'offline')
  await menu(second, 'Marquer réservée')
  await expect(card(page, second)).toContainText('Réservé')
  await expect(card(page, second)).toContainText('En attente d’envoi')
  await menu(second, 'Plus réservée')
  await expect(card(page, second)).toContainText('En ligne')
  await expect(card(page, second)).not.toContainText('En attente d’envoi')

  await page.getByRole('button', { name: 'Archivées' }).click()
  await expect(card(page, first)).toContainText('Archivée')
  await page.getByRole('button', { name: 'Toutes' }).click()
  await menu(second, 'Supprimer')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click()
  await expect(card(page, second)).toHaveCount(0)

  desktop.proxy.set('pass')
  await expect
    .poll(async () => text(await seller.ask('GET', `listings/${first}/`), 'status'))
    .toBe('archived')
  await expect.poll(() => seller.ask('GET', `listings/${second}/`).catch(String)).toContain('404')
})

test('[S2.08] /shop is the own shop, and /dashboard shows the profile [D07]', async ({
  market,
  device,
}) => {
  const { slug } = await ofSeller(market.url)
  const page = await openSignedIn(device, 'vendeur', '/dashboard')
  await expect(page.getByRole('heading', { level: 1, name: 'Profil' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Ma boutique' }).click()
  await expect(page).toHaveURL(`${device.url}/shop/${slug}`)
  await expect(follow(page)).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Modifier le profil' })).toBeVisible()
})

test('[S2.39] [S2.40] late numbers do not move anything on the profile', async ({
  market,
  device,
}) => {
  // A new account has nothing waiting.
  const name = `neuf${Date.now() % 1e8}`
  await new Person(market.url).register(name)
  const page = await device.open('/')
  let answer = (): void => undefined
  const held = new Promise<void>((resolve) => (answer = resolve))
  await device.context.route(/\/api\/profile\/my-listings\//, async (route) => {
    await held
    await route.continue()
  })
  await signIn(page, device, name, '/profile')
  await expect(page.getByText(`@${name}`)).toBeVisible()
  // Measured from the heading: the network line may push the whole page.
  const down = (): Promise<number> =>
    page.evaluate(
      () =>
        (document.querySelector('main a[href="/saved"]')?.getBoundingClientRect().y ?? 0) -
        (document.querySelector('h1')?.getBoundingClientRect().y ?? 0),
    )
  const before = await down()
  answer()
  await expect(page.getByRole('definition').first()).toHaveText(/\d/)
  await expect(page.getByText('Tout est à jour.')).toBeVisible()
  expect(await down()).toBe(before)
})
