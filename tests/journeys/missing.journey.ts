import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { ASSETS } from '#schema/port/service'
import type { Page } from '@playwright/test'
import { controlled, everythingKept, expect, ready, settled, test } from './device.ts'

const opened = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

test('[S1.04] [S2.28] an idle first visit caches the screens that are likely next: they open offline', async ({
  device,
}) => {
  const page = await device.open('/')
  await ready(page)
  await everythingKept(page)
  device.proxy.set('cut')
  for (const [path, name] of [
    ['/outbox', 'En attente d’envoi'],
    ['/settings', 'Paramètres'],
    ['/saved', 'Favoris'],
  ] as const) {
    await page.goto(device.url + path)
    await expect(opened(page, name)).toBeVisible()
  }
})

test('[S2.48] [S4.23] a screen that is not cached shows so offline, and opens by itself once online', async ({
  device,
}) => {
  // Low-data mode prefetches nothing, from the first moment of the app.
  const page = await device.open('/icon.svg')
  await page.evaluate(() => localStorage.setItem('low_data', '1'))
  await page.goto(`${device.url}/`)
  await ready(page)
  await controlled(page)
  device.proxy.set('cut')
  await page.goto(`${device.url}/help`)
  const missing = page.getByRole('heading', { name: 'Pas encore sur ce téléphone' })
  await expect(missing).toBeVisible()
  await page.getByRole('button', { name: 'Réessayer' }).click()
  await expect(missing).toBeVisible()
  device.proxy.set('pass')
  await expect(opened(page, 'Aide')).toBeVisible()
})

test('[S4.22] [S2.48] a screen whose code exists only in the next version updates the app, and opens', async ({
  device,
}) => {
  const page = await device.open('/')
  await ready(page)
  await settled(page)
  const [help = ''] = globSync('dist/web/assets/HelpScreen-*.js')
  const path = `/assets/${basename(help)}`
  // The server has deployed another build: this file is gone, and the worker's script differs.
  await page.evaluate(
    async ([name, gone]) => (await caches.open(name)).put(gone, new Response('', { status: 404 })),
    [ASSETS, path] as const,
  )
  await page.addInitScript(
    ([name, back]) => {
      const isNext = navigator.serviceWorker.controller?.scriptURL.endsWith('?next') === true
      const seen = new Promise((resolve) => addEventListener('seen', resolve))
      ServiceWorkerRegistration.prototype.update = async () => {
        if (!isNext) await seen
        return navigator.serviceWorker.register('/sw.js?next')
      }
      if (isNext) void caches.open(name).then((cache) => cache.delete(back))
    },
    [ASSETS, path] as const,
  )
  await page.goto(`${device.url}/help`)
  await expect(page.getByRole('heading', { name: 'Pas encore sur ce téléphone' })).toBeVisible()
  await page.evaluate(() => dispatchEvent(new Event('seen')))
  await expect(opened(page, 'Aide')).toBeVisible()
})
