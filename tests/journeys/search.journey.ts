import type { Page } from '@playwright/test'
import { admin } from '../support/admin.ts'
import { list, Person, text } from '../support/api.ts'
import { talk } from '../support/conversation.ts'
import { expect, holds, openSignedIn, ready, settled, test } from './device.ts'
import { listed, newSeller } from './listings.ts'
import { toasted } from './toasts.ts'

const cards = (page: Page) => page.locator('article[data-listing]')
const box = (page: Page) => page.getByRole('searchbox', { name: 'Rechercher une annonce' })

test('[S13.50] a word is suggested within its category, and the choice searches it there', async ({
  device,
}) => {
  const page = await device.open('/')
  await ready(page)
  await box(page).pressSequentially('redm')
  await page.getByRole('option', { name: 'redmi dans Téléphones' }).click()
  await expect(page).toHaveURL(`${device.url}/listings?category=mobile-tablet&search=redmi`)
  await expect(page.getByRole('button', { name: 'Retirer le filtre dans Téléphones' })).toHaveText(
    'dans Téléphones',
  )
  await expect(cards(page).first()).toContainText(/redmi/i)
})

test('[S13.50] the suggestions take the keys: down, Enter', async ({ desktop }) => {
  const page = await desktop.open('/')
  await ready(page)
  await box(page).pressSequentially('moto')
  await expect(page.getByRole('option', { name: 'moto dans Motos' })).toBeVisible()
  await box(page).press('ArrowDown')
  const option = page.getByRole('option', { name: 'moto dans Motos', selected: true })
  await expect(box(page)).toHaveAttribute(
    'aria-activedescendant',
    (await option.getAttribute('id')) ?? '',
  )
  await box(page).press('Enter')
  await expect(page).toHaveURL(`${desktop.url}/listings?category=motos&search=moto`)
})

test('[S13.51] a typing error is corrected, which the list says, and can be searched all the same', async ({
  device,
}) => {
  const page = await device.open('/')
  await ready(page)
  await box(page).fill('samsoung')
  await box(page).press('Enter')
  await expect(page.getByText(/^Résultats pour «\ssamsung\s»\./)).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^«\ssamsung\s»$/)
  await expect(cards(page).first()).toContainText(/samsung/i)
  await page.getByRole('link', { name: /^Chercher «\ssamsoung\s»$/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^«\ssamsoung\s»$/)
  await expect(page.getByText('Aucune annonce ne correspond.')).toBeVisible()
  await expect(page.getByText('Vouliez-vous dire')).toBeVisible()
  await expect(cards(page)).toHaveCount(0)
})

test('[S13.50] [S13.51] without a network the listings of the device suggest and correct', async ({
  device,
}) => {
  const page = await device.open('/listings?search=samsung')
  await ready(page)
  await settled(page)
  await holds(page, 'listings', 10)
  device.proxy.set('cut')
  await page.goto(`${device.url}/`)
  await ready(page)
  await expect(page.locator('html')).toHaveAttribute('data-network', 'offline')
  await box(page).pressSequentially('samsoun')
  await page.getByRole('option', { name: 'samsung dans Téléphones' }).click()
  await expect(cards(page).first()).toContainText(/samsung/i)
  await box(page).fill('samsoung')
  await box(page).press('Enter')
  await expect(page.getByText(/^Résultats pour «\ssamsung\s»\./)).toBeVisible()
  await expect(cards(page).first()).toContainText(/samsung/i)
})

test('[S13.53] lists begin with the categories while none is chosen, and leave the first photos in sight', async ({
  device,
}) => {
  const page = await device.open('/listings')
  await ready(page)
  const tiles = page.getByRole('main').getByRole('navigation', { name: 'Catégories' })
  await expect(cards(page).first().getByRole('heading')).toBeInViewport({ ratio: 1 })
  await tiles.getByRole('link', { name: 'Motos' }).click()
  await expect(page).toHaveURL(`${device.url}/listings?category=motos`)
  await expect(tiles).toHaveCount(0)
  await expect(cards(page).first().getByRole('heading')).toBeInViewport({ ratio: 1 })
})

