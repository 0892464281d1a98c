import type { Page } from '@playwright/test'
import { type Device, expect, ready, settled, test } from './device.ts'
import { toasted } from './toasts.ts'
import { Person, list, member, text } from '../support/api.ts'

/** Headless browsers have no share sheet: stub one that records what it gets. */
async function withSheet(device: Device): Promise<Page> {
  const page = await device.open('/')
  await page.addInitScript(() => {
    Reflect.set(navigator, 'canShare', () => true)
    Reflect.set(navigator, 'share', ({ title, url, files = [] }: ShareData) => {
      Reflect.set(window, 'sharedOut', {
        title,
        url,
        files: files.map(({ type, size }) => ({ type, size })),
      })
      return Promise.resolve()
    })
  })
  await ready(page)
  await settled(page)
  return page
}

async function sharesAll(page: Page, device: Device, path: string): Promise<void> {
  await page.goto(device.url + path)
  await ready(page)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  device.proxy.set('cut')
  await page.getByRole('button', { name: 'Partager' }).first().click()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByRole('img', { name: 'Code QR de l’adresse' })).toBeVisible()
  await expect(sheet).toContainText(device.url + path)
  await expect(sheet.getByRole('link', { name: 'WhatsApp' })).toHaveAttribute(
    'href',
    new RegExp(`^https://wa\\.me/\\?text=.*${encodeURIComponent(path).replaceAll('.', '\\.')}$`),
  )
  await sheet.getByRole('button', { name: 'Partager avec l’image' }).click()
  const given = async (): Promise<unknown> => page.evaluate(() => Reflect.get(window, 'sharedOut'))
  await expect
    .poll(given)
    .toMatchObject({ url: device.url + path, files: [{ type: 'image/jpeg' }] })
  const download = page.waitForEvent('download')
  await sheet.getByRole('button', { name: 'Enregistrer l’image' }).click()
  expect((await download).suggestedFilename()).toMatch(/\.jpg$/)
  await device.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await sheet.getByRole('button', { name: 'Copier le lien' }).click()
  await toasted(page, 'Lien copié.')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(device.url + path)
  device.proxy.set('pass')
}

test('[F12] [S2.37] a listing is shared offline: share sheet with picture and link, WhatsApp, QR code, copy', async ({
  market,
  device,
}) => {
  const rows = list(await new Person(market.url).ask('GET', 'listings/?has_images=true'), 'results')
  await sharesAll(await withSheet(device), device, `/listings/${text(rows[0], 'id')}`)
})

test('[S2.09] a shop is shared offline, too', async ({ market, device }) => {
  const rows = list(await new Person(market.url).ask('GET', 'listings/'), 'results')
  const { slug, id } = sellerOf(rows[0])
  await sharesAll(await withSheet(device), device, `/shop/${slug ?? id}`)
})

function sellerOf(row: unknown): { readonly slug: string | null; readonly id: string } {
  const seller = member(row, 'seller')
  const slug = member(seller, 'slug') ?? member(seller, 'shop_slug')
  return { slug: typeof slug === 'string' ? slug : null, id: text(seller, 'id') }
}
