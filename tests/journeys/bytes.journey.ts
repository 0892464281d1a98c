import { statSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { BACKGROUND_SCRIPT } from '#schema/port/service'
import { member } from '../support/api.ts'
import { cameraJpeg } from '../support/camera.ts'
import { bubble, fromGallery, preview, talk, write } from '../support/conversation.ts'
import { choose, fillCore, gallery, next, photos } from '../support/wizard.ts'
import { Background, canDeliverInBackground } from './closed.ts'
import { expect, type Device, ready, settled, signIn, stats, test } from './device.ts'

const HEADERS_BYTES = 700

/** The app's data usage as a share of the bytes that the proxy counted since the device was new. */
class Share {
  readonly #device: Device
  #sent = 0
  #received = 0

  constructor(device: Device) {
    this.#device = device
  }

  async of(page: Page): Promise<{ readonly sent: number; readonly received: number }> {
    const stored = member(await stats(page), 'bytes')
    this.#count()
    return {
      sent: Number(member(stored, 'sent')) / this.#sent,
      received: Number(member(stored, 'received')) / this.#received,
    }
  }

  /**
   * Nothing was received for a second: leaving a page aborts its photos, whose first bytes only the
   * proxy sees.
   */
  async idle(): Promise<void> {
    await expect.poll(() => this.#count(), { intervals: [1000] }).toBe(0)
  }

  #count(): number {
    const more = this.#device.proxy.count()
    this.#sent += more.sent
    this.#received += more.received
    return more.received
  }

  /** Both directions are within 5 % once all counted bytes are stored. */
  async holds(page: Page): Promise<void> {
    const off = async (): Promise<number> => {
      const { sent, received } = await this.of(page)
      console.info(
        `sent ${sent.toFixed(3)}, received ${received.toFixed(3)} (${this.#sent}, ${this.#received})`,
      )
      return Math.max(Math.abs(sent - 1), Math.abs(received - 1))
    }
    await expect.poll(off).toBeLessThan(0.05)
  }
}

test('the size of the background script is the one that the app counts', () => {
  const { size } = statSync('dist/web/background.js.br')
  expect(Math.abs(BACKGROUND_SCRIPT.received / (size + HEADERS_BYTES) - 1)).toBeLessThan(0.02)
})

test('reported data usage is within 5 % of the traffic: pages, photos, the socket, and background sends', async ({
  market,
  device,
}) => {
  test.slow()
  const { buyer, conversation } = await talk(market)
  const share = new Share(device)
  let page = await device.open('/listings')
  await ready(page)
  await settled(page)
  await page.evaluate(() => scrollTo({ top: 3000 }))
  await share.holds(page)

  await share.idle()
  await signIn(page, device, buyer.username, `/messages/${conversation}`)
  await ready(page)
  await canDeliverInBackground(page)
  for (const content of ['Voici', 'le', 'panier']) {
    await write(page, content)
    await expect(bubble(page, content)).toHaveAttribute('data-state', /sent|read/)
  }
  await share.holds(page)

  await fromGallery(page).setInputFiles([await cameraJpeg('vue.jpg', 2400, 1800)])
  await expect(preview(page)).toBeVisible()
  await write(page, 'En photo')
  await expect(bubble(page, 'En photo')).toHaveAttribute('data-state', /sent|read/)
  await share.holds(page)

  await share.idle()
  await page.goto(`${device.url}/create-listing`)
  await ready(page)
  await choose(page, 'Services')
  await fillCore(page, 'Coiffure à domicile')
  await gallery(page).setInputFiles([
    await cameraJpeg('a.jpg', 1600, 1200),
    await cameraJpeg('b.jpg', 1600, 1200),
  ])
  await expect(photos(page).getByRole('img')).toHaveCount(2)
  await next(page)
  await page.getByRole('button', { name: 'Publier', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Votre annonce est envoyée' })).toBeVisible()
  await share.holds(page)

  // A photo leaves with every tab closed; the next tab reports it.
  await share.idle()
  await page.goto(`${device.url}/messages/${conversation}`)
  await ready(page)
  await share.holds(page)
  const background = await Background.of(device)
  device.proxy.set('cut')
  await fromGallery(page).setInputFiles([await cameraJpeg('nuit.jpg', 2400, 1800)])
  await expect(preview(page)).toBeVisible()
  await write(page, 'Onglets fermés')
  await expect(bubble(page, 'Onglets fermés')).toHaveAttribute('data-state', /queued|sending/)
  await page.close()
  device.proxy.set('pass')
  await background.networkIsBack()
  await expect
    .poll(async () =>
      JSON.stringify(await buyer.ask('GET', `conversations/${conversation}/messages/`)),
    )
    .toContain('Onglets fermés')
  page = await device.open('/')
  await ready(page)
  await share.holds(page)
})