test('[S13.54] a used phone under 100,000 in Ouagadougou is five taps from home', async ({
  device,
}) => {
  const page = await device.open('/')
  await ready(page)
  let taps = 0
  const tap = async (role: 'link' | 'button', name: string): Promise<void> => {
    await page.getByRole('main').getByRole(role, { name, exact: true }).first().click()
    taps += 1
  }
  await tap('link', 'Téléphones')
  await tap('button', 'Ouagadougou')
  await tap('button', 'Occasion')
  await tap('button', 'Jusqu’à 100 000 F CFA')
  await expect(page).toHaveURL(
    `${device.url}/listings?category=mobile-tablet&town=ouagadougou&condition=used&price_max=100000`,
  )
  await expect(page.locator('[data-coverage="covered"] article').first()).toBeVisible()
  expect(taps).toBeLessThanOrEqual(5)
  await tap('button', 'Retirer le filtre Occasion')
  await expect(page.getByRole('button', { name: 'Occasion', exact: true })).toBeFocused()
  await expect(page).not.toHaveURL(/condition/)
})

test('[S13.55] a wide window has the filters beside the list, and a choice changes it at once', async ({
  desktop,
}) => {
  const page = await desktop.open('/listings?category=mobile-tablet')
  await ready(page)
  const column = page.getByRole('complementary', { name: 'Filtres' })
  // Its state follows the address.
  await column.getByRole('checkbox', { name: /^Occasion/ }).click()
  await expect(page).toHaveURL(/condition=used/)
  await expect(column.getByRole('checkbox', { name: /^Occasion/ })).toBeChecked()
  await column.getByRole('textbox', { name: 'Maximum' }).first().pressSequentially('90000')
  await expect(page).toHaveURL(/price_max=90000/)
  await expect(column.getByRole('textbox', { name: 'Maximum' }).first()).toBeFocused()
  await page.getByRole('button', { name: /^Retirer le filtre Jusqu’à/ }).click()
  await expect(column.getByRole('textbox', { name: 'Maximum' }).first()).toHaveValue('')
  await expect(page.getByRole('button', { name: /^Filtrer/ })).toBeHidden()
})

test('[S13.56] j and k go from card to card, and Enter opens one', async ({ desktop }) => {
  const page = await desktop.open('/listings')
  await ready(page)
  const links = page.locator('article[data-listing] > a')
  await expect(page.getByRole('complementary', { name: 'Filtres' })).toBeVisible()
  for (const [key, at] of [
    ['j', 0],
    ['j', 1],
    ['j', 2],
    ['k', 1],
  ] as const) {
    await page.keyboard.press(key)
    await expect(links.nth(at)).toBeFocused()
  }
  const title = await cards(page).nth(1).getByRole('heading').innerText()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await page.goBack()
  await box(page).click()
  await page.keyboard.type('jk')
  await expect(box(page)).toHaveValue('jk')
})

test('[S13.56] j and k also go through favourites and conversations', async ({
  market,
  desktop,
}) => {
  const { buyer, listing } = await talk(market)
  await buyer.ask('POST', 'favorites/', { listing_id: listing })
  const page = await openSignedIn(desktop, buyer.username, '/saved')
  const saved = page.locator('article[data-listing] > a')
  await expect(saved).toHaveCount(1)
  await ready(page)
  await page.keyboard.press('j')
  await expect(saved).toBeFocused()
  await page.goto(`${desktop.url}/messages`)
  const row = page.locator('a[data-conversation]')
  await expect(row).toHaveCount(1)
  await ready(page)
  await page.keyboard.press('j')
  await expect(row).toBeFocused()
})

