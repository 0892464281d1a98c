import type { Page } from '@playwright/test'
import { setTimeout as wait } from 'node:timers/promises'
import { slow3g } from '../support/proxy.ts'
import { controlled, expect, openSignedIn, ready, test } from './device.ts'

/** Names without hash of what the caches hold. */
const kept = async (page: Page): Promise<readonly string[]> =>
  page.evaluate(async () => {
    const caching = (await caches.keys()).map(async (name) => (await caches.open(name)).keys())
    const requests = (await Promise.all(caching)).flat()
    return requests.map(({ url }) => new URL(url).pathname.replace(/^.*\/|-[\w-]{8}\.\w+$/g, ''))
  })

const OFFLINE = ['ListingScreen', 'MessagesScreen', 'OutboxScreen', 'CreateListingScreen']

test('[S13.72] [F03] a first visit fetches no screen that nobody opened, and what was seen opens offline', async ({
  first,
}) => {
  const page = await first.open('/listings')
  await ready(page)
  await controlled(page)
  // Search data: nobody searched.
  expect(await kept(page)).not.toContain('worker-places')
  await page.locator('article[data-listing] a').first().click()
  await page.waitForURL(/\/listings\/./)
  const title = page.locator('article[data-listing] h1')
  const name = await title.innerText()
  const address = page.url()
  await expect.poll(() => kept(page)).toContain('ListingScreen')
  // The same visit.
  await page.reload()
  await ready(page)
  // Longer than an idle app waits.
  await wait(6000)
  const held = await kept(page)
  for (const screen of ['MessagesScreen', 'CreateListingScreen', 'HelpScreen', 'storeScreen'])
    expect(held).not.toContain(screen)
  first.proxy.set('cut')
  const again = await first.context.newPage()
  await page.close()
  await again.goto(`${first.url}/listings`)
  await expect(again.locator('article[data-listing]').first()).toBeVisible()
  await again.goto(address)
  await expect(again.getByRole('heading', { level: 1, name })).toBeVisible()
})

test('[S13.72] signing in fetches what an offline start needs, and the settings say it', async ({
  first,
}) => {
  const page = await openSignedIn(first, 'acheteur', '/')
  await controlled(page)
  await expect.poll(() => kept(page)).toEqual(expect.arrayContaining(OFFLINE))
  first.proxy.set('cut')
  await page.goto(`${first.url}/settings`)
  await expect(
    page.getByText(
      'Disponible sans réseau : accueil, listes, annonces, messages, envois en attente, dépôt d’annonce, favoris.',
    ),
  ).toBeVisible()
  for (const path of ['/', '/listings', '/messages', '/saved', '/outbox', '/create-listing']) {
    await page.goto(first.url + path)
    await ready(page)
    await expect(page.getByText('Pas encore sur ce téléphone'), path).toHaveCount(0)
  }
  await page.goto(`${first.url}/listings`)
  await page.getByRole('button', { name: /^Filtrer/ }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.locator('article[data-listing] a').first().click()
  await expect(page.locator('article[data-listing] h1')).toBeVisible()
})

test('[S13.72] the code of a screen comes when its link is touched, not before', async ({
  first,
}) => {
  const page = await first.open('/listings')
  await ready(page)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const touched = () => asked.some((url) => url.includes('/assets/ListingScreen-'))
  const link = page.locator('article[data-listing] a').first()
  await wait(1000)
  expect(touched()).toBe(false)
  await link.dispatchEvent('pointerdown')
  await expect.poll(touched).toBe(true)
})

test('[S13.73] on a slow line photos come after the scripts, and those below with a scroll', async ({
  first,
}) => {
  test.slow()
  const page = await first.open('/icon.svg')
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/media/')) asked.push('photo')
  })
  page.on('requestfinished', (request) => {
    if (request.url().includes('/assets/main-')) asked.push('scripts')
  })
  first.proxy.throttle(slow3g)
  await page.goto(`${first.url}/listings?category=fashion`)
  await ready(page)
  // One of the six may have no photo.
  const inSight = page.locator('[data-part]').first().locator('img')
  const loaded = () =>
    inSight.evaluateAll((images) =>
      images.every((image) => image instanceof HTMLImageElement && image.naturalWidth > 0),
    )
  await expect.poll(loaded).toBe(true)
  await wait(3000)
  expect(asked[0]).toBe('scripts')
  const photos = (): number => asked.filter((one) => one === 'photo').length
  const before = photos()
  expect(before).toBe(await inSight.count())
  await page.evaluate(() => scrollTo({ top: 600 }))
  await expect.poll(photos).toBeGreaterThan(before)
})

test('[S13.73] a first visit and its first minute cost 300 KB at most, photos in sight included', async ({
  first,
}) => {
  test.slow()
  first.proxy.throttle(slow3g)
  const page = await first.open('/listings')
  await ready(page)
  await wait(60_000)
  // Other journeys may have published some of the first listings, without photos.
  const loaded = await page
    .locator('[data-part]')
    .first()
    .locator('img')
    .evaluateAll((images) =>
      images.map((image) => image instanceof HTMLImageElement && image.naturalWidth > 0),
    )
  expect(loaded).not.toContain(false)
  const { received, sent } = first.proxy.count()
  console.info(`received ${received}, sent ${sent}, ${loaded.length} photos`)
  expect(received + sent).toBeLessThan(300_000)
})
