import type { Page } from '@playwright/test'
import { APP_NAME } from '#schema/app'
import { list, text } from '../support/api.ts'
import { box, bubble, sendNow, talk, write } from '../support/conversation.ts'
import { rowsOf } from '../support/disk.ts'
import { expect, type Device, ready, settled, openSignedIn, test } from './device.ts'
import type { Product } from '../support/product.ts'

const DEVICE_DB = `${APP_NAME.toLowerCase()}-phone`
const contents = ['Une.', 'Deux.', 'Trois.']

const aside = (device: Device): Promise<Page> => device.open('/sw.js')

async function waiting(market: Product, device: Device) {
  const { buyer, conversation } = await talk(market)
  const page = await openSignedIn(device, buyer.username, `/messages/${conversation}`)
  await ready(page)
  await settled(page)
  const other = await aside(device)
  await page.bringToFront()
  device.proxy.set('cut')
  for (const one of contents) await write(page, one)
  const sent = async (): Promise<readonly string[]> =>
    list(await buyer.ask('GET', `conversations/${conversation}/messages/`), 'results')
      .map((row) => text(row, 'content'))
      .filter((one) => contents.includes(one))
      .toReversed()
  return { page, other, sent }
}

/** Clears the site's data, as a person does, or the browser by itself on a full disk. */
async function wipe(page: Page, device: Device): Promise<void> {
  const browser = await page.context().newCDPSession(page)
  await browser.send('Storage.clearDataForOrigin', {
    origin: new URL(device.url).origin,
    storageTypes: 'indexeddb',
  })
}

test('[S4.05] after site data is cleared under an open page, its messages are queued again and sent in order', async ({
  market,
  deviceOnDisk: device,
}) => {
  const { page, sent } = await waiting(market, device)
  await wipe(page, device)
  const queued = async (): Promise<readonly unknown[]> => {
    const rows = await rowsOf(page, 'entries')
    return Array.isArray(rows)
      ? rows.map((row: { payload: { content: string } }) => row.payload.content)
      : []
  }
  await expect.poll(queued).toEqual(contents)
  await page.goto(`${device.url}/outbox`)
  await ready(page)
  await expect(page.locator('[data-outbox]')).toHaveCount(3)
  await expect(page.getByText('Tout est envoyé')).toHaveCount(0)
  device.proxy.set('pass')
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect.poll(sent).toEqual(contents)
})

test('after a wipe with every tab closed the app names the lost messages, and never shows "all sent"', async ({
  market,
  deviceOnDisk: device,
}) => {
  const { page, other, sent } = await waiting(market, device)
  await page.close()
  await wipe(other, device)
  device.proxy.set('pass')
  const outbox = await device.open('/outbox')
  await ready(outbox)
  const notice = outbox
    .getByRole('alert')
    .filter({ hasText: '3 messages n’ont pas pu être conservés.' })
  await expect(notice).toBeVisible()
  await expect(outbox.getByText('Tout est envoyé')).toHaveCount(0)
  await expect(
    outbox.getByRole('status').filter({ hasText: '3 envois vous attendent.' }),
  ).toBeVisible()
  await outbox.reload()
  await expect(notice).toBeVisible()
  await notice.getByRole('button', { name: 'J’ai compris' }).click()
  await expect(notice).toHaveCount(0)
  await expect(outbox.getByText('Tout est envoyé')).toBeVisible()
  await outbox.reload()
  await ready(outbox)
  await expect(outbox.getByText('Tout est envoyé')).toBeVisible()
  await expect(notice).toHaveCount(0)
  expect(await sent()).toEqual([])
})

test('[SYNC 9] an old tab beside a newer version shows so, keeps the typed text, and writes nothing', async ({
  market,
  deviceOnDisk: device,
}) => {
  const { page, other: newer } = await waiting(market, device)
  await newer.evaluate(
    (name) =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.open(name, 99)
        request.addEventListener('upgradeneeded', () =>
          request.result.createObjectStore('of the next release'),
        )
        request.addEventListener('error', () => reject(new Error('not opened')))
        request.addEventListener('success', () => {
          request.result.close()
          resolve()
        })
      }),
    DEVICE_DB,
  )
  const line = page
    .getByRole('status')
    .filter({ hasText: 'Une version plus récente de l’application est ouverte.' })
  await expect(line).toBeVisible()
  await expect(line.getByRole('button', { name: 'Recharger' })).toBeVisible()
  await box(page).fill('Quatre.')
  await sendNow(page)
  await expect(
    page.getByRole('alert').filter({ hasText: 'copiez votre texte, puis rechargez la page' }),
  ).toBeVisible()
  await expect(box(page)).toHaveValue('Quatre.')
  for (const one of contents) await expect(bubble(page, one)).toBeVisible()
  // Restarted, the old code shows the same: it does not fall back to storing nothing.
  await page.goto(`${device.url}/outbox`)
  await expect(line).toBeVisible()
  await expect(page.getByText('Tout est envoyé')).toHaveCount(0)
  await expect(page.getByText('Ce téléphone ne laisse rien enregistrer')).toHaveCount(0)
  const rows = await rowsOf(newer, 'entries')
  expect(Array.isArray(rows) ? rows.length : rows).toBe(3)
})

test('a database that does not open within five seconds shows so, and is used once it opens', async ({
  deviceOnDisk: device,
}) => {
  const first = await device.open('/')
  await ready(first)
  await settled(first)
  const other = await aside(device)
  await first.close()
  // Another connection blocks the deletion: whoever opens the database waits for both.
  await other.evaluate(
    (name) =>
      new Promise<void>((resolve) => {
        const request = indexedDB.open(name)
        request.addEventListener('success', () => {
          Reflect.set(globalThis, 'holder', request.result)
          indexedDB.deleteDatabase(name)
          resolve()
        })
      }),
    DEVICE_DB,
  )
  const page = await device.open('/listings')
  const line = page
    .getByRole('status')
    .filter({ hasText: 'La mémoire de ce téléphone ne répond pas' })
  await expect(line).toBeVisible()
  await expect(line.getByRole('button', { name: 'Recharger' })).toBeVisible()
  await expect(page.locator('article[data-listing]').first()).toBeVisible()
  await other.evaluate(() => {
    const holder: unknown = Reflect.get(globalThis, 'holder')
    if (holder instanceof IDBDatabase) holder.close()
  })
  await expect(line).toHaveCount(0)
})