test('[S13.57] an empty result offers to save the search, then to widen it', async ({
  market,
  device,
}) => {
  const me = await new Person(market.url).register(`vide${Date.now() % 1e7}`)
  const page = await openSignedIn(
    device,
    me.username,
    '/listings?category=motos&price_max=1000&region=kadiogo',
  )
  const main = page.getByRole('main')
  const save = main.getByRole('button', { name: 'Enregistrer la recherche' }).last()
  await save.click()
  await toasted(page, 'Recherche enregistrée dans vos favoris.')
  await expect(save).toHaveAttribute('aria-pressed', 'true')
  const held = async () => list(await me.ask('GET', 'saved-searches/'), 'results').length
  await expect.poll(held).toBe(1)
  await page.reload()
  await expect(save).toHaveAttribute('aria-pressed', 'true')
  await save.click()
  await expect(save).toHaveAttribute('aria-pressed', 'false')
  await expect.poll(held).toBe(0)
  const wider = main.getByRole('group', { name: 'Élargir la recherche' })
  await expect(wider.getByText(/^Sans «.Jusqu’à 1.000.F.CFA.» \(\d+\)$/)).toBeVisible()
  await wider.getByRole('button', { name: /^Sans «.Jusqu’à/ }).click()
  await expect(page).toHaveURL(/listings\?category=motos&region=kadiogo$/)
  await expect(cards(page).first()).toBeVisible()
})

test('[S13.58] saved searches are renamed, and show one that the limit of twenty refused', async ({
  market,
  device,
}) => {
  const me = await new Person(market.url).register(`vingt${Date.now() % 1e7}`)
  const save = (name: string, params: object) => me.ask('POST', 'saved-searches/', { name, params })
  for (let at = 1; at <= 19; at += 1) await save(`N${at}`, { price_min: at })
  const page = await openSignedIn(device, me.username, '/saved')
  const kept = page.getByRole('region', { name: 'Recherches enregistrées' })
  await kept.getByRole('button', { name: 'Renommer la recherche N19', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Renommer la recherche' })
  await dialog.getByRole('textbox').fill('Dix-neuf')
  await dialog.getByRole('button', { name: 'Enregistrer' }).click()
  await expect(kept.getByRole('link', { name: 'Dix-neuf' })).toBeVisible()
  await expect
    .poll(async () =>
      list(await me.ask('GET', 'saved-searches/'), 'results').map((one) => text(one, 'name')),
    )
    .toContain('Dix-neuf')
  await save('N20', { category: 'jobs' })
  await page.goto(`${device.url}/listings?category=services`)
  await page.getByRole('button', { name: 'Enregistrer la recherche' }).click()
  await toasted(page, 'Recherche enregistrée dans vos favoris.')
  await page.goto(`${device.url}/saved`)
  const refused = kept.getByRole('listitem').filter({ has: page.getByRole('alert') })
  await expect(refused).toContainText('Services')
  await refused.getByRole('button', { name: /^Supprimer/ }).click()
  await expect(refused).toHaveCount(0)
})

test('[S13.58] a saved search shows how many listings are new, until it is opened', async ({
  market,
  device,
}) => {
  const me = await new Person(market.url).register(`neuf${Date.now() % 1e7}`)
  const search = `vélocarton${Date.now() % 1e6}`
  await me.ask('POST', 'saved-searches/', { name: 'Vélos', params: { search } })
  const seller = await newSeller(market.url)
  for (const colour of ['rouge', 'vert'])
    await admin(market, 'approve', await listed(seller, `${search} ${colour}`))
  const page = await openSignedIn(device, me.username, '/saved')
  const link = page
    .getByRole('region', { name: 'Recherches enregistrées' })
    .getByRole('link', { name: /^Vélos/ })
  await expect(link).toContainText('2 nouvelles annonces')
  await link.click()
  await expect(cards(page)).toHaveCount(2)
  await page.goBack()
  await expect(link).toHaveText('Vélos')
})
