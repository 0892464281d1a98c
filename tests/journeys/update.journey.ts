import type { Page } from '@playwright/test'
import { talk } from '../support/conversation.ts'
import { expect, ready, settled, openSignedIn, signIn, test } from './device.ts'

/** The same build at another address is a new version to the browser, which waits. */
async function newVersion(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.register('/sw.js?next'))
}

/** Marks the document: a reload loses the mark. */
const mark = (page: Page) => page.evaluate(() => void Reflect.set(window, 'stands', true))
const stands = (page: Page) =>
  page.evaluate(() => Reflect.get(window, 'stands') === true).catch(() => false)

test('[S4.22] the update offer can be tapped above a chat; a tab with an open form reloads once it is left', async ({
  market,
  deviceOnDisk: device,
}) => {
  const { buyer, conversation } = await talk(market)
  const page = await openSignedIn(device, buyer.username, `/messages/${conversation}`)
  await ready(page)
  await settled(page)
  const form = await device.open('/create-listing')
  await ready(form)
  await form.getByRole('radio', { name: 'Services' }).check()
  const list = await device.open('/listings')
  await ready(list)
  await page.bringToFront()
  await newVersion(page)
  const update = page.getByRole('button', { name: 'Mettre à jour maintenant' })
  await expect(update).toBeVisible()
  for (const tab of [page, form, list]) await mark(tab)
  // Playwright taps only elements that nothing covers.
  await update.tap()
  await expect.poll(() => stands(page)).toBe(false)
  await expect.poll(() => stands(list)).toBe(false)
  expect(await stands(form)).toBe(true)
  await form.getByRole('link', { name: 'Accueil' }).first().click()
  await expect.poll(() => stands(form)).toBe(false)
})

test('[S4.05] signing out closes the system notifications', async ({
  market,
  deviceOnDisk: device,
}) => {
  const { buyer } = await talk(market)
  const page = await device.open('/')
  await device.context.grantPermissions(['notifications'])
  await signIn(page, device, buyer.username, '/')
  await ready(page)
  await settled(page)
  const shown = () =>
    page.evaluate(
      async () => (await (await navigator.serviceWorker.ready).getNotifications()).length,
    )
  await page.evaluate(async () =>
    (await navigator.serviceWorker.ready).showNotification('Nouveau message', {
      body: 'Le code est 4711',
    }),
  )
  await expect.poll(shown).toBe(1)
  await page.getByRole('button', { name: 'Menu du compte' }).click()
  await page.getByRole('menuitem', { name: 'Se déconnecter' }).click()
  await expect.poll(shown).toBe(0)
})
