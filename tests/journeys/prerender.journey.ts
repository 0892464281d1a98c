import { chromium, type Page } from '@playwright/test'
import { chromium as path, flags } from '../support/chromium.ts'
import { list, member } from '../support/api.ts'
import { expect, type Device, ready, screenKept, settled, signIn, test } from './device.ts'

/** Holds back the app's script until the returned function is called. */
async function withoutApp(device: Device): Promise<() => void> {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  await device.context.route('**/assets/main-*.js', async (route) => {
    await arrived
    await route.continue()
  })
  return arrive
}

/**
 * Counts the header, navigation and content removed from the root: hydration removes none. The
 * line of a slow network may come and go.
 */
function watchRoot(): void {
  let gone = 0
  new MutationObserver((changes) => {
    for (const { target, removedNodes } of changes)
      if (target instanceof Element && target.id === 'root')
        for (const node of removedNodes)
          if (node instanceof Element && node.matches('header, nav, main')) gone += 1
    document.documentElement.dataset['gone'] = String(gone)
  }).observe(document, { childList: true, subtree: true })
}

/** Opens a URL whose HTML the app must hydrate without rendering any of it again. */
async function takenOver(page: Page, url: string, by: 'server' | 'phone'): Promise<void> {
  const redrawn: string[] = []
  page.on('request', (request) => {
    const report = request.url().endsWith('/api/rum/') ? (request.postData() ?? '') : ''
    if (report.includes('react-error')) redrawn.push(report)
  })
  await page.addInitScript(watchRoot)
  await page.goto(url)
  await expect(page.locator('#root')).toHaveAttribute('data-prerendered', by)
  await ready(page)
  await expect(page.locator('html')).toHaveAttribute('data-gone', '0')
  expect(redrawn).toEqual([])
}

/** Removes the service worker, as at a first visit; it registers after the first screen. */
async function unserved(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    for (const worker of await navigator.serviceWorker.getRegistrations()) await worker.unregister()
  })
}

async function first(
  url: string,
): Promise<{ readonly listing: string; readonly title: string; readonly shop: string }> {
  const answer: unknown = await (await fetch(`${url}/api/listings/?page_size=1`)).json()
  const [card] = list(answer, 'results')
  const seller = member(card, 'seller')
  return {
    listing: `/listings/${String(member(card, 'id'))}`,
    title: String(member(card, 'title')),
    shop: `/shop/${String(member(seller, 'slug'))}`,
  }
}

test('[S1.01] [S2.36] [S2.37] a browser without scripts shows the market: lists, a listing, a shop', async ({
  market,
}) => {
  const browser = await chromium.launch({ executablePath: path(), args: flags })
  try {
    const page = await (
      await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 640 } })
    ).newPage()
    const { listing, title, shop } = await first(market.url)
    await page.goto(`${market.url}/listings`)
    await expect(page.locator('article[data-listing]')).toHaveCount(20)
    await expect(page.getByRole('heading', { level: 3, name: title }).first()).toBeVisible()
    await page.getByRole('searchbox', { name: 'Rechercher une annonce' }).fill('toyota')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/search=toyota/)
    await expect(page.getByRole('heading', { level: 3, name: /toyota/i }).first()).toBeVisible()
    await page.goto(`${market.url}/`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('article[data-listing]').first()).toBeVisible()
    await page.goto(market.url + listing)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await page.goto(market.url + shop)
    await expect(page.locator('article[data-listing]').first()).toBeVisible()
  } finally {
    await browser.close()
  }
})

test('[S2.33] a photo that failed before the app started shows its category’s silhouette, no broken image', async ({
  device,
}) => {
  const page = await device.open('/icon.svg')
  const arrive = await withoutApp(device)
  await device.context.route('**/media/images/**', (route) => route.fulfill({ status: 404 }))
  // No other journey publishes here, where a listing without a photo would come first.
  await page.goto(`${device.url}/listings?category=fashion`, { waitUntil: 'domcontentloaded' })
  const card = page.locator('article[data-listing]', { has: page.locator('img') }).first()
  await expect
    .poll(() =>
      card
        .locator('img')
        .evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth === 0),
    )
    .toBe(true)
  arrive()
  await ready(page)
  await expect(card.locator('[data-photo-missing]')).toBeVisible()
})

test('[S2.36] the app hydrates the first HTML unchanged, and the list does not move', async ({
  device,
  market,
}) => {
  const { listing, shop } = await first(market.url)
  for (const to of ['/', '/listings', '/listings?category=motos&search=moto', listing, shop]) {
    const page = await device.open('/icon.svg')
    await takenOver(page, device.url + to, 'server')
    await unserved(page)
    await page.close()
  }
})

