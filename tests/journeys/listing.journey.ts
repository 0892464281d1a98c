import { admin } from '../support/admin.ts'
import { Person, list, member, text } from '../support/api.ts'
import type { Product } from '../support/product.ts'
import { listed, newSeller } from './listings.ts'
import { controlled, expect, ready, test } from './device.ts'

async function rich(market: Product): Promise<{ readonly id: string; readonly title: string }> {
  const page = await new Person(market.url).ask(
    'GET',
    'listings/?category=vehicles&has_images=true&page_size=50',
  )
  const row = list(page, 'results').find(
    (one) => member(one, 'has_phone') === true && Number(member(one, 'images_count')) >= 3,
  )
  return { id: text(row, 'id'), title: text(row, 'title') }
}

test('[S2.04] [S2.37] a listing: gallery with fullscreen and swipe, specs, seller, tip, similar ones', async ({
  market,
  device,
}) => {
  const { id, title } = await rich(market)
  const page = await device.open(`/listings/${id}`)
  await ready(page)
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect(page.locator(`[data-listing="${id}"]`).first()).toBeVisible()
  await page.getByRole('button', { name: /photo/i }).first().click()
  const gallery = page.getByRole('dialog')
  await expect(gallery).toBeVisible()
  await expect(gallery.locator('img').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(gallery).toBeHidden()
  for (const name of ['Envoyer un message', 'Partager', 'Signaler', 'Afficher le numéro'])
    await expect(page.getByRole('button', { name }).first()).toBeVisible()
  await expect(page.getByRole('heading', { name: /similaires/i })).toBeVisible()
  await expect(page.locator('article[data-listing]').first()).toBeVisible()
})

test('[S2.37] no view and one view are counted in the singular, in both languages', async ({
  market,
  device,
}) => {
  const seller = await newSeller(market.url)
  const [unseen, seen] = [
    await listed(seller, 'Vélo que personne n’a vu'),
    await listed(seller, 'Vélo vu une fois'),
  ]
  await admin(market, 'approve', unseen, seen)
  const visitor = new Person(market.url)
  await visitor.ask('POST', 'events/track/', {
    event_type: 'listing_view',
    listing_id: seen,
    source: 'detail',
    session_id: crypto.randomUUID(),
  })
  await expect
    .poll(async () => member(await visitor.ask('GET', `listings/${seen}/`), 'views_total'))
    .toBe(1)
  const page = await device.open('/icon.svg')
  // This page's own views do not count.
  await device.context.route('**/api/events/track/', (route) => route.fulfill({ status: 204 }))
  await page.goto(`${device.url}/listings/${unseen}`)
  await ready(page)
  await expect(page.getByText('Aucune vue', { exact: true })).toBeVisible()
  await page.goto(`${device.url}/listings/${seen}`)
  await expect(page.getByText('1 vue aujourd’hui', { exact: true })).toBeVisible()
  await page.evaluate(() => localStorage.setItem('appLanguage', 'en'))
  await page.reload()
  await expect(page.getByText('1 view today', { exact: true })).toBeVisible()
})

test('[F06] [S7.21] [S2.37] the phone number loads on demand, with a call and a WhatsApp link', async ({
  market,
  device,
}) => {
  const { id } = await rich(market)
  const page = await device.open(`/listings/${id}`)
  await ready(page)
  await expect(page.locator('a[href^="tel:"]')).toHaveCount(0)
  await page.getByRole('button', { name: 'Afficher le numéro' }).first().click()
  await expect(page.locator('a[href^="tel:+226"]')).toBeFocused()
  await expect(page.locator('a[href^="https://wa.me/226"]').first()).toHaveAttribute(
    'href',
    /text=/,
  )
})

test('[S2.37] closing the full-screen gallery keeps its photo on the page; arrow keys continue from there', async ({
  market,
  desktop,
}) => {
  const { id } = await rich(market)
  const page = await desktop.open(`/listings/${id}`)
  await ready(page)
  const strip = page.getByRole('main').getByRole('group', { name: /^Photo \d+ sur/ })
  const whole = page.getByRole('dialog').getByRole('group', { name: /^Photo \d+ sur/ })
  await page.getByRole('button', { name: 'Agrandir la photo 1' }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Fermer' })).toBeFocused()
  await expect(page.getByRole('dialog')).toHaveCSS('height', '800px')
  await page.keyboard.press('ArrowRight')
  await expect(whole).toHaveAccessibleName(/^Photo 2 sur/)
  await expect(whole.locator(':scope > *').nth(1)).toBeInViewport({ ratio: 0.99 })
  await page.keyboard.press('ArrowRight')
  await expect(whole).toHaveAccessibleName(/^Photo 3 sur/)
  await page.keyboard.press('Escape')
  await expect(strip).toHaveAccessibleName(/^Photo 3 sur/)
  await expect(strip.locator(':scope > *').nth(2)).toBeInViewport({ ratio: 0.6 })
  await expect(page.getByRole('button', { name: 'Agrandir la photo 3' })).toBeFocused()
  await page.getByRole('button', { name: 'Photo précédente' }).click()
  await expect(strip).toHaveAccessibleName(/^Photo 2 sur/)
  await expect(strip.locator(':scope > *').nth(1)).toBeInViewport({ ratio: 0.6 })
  await page.getByRole('button', { name: 'Agrandir la photo 2' }).click()
  await expect(whole.locator(':scope > *').nth(1)).toBeInViewport({ ratio: 0.99 })
})

test('[S2.13] [S7.26] a visitor saves a listing, and /saved shows it', async ({
  market,
  device,
}) => {
  const { id } = await rich(market)
  const page = await device.open(`/listings/${id}`)
  await ready(page)
  const heart = page
    .locator(`[data-listing="${id}"]`)
    .first()
    .getByRole('button', { name: 'Enregistrer' })
    .first()
  await heart.click()
  await expect(heart).toHaveAttribute('aria-pressed', 'true')
  await page.goto(`${device.url}/saved`)
  await expect(page.locator(`article[data-listing="${id}"]`)).toBeVisible()
})

test('[S8.12] an unknown listing shows an error', async ({ device }) => {
  const page = await device.open('/listings/0197c3f2-6a10-7c31-9d0e-000000000000')
  await expect(page.getByText('Annonce introuvable.')).toBeVisible()
})

const long = 'a'.repeat(500)
for (const [what, path, text] of [
  ['a listing by an id that none can have', '/listings/abc%20def', 'Annonce introuvable.'],
  ['a listing by an id without an end', `/listings/${long}`, 'Annonce introuvable.'],
  ['a shop by a name that none can have', '/shop/%F0%9F%98%80', 'Boutique introuvable.'],
  ['a search of 500 letters', `/listings?search=${long}`, 'Aucune annonce ne correspond.'],
  ['a town that is none', `/listings?town=${long}`, 'Aucune annonce ne correspond.'],
] as const) {
  test(`[S8.12] ${what}, at a first visit and in the app, explains its state`, async ({
    device,
  }) => {
    const page = await device.open(path)
    await ready(page)
    await expect(page.getByText(text)).toBeVisible()
    await page.goto(`${device.url}/`)
    await controlled(page)
    await page.goto(device.url + path)
    await ready(page)
    await expect(page.getByText(text)).toBeVisible()
  })
}

test('[F04] [S2.37] low-data mode loads a photo only after a tap', async ({ market, device }) => {
  const { id } = await rich(market)
  const page = await device.open('/settings')
  await ready(page)
  await page
    .getByRole('switch', { name: /données/i })
    .first()
    .click()
  const photos: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/media/images/')) photos.push(request.url())
  })
  await page.goto(`${device.url}/listings/${id}`)
  await ready(page)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(photos).toEqual([])
  await page
    .getByRole('button', { name: /Afficher la photo/ })
    .first()
    .click()
  await expect.poll(() => photos.length).toBeGreaterThan(0)
})

test('[S8.12] [S2.37] a listing deleted while it is open disappears once the server reports it', async ({
  market,
  device,
}) => {
  const seller = await newSeller(market.url)
  const id = await listed(seller, 'Vélo bientôt parti', { contact_phone: '70112233' })
  await admin(market, 'approve', id)
  const page = await device.open(`/listings/${id}`)
  await ready(page)
  const number = page.getByRole('button', { name: 'Afficher le numéro' })
  await expect(number).toBeVisible()
  await seller.ask('DELETE', `listings/${id}/`)
  const gone = expect(
    page.getByRole('main').getByRole('heading', { name: 'Annonce introuvable.' }),
  ).toBeVisible()
  // Another call of the page may have removed the listing before the tap.
  await Promise.race([number.click(), gone])
  await gone
  await expect(number).toHaveCount(0)
})
