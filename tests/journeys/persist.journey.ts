import type { Page } from '@playwright/test'
import { choose, keptDrafts } from '../support/wizard.ts'
import { type Device, expect, fillRegistration, ready, signIn, test } from './device.ts'

/** A page whose calls of `navigator.storage.persist()` are counted, and refused. */
async function watched(device: Device): Promise<{ readonly page: Page; calls(): number }> {
  const page = await device.open('/robots.txt')
  let calls = 0
  await page.exposeFunction('persistRequested', () => void (calls += 1))
  await page.addInitScript(() => {
    StorageManager.prototype.persist = () => {
      const requested: unknown = Reflect.get(globalThis, 'persistRequested')
      if (typeof requested === 'function') requested()
      return Promise.resolve(false)
    }
  })
  return { page, calls: () => calls }
}

test('[SYNC 3] persistent storage is requested at sign-in, first draft and installation, once each', async ({
  device,
}) => {
  const { page, calls } = await watched(device)
  await page.goto(device.url)
  await ready(page)
  await signIn(page, device, 'vendeur', '/create-listing')
  await expect.poll(calls).toBe(1)
  await ready(page)
  await choose(page, 'Services')
  await page.getByRole('textbox', { name: 'Titre' }).fill('Cours de moto')
  await expect.poll(() => keptDrafts(page)).toMatchObject([{ title: 'Cours de moto' }])
  await expect.poll(calls).toBe(2)
  await page.evaluate(() => void dispatchEvent(new Event('appinstalled')))
  await expect.poll(calls).toBe(3)
  // Each occasion asks once: the next draft and another installation do not.
  await page.getByRole('textbox', { name: 'Titre' }).fill('Cours de moto et de vélo')
  await expect.poll(() => keptDrafts(page)).toMatchObject([{ title: 'Cours de moto et de vélo' }])
  await page.evaluate(() => void dispatchEvent(new Event('appinstalled')))
  await page.reload()
  await ready(page)
  expect(calls()).toBe(3)
})

test('[SYNC 3] persistent storage is requested at registration', async ({ device }) => {
  const { page, calls } = await watched(device)
  await page.goto(`${device.url}/auth?mode=register`)
  await ready(page)
  expect(calls()).toBe(0)
  const name = `durable${Date.now() % 1e8}`
  await fillRegistration(page, name)
  await page.getByRole('button', { name: 'Créer un compte' }).click()
  await expect.poll(calls).toBe(1)
})
