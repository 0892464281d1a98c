import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { controlled, expect, holds, ready, settled, test } from './device.ts'

test('[S1.04] [S4.20] the app can be installed, and starts from the home screen without a network', async ({
  deviceOnDisk: device,
}) => {
  const page = await device.open('/')
  await ready(page)
  await settled(page)
  await holds(page, 'listings', 20)
  const session = await device.context.newCDPSession(page)
  const { errors } = await session.send('Page.getAppManifest')
  expect(errors).toEqual([])
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  // Incognito is due to the test's profile, not to the app.
  expect(
    installabilityErrors.map((error) => error.errorId).filter((id) => id !== 'in-incognito'),
  ).toEqual([])
  await device.close()

  device.proxy.set('cut')
  const again = await device.open('/')
  await ready(again)
  await expect(again.locator('article[data-listing]').first()).toBeVisible()
})

test('[S1.04] [S4.24] a page loaded past the service worker is controlled by it, so its files are cached', async ({
  deviceOnDisk: device,
}) => {
  const page = await device.open('/')
  await ready(page)
  await controlled(page)
  const session = await device.context.newCDPSession(page)
  await page.evaluate(() => (document.documentElement.dataset['old'] = ''))
  // As for a page opened while the worker starts for the first time.
  await session.send('Page.reload', { ignoreCache: true })
  await expect(page.locator('html[data-old]')).toHaveCount(0)
  await ready(page)
  await controlled(page)
})

test('[S1.04] [S4.23] the engine’s start files are cached with the app, also with data saver', async ({
  deviceOnDisk: device,
}) => {
  const page = await device.open('/robots.txt')
  await page.addInitScript(() => localStorage.setItem('low_data', '1'))
  await page.goto(device.url)
  await ready(page)
  await controlled(page)
  const [engine = ''] = globSync('dist/web/assets/worker-sync.worker-*.js')
  const needed = [
    engine,
    ...readFileSync(engine, 'utf8')
      .matchAll(/from"\.\/(worker-[^"]+)"/g)
      .map(([, name = '']) => name),
  ]
  const missing = await page.evaluate(
    async (names) => {
      const kept = await Promise.all(names.map((name) => caches.match(`/assets/${name}`)))
      return names.filter((_, at) => !kept[at])
    },
    needed.map((name) => basename(name)),
  )
  expect(missing).toEqual([])
})
