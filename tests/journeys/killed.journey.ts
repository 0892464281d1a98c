import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { discard } from '../support/folder.ts'
import { expect, ready, settled, test } from './device.ts'
import { newSeller } from './listings.ts'
import { list, member, type Person, text } from '../support/api.ts'
import { cameraJpeg } from '../support/camera.ts'
import { Killable } from '../support/killable.ts'
import {
  backOnline,
  choose,
  fillCore,
  gallery,
  keptDrafts,
  next,
  option,
  photoAction,
  photoIds,
  photos,
} from '../support/wizard.ts'

/** An app that is killed together with its browser, and opened again on the same profile. */
class App {
  readonly #profile = mkdtempSync(join(tmpdir(), 'killed-'))
  readonly #url: string
  readonly #seller: Person
  #running: Killable | null = null

  constructor(url: string, seller: Person) {
    this.#url = url
    this.#seller = seller
  }

  async open(address: string): Promise<Page> {
    this.#running = await Killable.start(this.#profile)
    const { page } = this.#running
    // Local storage is flushed seconds later, and signing in is not what this test is about.
    await page.addInitScript(
      (token) => localStorage.setItem('authToken', token),
      this.#seller.token,
    )
    await page.goto(this.#url + address)
    await ready(page)
    return page
  }

  async kill(): Promise<void> {
    await this.#running?.kill()
    this.#running = null
  }

  /** Kills the app and opens the draft again from the list of drafts. */
  async again(): Promise<Page> {
    await this.kill()
    const page = await this.open('/create-listing')
    await page.locator('[data-draft]').getByRole('link').click()
    return page
  }

  async discard(): Promise<void> {
    await this.kill()
    discard(this.#profile)
  }
}

test('[S2.38] [S4.01] [S4.19] killed at any step or while sending, the wizard restores all and publishes once', async ({
  market,
  deviceOnDisk: device,
}) => {
  test.slow()
  const seller = await newSeller(market.url)
  const app = new App(device.url, seller)
  try {
    let page = await app.open('/create-listing')
    await settled(page)
    await choose(page, 'Véhicules')
    await expect.poll(() => keptDrafts(page)).toMatchObject([{ category: 'vehicles' }])
    page = await app.again()
    await page.getByRole('button', { name: 'Retour' }).click()
    await expect(page.getByRole('radio', { name: 'Véhicules' })).toBeChecked()

    await next(page)
    await fillCore(page, 'Toyota Corolla 2012')
    await expect
      .poll(() => keptDrafts(page))
      .toMatchObject([{ step: 'core', title: 'Toyota Corolla 2012', phone: '70 00 00 00' }])
    page = await app.again()
    await expect(page.getByRole('textbox', { name: 'Titre' })).toHaveValue('Toyota Corolla 2012')
    await expect(page.getByRole('combobox', { name: 'Ville' })).toHaveValue('ouagadougou')

    await gallery(page).setInputFiles([
      await cameraJpeg('face.jpg', 1600, 1000),
      await cameraJpeg('dos.jpg', 1600, 1100),
    ])
    await expect(photos(page).getByRole('img')).toHaveCount(2)
    const order = (await photoIds(page)).toReversed()
    await photoAction(page, 'Reculer la photo 1')
    await expect.poll(() => keptDrafts(page)).toMatchObject([{ order }])
    page = await app.again()
    await expect(photos(page).getByRole('img')).toHaveCount(2)
    await expect.poll(() => photoIds(page)).toEqual(order)

    await next(page)
    await page.getByLabel(/^Marque/).fill('Toyota')
    await page.getByLabel(/^Carburant/).selectOption('diesel')
    await expect
      .poll(() => keptDrafts(page))
      .toMatchObject([{ step: 'specs', specs: { brand: 'Toyota', fuel: 'diesel' } }])
    page = await app.again()
    await expect(page.getByLabel(/^Marque/)).toHaveValue('Toyota')
    await expect(page.getByLabel(/^Carburant/)).toHaveValue('diesel')

    for (const [label, value] of [
      ['Modèle', 'Corolla'],
      ['Année', '2012'],
      ['Kilométrage', '120000'],
    ] as const)
      await page.getByLabel(new RegExp(`^${label}`)).fill(value)
    await option(page, 'État', 'Occasion').check()
    await option(page, 'Boîte de vitesses', 'Manuelle').check()
    await next(page)
    await expect.poll(() => keptDrafts(page)).toMatchObject([{ step: 'review' }])
    page = await app.again()
    await expect(page.getByText('Étape 4 sur 4')).toBeVisible()
    await expect(page.getByText('Toyota Corolla 2012')).toBeVisible()

    device.proxy.set('cut')
    await page.getByRole('button', { name: 'Publier', exact: true }).click()
    await expect(
      page.getByRole('heading', { name: 'Votre annonce attend d’être envoyée' }),
    ).toBeVisible()
    await app.kill()
    page = await app.open('/profile?tab=listings')
    const card = page.locator('[data-listing]').filter({ hasText: 'Toyota Corolla 2012' })
    await expect(card).toContainText('En attente d’envoi')
    await expect(card.locator('img')).toHaveCount(1)

    const cut = device.proxy.cutAfter(60_000)
    device.proxy.set('pass')
    await backOnline(page)
    await cut
    await app.kill()
    device.proxy.set('pass')
    page = await app.open('/profile?tab=listings')
    // After two failed tries the photos may wait for a minute.
    await expect.poll(async () => (await keptDrafts(page)).length, { timeout: 180_000 }).toBe(0)
    const own = list(await seller.ask('GET', 'profile/my-listings/?status=all'), 'results')
    expect(own.map((row) => text(row, 'title'))).toEqual(['Toyota Corolla 2012'])
    const made = await seller.ask('GET', `listings/${text(own[0], 'id')}/`)
    expect(list(made, 'images').map((image) => member(image, 'width'))).toEqual([1100, 1000])
    expect(member(made, 'specs')).toMatchObject({
      brand: 'Toyota',
      model: 'Corolla',
      year: 2012,
      fuel: 'diesel',
    })
  } finally {
    await app.discard()
  }
})