test('[S2.36] with data saver the server renders a list without photos, if no service worker is there', async ({
  device,
}) => {
  const settings = await device.open('/settings')
  await ready(settings)
  await settings.getByRole('switch', { name: /^Économie de données/ }).check()
  await unserved(settings)
  await settings.close()
  const page = await device.open('/icon.svg')
  const photos: string[] = []
  page.on(
    'request',
    (request) => request.url().includes('/media/images/') && photos.push(request.url()),
  )
  // Other journeys publish listings without photos, though none in this category.
  await takenOver(page, `${device.url}/listings?category=fashion`, 'server')
  await expect(page.getByRole('button', { name: /^Afficher la photo/ }).first()).toBeVisible()
  expect(photos).toEqual([])
})

for (const to of ['/', '/listings']) {
  test(`[S4.23] ${to} seen before shows at the next start, also without a network, and is hydrated unchanged`, async ({
    deviceOnDisk: device,
  }) => {
    const page = await device.open(to)
    await ready(page)
    await settled(page)
    await screenKept(page)
    await device.close()

    for (const network of ['cut', 'pass'] as const) {
      device.proxy.set(network)
      const again = await device.open('/help')
      await takenOver(again, device.url + to, 'phone')
      await expect(again.locator('article[data-listing]').first()).toBeVisible()
      await device.close()
    }
  })
}

for (const [left, open] of [
  ['the filters', (page: Page) => page.getByRole('button', { name: 'Filtrer' }).click()],
  ['a listing', (page: Page) => page.locator('article[data-listing] a').first().click()],
] as const) {
  test(`[S4.23] the list shows at the next start, also if the app was left from ${left}`, async ({
    deviceOnDisk: device,
  }) => {
    const page = await device.open('/listings')
    await ready(page)
    await open(page)
    await settled(page)
    await screenKept(page, '/listings')
    await device.close()
    device.proxy.set('cut')
    const again = await device.open('/help')
    await takenOver(again, `${device.url}/listings`, 'phone')
    await expect(again.getByRole('dialog')).toHaveCount(0)
    await expect(again.locator('article[data-listing]').first()).toBeVisible()
  })
}

test('[S2.10] the conversations of a signed-in person show at the next start, and are hydrated unchanged', async ({
  deviceOnDisk: device,
}) => {
  const page = await device.open('/help')
  await signIn(page, device, 'acheteur', '/messages')
  await expect(page.locator('[data-conversation]').first()).toBeVisible()
  await settled(page)
  await screenKept(page)
  await device.close()
  const again = await device.open('/help')
  await takenOver(again, `${device.url}/messages`, 'phone')
  await expect(again.locator('[data-conversation]').first()).toBeVisible()
})

test('[S2.13] [S2.36] a button tapped before the app loads looks pressed, and acts once it is loaded', async ({
  device,
}) => {
  const page = await device.open('/icon.svg')
  const arrive = await withoutApp(device)
  await page.goto(`${device.url}/listings`, { waitUntil: 'commit' })
  const filter = page.getByRole('button', { name: 'Filtrer' })
  await expect
    .poll(async () => {
      await filter.click()
      return filter.getAttribute('data-tapped')
    })
    .toBe('')
  arrive()
  await expect(page.getByRole('dialog', { name: 'Filtrer' })).toBeVisible()
  await expect(filter).not.toHaveAttribute('data-tapped')
})

test('[S2.32] [S2.36] a search typed and an order chosen before the app loads apply once it is loaded', async ({
  device,
}) => {
  const page = await device.open('/icon.svg')
  const arrive = await withoutApp(device)
  await page.goto(`${device.url}/listings`, { waitUntil: 'domcontentloaded' })
  const box = page.getByRole('searchbox', { name: 'Rechercher une annonce' })
  await box.pressSequentially('moto')
  await page.getByLabel('Trier').selectOption('price')
  await box.press('Enter')
  await expect(page.getByRole('button', { name: 'Lancer la recherche' })).toHaveAttribute(
    'data-tapped',
    '',
  )
  arrive()
  await expect(page).toHaveURL(/search=moto/)
  await expect(box).toHaveValue('moto')
  await expect(page.getByRole('heading', { level: 1, name: /moto/ })).toBeVisible()
})

test('[S4.23] a listing tapped on a restored screen before the app loads opens without a page load', async ({
  deviceOnDisk: device,
}) => {
  const page = await device.open('/listings')
  await ready(page)
  await settled(page)
  await screenKept(page)
  await device.close()
  device.proxy.set('cut')
  const again = await device.open('/help')
  // The first script has run by then, and the app waits for the first frame.
  await again.addInitScript(() =>
    document.addEventListener('DOMContentLoaded', () =>
      document.querySelector<HTMLElement>('article[data-listing] a')?.click(),
    ),
  )
  const loaded: string[] = []
  again.on('domcontentloaded', () => loaded.push(again.url()))
  await again.goto(`${device.url}/listings`)
  await expect(again).toHaveURL(/\/listings\/./)
  await expect(again.getByRole('heading', { level: 1 })).toBeVisible()
  expect(loaded).toEqual([`${device.url}/listings`])
})
