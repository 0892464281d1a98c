import type { Locator, Page } from '@playwright/test'
import { admin } from '../support/admin.ts'
import { list, member, Person, text } from '../support/api.ts'
import type { Product } from '../support/product.ts'
import { type Device, expect, openSignedIn, ready, test } from './device.ts'
import { listed, newSeller } from './listings.ts'

interface Offer {
  readonly id: string
  readonly title: string
}

async function offered(market: Product): Promise<Offer> {
  const seller = await newSeller(market.url)
  const title = `Vélo à ${seller.username}`
  const id = await listed(seller, title, { contact_phone: '70112233' })
  await admin(market, 'approve', id)
  return { id, title }
}

/** Counts taps. */
class Finger {
  taps = 0
  async tap(what: Locator): Promise<void> {
    this.taps += 1
    await what.tap()
  }
}

async function inList(device: Device, { id, title }: Offer): Promise<readonly [Page, Locator]> {
  const page = await device.open(`/listings?search=${encodeURIComponent(title)}`)
  await ready(page)
  return [page, page.locator(`article[data-listing="${id}"] a`)]
}

/** Addresses outside of the app that the page asks the browser to open. */
async function opened(page: Page): Promise<() => readonly string[]> {
  const addresses: string[] = []
  const client = await page.context().newCDPSession(page)
  await client.send('Page.enable')
  client.on('Page.frameRequestedNavigation', ({ url }) => addresses.push(url))
  return () => addresses
}

