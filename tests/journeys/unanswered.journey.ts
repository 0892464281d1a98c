import type { Page } from '@playwright/test'
import type { ApiFault } from '../support/proxy.ts'
import { list, Person, text } from '../support/api.ts'
import { controlled, expect, holds, ready, test } from './device.ts'

/** The page comes from the server but the API fails: the content stays, with its age. */

const faults: readonly ApiFault[] = ['refused', 'html', 'down']
const aged = (page: Page) =>
  page.getByText(/^Mis à jour .*\. Impossible d’actualiser pour le moment\.$/)
const cards = (page: Page) => page.locator('[data-coverage] article[data-listing]')

for (const fault of faults) {
  const firstList = test
  firstList(
    `[S8.12] the first list stays while the API is ${fault}, and again without a network`,
    async ({ device }) => {
      device.proxy.failApi(fault)
      const page = await device.open('/listings')
      await expect(aged(page)).toBeVisible()
      await expect(cards(page)).toHaveCount(20)
      const first = await cards(page).first().getAttribute('data-listing')
      await expect(page.getByRole('heading', { name: /annonces$/ })).toBeVisible()
      await holds(page, 'listings', 20)
      await controlled(page)

      device.proxy.set('cut')
      await page.reload()
      await expect(page.locator(`article[data-listing="${first}"]`)).toBeVisible()
      await expect
        .poll(() => page.locator('article[data-listing]').count())
        .toBeGreaterThanOrEqual(20)

      device.proxy.failApi(null)
      device.proxy.set('pass')
      await expect(page.locator('[data-coverage="covered"]')).toBeVisible()
      await expect(aged(page)).toHaveCount(0)
    },
  )

  test(`[S8.12] a listing opened from a link stays while the API is ${fault}, and later without a network`, async ({
    market,
    device,
  }) => {
    const [row] = list(await new Person(market.url).ask('GET', 'listings/?page_size=1'), 'results')
    device.proxy.failApi(fault)
    const page = await device.open(`/listings/${text(row, 'id')}`)
    await expect(aged(page)).toBeVisible()
    const title = page.getByRole('heading', { level: 1, name: text(row, 'title') })
    await expect(title).toBeVisible()
    await holds(page, 'listings', 1)
    await controlled(page)
    // The server's page has these styles inline; as files they follow [S13.72].
    await expect
      .poll(() =>
        page.evaluate(async () =>
          (await (await caches.open('assets')).keys()).map(({ url }) => url).join(),
        ),
      )
      .toMatch(/ListingScreen-[\w-]+\.css/)

    device.proxy.set('cut')
    await page.reload()
    await expect(title).toBeVisible()
    await expect(page.getByText('Pas encore sur ce téléphone')).toHaveCount(0)
  })
}

test('[S8.12] home keeps its listings while the API is refused', async ({ device }) => {
  device.proxy.failApi('refused')
  const page = await device.open('/')
  await ready(page)
  await expect(aged(page)).toBeVisible()
  await expect(
    page.getByRole('region', { name: 'Annonces récentes' }).locator('article'),
  ).toHaveCount(12)
})

test('[S8.12] while the API is down a returning visitor sees the age of the list, until it answers', async ({
  device,
}) => {
  let page = await device.open('/listings')
  await ready(page)
  await expect(page.locator('[data-coverage="covered"]')).toBeVisible()
  await controlled(page)
  const aside = await device.open('/sw.js')
  // A list that grows would be stored as new again.
  await page.close()
  // Displayed ages round down by up to a minute.
  await readMinutesAgo(aside, 3 * 60 + 1)
  device.proxy.failApi('down')
  page = await device.open('/listings')
  await expect(
    page.getByText('Mis à jour il y a 3 h. Impossible d’actualiser pour le moment.'),
  ).toBeVisible()
  await expect(cards(page).first()).toBeVisible()
  device.proxy.failApi(null)
  await expect(aged(page)).toHaveCount(0)
})

/** Makes the stored lists `minutes` older. */
function readMinutesAgo(page: Page, minutes: number): Promise<void> {
  return page.evaluate(async (ms) => {
    const named = (await indexedDB.databases()).flatMap(({ name }) =>
      name?.endsWith('-shared') === true ? [name] : [],
    )
    for (const name of named) {
      await new Promise<void>((resolve, reject) => {
        const open = indexedDB.open(name)
        open.addEventListener('error', () => reject(new Error(name)))
        open.addEventListener('success', () => {
          const change = open.result.transaction('lists', 'readwrite')
          const walk = change.objectStore('lists').openCursor()
          walk.addEventListener('success', () => {
            const here: unknown = walk.result?.value
            if (typeof here === 'object' && here !== null && 'at' in here)
              walk.result?.update({ ...here, at: Number(here.at) - ms })
            walk.result?.continue()
          })
          change.addEventListener('complete', () => (open.result.close(), resolve()))
        })
      })
    }
  }, minutes * 60_000)
}
