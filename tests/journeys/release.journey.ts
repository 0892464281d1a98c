import type { Page } from '@playwright/test'
import { list, member, type Person } from '../support/api.ts'
import { cameraJpeg } from '../support/camera.ts'
import { box, bubble, fromGallery, preview, talk, write } from '../support/conversation.ts'
import { slow3g } from '../support/proxy.ts'
import { backOnline } from '../support/wizard.ts'
import { expect, ready, settled, openSignedIn } from './device.ts'
import { NEXT, test } from './release.ts'

async function arrived(
  person: Person,
  conversation: string,
  contents: readonly string[],
): Promise<readonly number[]> {
  const rows = list(
    await person.ask('GET', `conversations/${conversation}/messages/?page_size=50`),
    'results',
  )
  return contents.map((one) => rows.filter((row) => member(row, 'content') === one).length)
}

const banner = (page: Page) => page.getByRole('button', { name: 'Mettre à jour maintenant' })
const release = (page: Page): Promise<string> =>
  page.evaluate(
    () =>
      document
        .querySelector<HTMLScriptElement>('script[src*="/assets/index-"]')
        ?.src.split('/')
        .at(-1) ?? '',
  )
/** A tab that reloads during a check is checked again. */
const reloading = (): string => ''
const look = (page: Page) =>
  page.evaluate(() =>
    navigator.serviceWorker
      .getRegistration('/')
      .then((one) => one?.update())
      .then(() => undefined),
  )

test('[S4.22] [S4.23] an old tab beside a newer release works and loses nothing, which is delivered once', async ({
  releases,
}) => {
  const { market, device } = releases
  const { buyer, conversation } = await talk(market)
  const page = await openSignedIn(device, buyer.username, `/messages/${conversation}`)
  await ready(page)
  await settled(page)
  const old = await release(page)
  expect(old).not.toBe(NEXT)

  device.proxy.set('cut')
  await write(page, 'Avant la mise à jour')
  await releases.next()
  device.proxy.set('pass')
  await backOnline(page)
  // The old release still works: it delivers, and its screens open.
  await expect(bubble(page, 'Avant la mise à jour')).toHaveAttribute('data-state', /sent|read/)
  await page.getByRole('link', { name: 'Retour aux conversations' }).click()
  await expect(page.locator('[data-conversation]').first()).toBeVisible()
  await page.goBack()
  await look(page)
  await expect(banner(page)).toBeVisible()
  expect(await release(page)).toBe(old)

  // Both tabs have the waiting messages and drafts, which are sent once.
  device.proxy.set('cut')
  await write(page, 'Pendant la mise à jour')
  await box(page).fill('À moitié')
  await expect(page.locator('form[data-kept]')).toBeVisible()
  const other = await device.open('/outbox')
  await expect(banner(other)).toBeVisible()
  await banner(other).click()
  await expect.poll(() => release(other).catch(reloading)).toBe(NEXT)
  await expect(
    other.locator('[data-outbox]').filter({ hasText: 'Pendant la mise à jour' }),
  ).toBeVisible()
  device.proxy.set('pass')
  await backOnline(other)
  await expect
    .poll(() => arrived(buyer, conversation, ['Avant la mise à jour', 'Pendant la mise à jour']))
    .toEqual([1, 1])
  await page.goto(`${device.url}/messages/${conversation}`)
  await expect(box(page)).toHaveValue('À moitié')
  await expect(bubble(page, 'Pendant la mise à jour')).toHaveAttribute('data-state', /sent|read/)
  await expect.poll(() => release(page).catch(reloading)).toBe(NEXT)
})

test('[S4.22] [S2.42] an update during a photo upload neither loses nor doubles it, nor the typed text', async ({
  releases,
}) => {
  test.slow()
  const { market, device } = releases
  const { buyer, conversation } = await talk(market)
  const page = await openSignedIn(device, buyer.username, `/messages/${conversation}`)
  await ready(page)
  await settled(page)
  await releases.next()
  await look(page)
  await expect(banner(page)).toBeVisible()

  await fromGallery(page).setInputFiles([await cameraJpeg('vue.jpg', 2400, 1800)])
  await expect(preview(page)).toBeVisible()
  // Open connections are fast: cut them, and new ones are slow.
  device.proxy.throttle(slow3g)
  device.proxy.set('cut')
  device.proxy.set('pass')
  await backOnline(page)
  await write(page, 'En photo')
  await expect(bubble(page, 'En photo')).toHaveAttribute('data-state', 'sending')
  await box(page).fill('Elle est neuve')
  await expect(page.locator('form[data-kept]')).toBeVisible()
  await banner(page).click()
  await expect.poll(() => release(page).catch(reloading)).toBe(NEXT)
  device.proxy.throttle(null)
  await expect(box(page)).toHaveValue('Elle est neuve')
  await expect(bubble(page, 'En photo')).toHaveAttribute('data-state', /sent|read/)
  await expect(bubble(page, 'En photo')).toHaveCount(1)
  expect(await arrived(buyer, conversation, ['En photo'])).toEqual([1])
})

test('[S13.74] an update is received as what changed, though every file has a new name', async ({
  releases,
}) => {
  const { device } = releases
  const page = await device.open('/listings')
  await ready(page)
  await settled(page)
  await releases.next()
  device.proxy.count()
  await look(page)
  await expect(banner(page)).toBeVisible()
  const { received } = device.proxy.count()
  console.info(`update of all files: ${received} bytes received`)
  expect(received).toBeLessThan(100_000)
})
