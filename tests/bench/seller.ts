import type { Page } from '@playwright/test'
import { Person } from '../support/api.ts'
import type { Product } from '../support/product.ts'

/** A new seller, so that no limit of listings applies. */
export async function newSeller(market: Product): Promise<Person> {
  return new Person(market.url).register(`banc${Date.now() % 1e9}`)
}

/** Opens the app signed in as the seller, and waits until the wizard opens offline. */
export async function opened(page: Page, url: string, seller: Person): Promise<void> {
  await page.addInitScript((token) => localStorage.setItem('authToken', token), seller.token)
  await page.goto(url)
  await page.waitForSelector('html[data-ready]')
  const wanted = ['worker-photo', 'worker-database', 'worker-signed-in', 'CreateListingScreen']
  const kept = () =>
    page.evaluate(async (names) => {
      const files = (await (await caches.open('assets')).keys()).map((key) => key.url)
      return (
        navigator.serviceWorker.controller !== null &&
        names.every((name) => files.some((file) => file.includes(name)))
      )
    }, wanted)
  while (!(await kept())) await page.waitForTimeout(200)
}