test('[S13.22] [F06] a call takes two taps from a list: the listing, its number', async ({
  market,
  device,
}) => {
  const offer = await offered(market)
  const [page, card] = await inList(device, offer)
  const addresses = await opened(page)
  const finger = new Finger()
  await finger.tap(card)
  await finger.tap(page.getByRole('button', { name: 'Afficher le numéro' }))
  await expect.poll(addresses).toContain('tel:+22670112233')
  expect(finger.taps).toBe(2)
  // For those whom the dialler does not serve.
  await expect(page.locator('strong', { hasText: '+226 70 11 22 33' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Appeler le +226 70 11 22 33' })).toBeFocused()
})

test('[S13.22] [F06] [S7.21] WhatsApp takes two taps from a list, and is counted as one contact', async ({
  market,
  device,
}) => {
  const offer = await offered(market)
  const [page, card] = await inList(device, offer)
  await device.context.route('https://wa.me/**', (route) => route.fulfill({ body: 'WhatsApp' }))
  const counted: unknown[] = []
  page.on('request', (request) => {
    if (request.url().endsWith(`${offer.id}/contacted/`)) counted.push(request.postDataJSON())
  })
  const finger = new Finger()
  const outside = device.context.waitForEvent('page')
  await finger.tap(card)
  await finger.tap(page.getByRole('button', { name: 'WhatsApp' }))
  const opening = await outside
  await opening.waitForURL('https://wa.me/**')
  const chat = new URL(opening.url())
  expect(chat.host + chat.pathname).toBe('wa.me/22670112233')
  expect(chat.searchParams.get('text')).toContain(offer.title)
  expect(finger.taps).toBe(2)
  await expect.poll(() => counted).toEqual([{ channel: 'whatsapp' }])
})

test('[S13.22] writing to a seller takes three taps from a list: the listing, a question, send', async ({
  market,
  device,
}) => {
  const offer = await offered(market)
  const buyer = await newSeller(market.url)
  await (await openSignedIn(device, buyer.username)).close()
  const [page, card] = await inList(device, offer)
  const finger = new Finger()
  await finger.tap(card)
  await finger.tap(page.getByRole('button', { name: /toujours disponible/ }))
  await finger.tap(page.getByRole('button', { name: 'Envoyer', exact: true }))
  await expect(page.locator('[data-message]').filter({ hasText: 'disponible' })).toHaveAttribute(
    'data-state',
    'sent',
  )
  expect(finger.taps).toBe(3)
})

for (const [width, size] of [
  [360, '100%'],
  [320, '100%'],
  [320, '200%'],
] as const) {
  test(`[S13.22] the ways to make contact are one line at ${width} px with text of ${size}`, async ({
    market,
    device,
  }) => {
    const { id } = await offered(market)
    const page = await device.open(`/listings/${id}`)
    await page.setViewportSize({ width, height: 640 })
    await page.evaluate((text) => (document.documentElement.style.fontSize = text), size)
    const ways = ['Afficher le numéro', 'WhatsApp', 'Envoyer un message'].map((name) =>
      page.getByRole('main').getByRole('button', { name }),
    )
    for (const way of ways) await expect(way).toBeInViewport({ ratio: 1 })
    // The bar may move while the page loads.
    await expect(async () => {
      const boxes = await Promise.all(ways.map((way) => way.boundingBox()))
      expect(new Set(boxes.map((box) => box?.y)).size).toBe(1)
      for (const box of boxes) {
        expect(box?.height).toBeLessThanOrEqual(48)
        expect(box?.width).toBeGreaterThanOrEqual(44)
      }
    }).toPass()
  })
}

test('[S13.20] on a phone the photo is at the top of the screen, under back, heart and share', async ({
  market,
  device,
}) => {
  const { id } = await offered(market)
  const page = await device.open('/listings?category=fashion')
  await ready(page)
  await page
    .locator('article[data-listing]', { has: page.locator('img') })
    .first()
    .getByRole('link')
    .first()
    .tap()
  const actions = page.getByRole('main').getByRole('group', { name: 'Actions' })
  await expect(actions.getByRole('button', { name: 'Enregistrer' })).toBeInViewport({ ratio: 1 })
  await expect(actions.getByRole('button', { name: 'Partager' })).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('banner')).toBeHidden()
  const photo = page.getByRole('group', { name: /^Photo 1 sur/ })
  await expect.poll(async () => (await photo.boundingBox())?.y).toBe(0)
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  await expect(actions.getByRole('link', { name: 'Retour' })).toBeInViewport({ ratio: 1 })
  await actions.getByRole('link', { name: 'Retour' }).tap()
  await expect(page).toHaveURL(`${device.url}/listings?category=fashion`)
  await expect(page.getByRole('searchbox', { name: 'Rechercher une annonce' })).toBeVisible()

  // A visit that begins with a listing goes back to the list.
  const first = await device.open(`/listings/${id}`)
  await ready(first)
  await first.getByRole('link', { name: 'Retour' }).tap()
  await expect(first).toHaveURL(`${device.url}/listings`)
})

test('[S13.21] a long description and a long table are folded on a phone, and whole on a wide screen', async ({
  market,
  device,
  desktop,
}) => {
  const seller = await newSeller(market.url)
  const last = 'Dernière ligne du texte.'
  const id = await listed(seller, 'Téléphone au long texte', {
    category: 'mobile-tablet',
    description: `${'Une ligne qui décrit le téléphone avec soin.\n'.repeat(14)}${last}`,
    specs: {
      device_type: 'phone',
      brand: 'Tecno',
      model: 'Spark 10',
      condition: 'used',
      internal_storage: '128gb',
      ram: '8gb',
      color: 'noir',
      screen_size: '6.6',
      battery: 5000,
    },
  })
  await admin(market, 'approve', id)
  for (const [one, folded] of [
    [device, true],
    [desktop, false],
  ] as const) {
    const page = await one.open(`/listings/${id}`)
    await ready(page)
    const description = page.getByRole('region', { name: 'Description' })
    const table = page.getByRole('region', { name: 'Caractéristiques' })
    const hidden = () =>
      description.locator('p').evaluate((element) => element.scrollHeight - element.clientHeight)
    await expect(page.getByRole('region', { name: 'En bref' }).locator('dt')).toHaveCount(4)
    if (folded) {
      await expect.poll(hidden).toBeGreaterThan(0)
      await expect(table.getByText('6,6')).toBeHidden()
      await description.getByRole('button', { name: 'Lire la suite' }).tap()
      await table.getByRole('button', { name: 'Toutes les caractéristiques' }).tap()
    }
    await expect.poll(hidden).toBe(0)
    await expect(description.getByText(last)).toBeVisible()
    await expect(table.getByText('6,6')).toBeVisible()
  }
})

test('[S13.25] on a wide screen price and contact stay beside the photo, and small photos choose one', async ({
  market,
  desktop,
}) => {
  const answer = await new Person(market.url).ask(
    'GET',
    'listings/?category=vehicles&has_images=true&page_size=50',
  )
  const row = list(answer, 'results').find((one) => Number(member(one, 'images_count')) >= 2)
  const id = text(row, 'id')
  const page = await desktop.open(`/listings/${id}`)
  await ready(page)
  const strip = page.getByRole('main').getByRole('group', { name: /^Photo \d+ sur/ })
  const message = page.getByRole('button', { name: 'Envoyer un message' })
  const beside = async (): Promise<boolean | null> => {
    const [photo, contact] = [await strip.boundingBox(), await message.boundingBox()]
    return photo && contact && photo.x + photo.width < contact.x
  }
  await expect.poll(beside).toBe(true)
  await page.getByRole('button', { name: 'Photo 2', exact: true }).click()
  await expect(strip).toHaveAccessibleName(/^Photo 2 sur/)
  await expect(page.getByRole('button', { name: 'Photo 2', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await page.mouse.wheel(0, 300)
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(200)
  await expect(message).toBeInViewport({ ratio: 1 })
})
