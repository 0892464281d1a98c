import { faultless } from './faultless.ts'
import { expect, ready, settled, openSignedIn, signIn, test } from './device.ts'
import { Person, list, member, text } from '../support/api.ts'
import { plainJpeg } from '../support/camera.ts'
import type { Product } from '../support/product.ts'
import { holdTimers } from './timers.ts'
import {
  choose,
  fillCore,
  keptDrafts,
  next,
  option,
  photoAction,
  photoIds,
  photos,
} from '../support/wizard.ts'

async function newSeller(market: Product): Promise<Person> {
  return new Person(market.url).register(`vend${Date.now() % 1e8}`)
}

test('[F01] [S2.38] [S4.01] [S4.19] a listing written offline survives a restart and is sent once, in order', async ({
  market,
  deviceOnDisk: device,
}) => {
  const seller = await newSeller(market)
  let page = await openSignedIn(device, seller.username, '/')
  await ready(page)
  await settled(page)
  device.proxy.set('cut')

  await page.goto(`${device.url}/create-listing`)
  await ready(page)
  await choose(page, 'Emplois')
  const title = `Vélo de course ${Date.now()}`
  await fillCore(page, title)
  await page
    .getByLabel('Ajouter des photos')
    .setInputFiles([
      await plainJpeg('rouge.jpg', '#c00000', 400, 300),
      await plainJpeg('bleu.jpg', '#0000c0', 300, 500),
    ])
  await expect(photos(page).getByRole('img')).toHaveCount(2)
  const order = (await photoIds(page)).toReversed()
  await photoAction(page, 'Reculer la photo 1')
  await expect(page.getByText('Photo en place 2 sur 2')).toBeAttached()
  await expect.poll(() => keptDrafts(page)).toMatchObject([{ title, photos: 2, order }])
  await device.close()

  page = await device.open('/create-listing')
  await ready(page)
  const draft = page.locator('[data-draft]')
  await expect(draft).toHaveCount(1)
  await expect(draft).toContainText(title)
  await draft.getByRole('link').click()
  await expect(page.getByRole('textbox', { name: 'Titre' })).toHaveValue(title)
  await expect(photos(page).getByRole('img')).toHaveCount(2)
  await next(page)
  await expect(page.getByText(title)).toBeVisible()
  await page.getByRole('button', { name: 'Publier' }).click()
  await expect(
    page.getByRole('heading', { name: 'Votre annonce attend d’être envoyée' }),
  ).toBeVisible()
  await expect(page.getByText(/Une notification vous dira/)).toBeVisible()

  device.proxy.set('pass')
  await expect(page.getByRole('heading', { name: 'Votre annonce est envoyée' })).toBeVisible()
  const own = list(await seller.ask('GET', 'profile/my-listings/?status=all'), 'results')
  expect(own.map((row) => text(row, 'title'))).toEqual([title])
  const detail = await seller.ask('GET', `listings/${text(own[0], 'id')}/`)
  expect(member(detail, 'price')).toBe(45_000)
  expect(
    list(detail, 'images').map((image) => [member(image, 'width'), member(image, 'height')]),
  ).toEqual([
    [300, 500],
    [400, 300],
  ])
  await page.goto(`${device.url}/create-listing`)
  await ready(page)
  await expect(page.locator('[data-draft]')).toHaveCount(0)
})

test('[S5.04] [S5.05] [S2.38] missing fields show errors and get the focus; bad and surplus photos are named', async ({
  market,
  device,
}) => {
  const seller = await newSeller(market)
  const page = await openSignedIn(device, seller.username, '/create-listing')
  await ready(page)
  await next(page)
  await expect(page.getByText('Choisissez une catégorie.')).toBeVisible()
  await choose(page, 'Véhicules')
  await page.getByRole('textbox', { name: 'Description' }).fill('Bon état')
  await next(page)
  await expect(page.getByText('Le titre doit contenir entre 5 et 120 caractères.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Titre' })).toBeFocused()
  await expect(page.getByRole('textbox', { name: 'Description' })).toHaveValue('Bon état')
  await page.getByRole('textbox', { name: 'Titre' }).fill('Toyota')
  await expect(page.getByText('Le titre doit contenir entre 5 et 120 caractères.')).toHaveCount(0)
  await expect(page.getByText('La région est obligatoire.')).toBeVisible()

  const files = page.getByLabel('Ajouter des photos')
  await files.setInputFiles([await plainJpeg('petite.jpg', '#00c000', 199, 400)])
  await expect(page.getByRole('alert').filter({ hasText: 'petite.jpg' })).toContainText(
    'image trop petite',
  )
  const many = await Promise.all(
    [1, 2, 3, 4, 5, 6].map((n) => plainJpeg(`photo${n}.jpg`, '#00c0c0', 240, 240)),
  )
  // A file that is no photo does not count towards the five.
  await files.setInputFiles([await plainJpeg('mince.jpg', '#00c000', 400, 199), ...many])
  await expect(page.getByRole('alert').filter({ hasText: 'mince.jpg' })).toContainText(
    'image trop petite',
  )
  await expect(page.getByRole('alert').filter({ hasText: 'photo6.jpg' })).toContainText(
    '5 photos au maximum',
  )
  await expect(photos(page)).toHaveCount(5)

  await fillCore(page, 'Toyota Corolla 2012')
  await next(page)
  await next(page)
  await expect(page.getByText('Cette information est obligatoire.').first()).toBeVisible()
  await page.getByRole('button', { name: 'Retour' }).click()
  await expect(page.getByRole('textbox', { name: 'Titre' })).toHaveValue('Toyota Corolla 2012')
  await expect
    .poll(() => keptDrafts(page))
    .toMatchObject([{ title: 'Toyota Corolla 2012', step: 'core', photos: 5 }])
  await page.reload()
  await ready(page)
  await expect(page.getByRole('textbox', { name: 'Titre' })).toHaveValue('Toyota Corolla 2012')
  await expect(photos(page)).toHaveCount(5)
  await faultless(page)

  await page.goto(`${device.url}/create-listing`)
  await page.getByRole('button', { name: 'Supprimer le brouillon Toyota Corolla 2012' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click()
  await expect(page.locator('[data-draft]')).toHaveCount(0)
})

test('[S8.14] [S2.38] a listing refused by the server shows why, is corrected and published once', async ({
  market,
  device,
}) => {
  const seller = await newSeller(market)
  const page = await openSignedIn(device, seller.username, '/create-listing')
  await ready(page)
  await choose(page, 'Services')
  await fillCore(page, 'Cours de couture')
  await page
    .getByLabel('Ajouter des photos')
    .setInputFiles([await plainJpeg('vert.jpg', '#008000', 320, 320)])
  await expect(photos(page)).toHaveCount(1)
  await next(page)
  const refusal = 'Ce titre n’est pas permis.'
  await device.context.route('**/api/listings/', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({
          status: 400,
          json: {
            detail: refusal,
            code: 'validation_error',
            title: [refusal],
            field_codes: { title: [{ code: 'invalid' }] },
          },
        })
      : route.continue(),
  )
  await page.getByRole('button', { name: 'Publier' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Échec de l’envoi' })).toContainText(
    refusal,
  )
  await device.context.unrouteAll()
  await page.getByRole('button', { name: 'Retour' }).click()
  await page.getByRole('textbox', { name: 'Titre' }).fill('Leçons de couture')
  await next(page)
  await page.getByRole('button', { name: 'Publier' }).click()
  await expect(page.getByRole('heading', { name: 'Votre annonce est envoyée' })).toBeVisible()
  const own = list(await seller.ask('GET', 'profile/my-listings/?status=all'), 'results')
  expect(own.map((row) => text(row, 'title'))).toEqual(['Leçons de couture'])
  expect(list(own[0], 'images')).toHaveLength(1)
})

test('[S13.68] a photo asked for right after a tap on a category is taken: the step waits for it', async ({
  market,
  device,
}) => {
  const seller = await newSeller(market)
  const page = await openSignedIn(device, seller.username)
  // Between the tap on a tile and the next step.
  const held = await holdTimers(page, 160)
  await page.goto(`${device.url}/create-listing`)
  await ready(page)
  await page.getByRole('radio', { name: 'Sports' }).click()
  await expect.poll(held.count).toBe(1)
  const asked = page.waitForEvent('filechooser')
  await page.getByText('Ajouter des photos').click()
  const chooser = await asked
  await expect.poll(held.count).toBe(0)
  await chooser.setFiles([await plainJpeg('vert.jpg', '#008000', 320, 320)])
  await expect(photos(page)).toHaveCount(1)
  await expect(page.getByRole('radio', { name: 'Sports' })).toBeChecked()
  await next(page)
  await expect(page.getByRole('textbox', { name: 'Titre' })).toBeVisible()
  await expect(photos(page)).toHaveCount(1)
})

test('[S2.38] [S13.40] a double tap on a category or on "Continuer" goes one step, without an error', async ({
  market,
  device,
}) => {
  const seller = await newSeller(market)
  const page = await openSignedIn(device, seller.username)
  // How long a step's button takes no tap: here until the next two taps.
  const held = await holdTimers(page, 350)
  await page.goto(`${device.url}/create-listing`)
  await ready(page)
  const twice = async (): Promise<void> => {
    await held.letGo()
    await page.getByRole('button', { name: 'Continuer' }).dblclick()
  }
  await page.getByRole('radio', { name: 'Sports' }).dblclick()
  await expect(page.getByText('Étape 2 sur 4')).toBeVisible()
  await fillCore(page, 'Vélo de ville')
  await expect(page.locator('[aria-invalid=true]')).toHaveCount(0)
  await twice()
  await page.getByRole('combobox', { name: 'Type' }).selectOption('bicycle')
  await option(page, 'État', 'Occasion').check()
  await twice()
  await expect(page.getByRole('heading', { name: 'Vérification' })).toBeVisible()
  await expect(page).toHaveURL(/step=review/)
  await held.letGo()
  await page.getByRole('button', { name: 'Publier' }).click()
  await expect(page).toHaveURL(/step=done/)
})

test('[S2.38] [S6.02] a draft that another tab still shows does not become the next person’s', async ({
  market,
  device,
}) => {
  const [awa, issa] = [
    await newSeller(market),
    await new Person(market.url).register(`issa${Date.now() % 1e8}`),
  ]
  const page = await openSignedIn(device, awa.username, '/create-listing')
  await ready(page)
  await choose(page, 'Sports')
  await page.getByRole('textbox', { name: 'Titre' }).fill('Vélo d’Awa')
  await expect.poll(() => keptDrafts(page)).toMatchObject([{ title: 'Vélo d’Awa' }])
  const beside = await device.open('/')
  await ready(beside)
  const leave = async (): Promise<void> => {
    await beside.getByRole('button', { name: 'Menu du compte' }).click()
    await beside.getByRole('menuitem', { name: 'Se déconnecter' }).click()
    await expect(beside).toHaveURL(`${device.url}/`)
  }
  await leave()
  await expect(page.getByText('Votre brouillon reste sur ce téléphone')).toBeVisible()
  await signIn(beside, device, issa.username, '/profile')
  await ready(beside)
  await expect(page).toHaveURL(`${device.url}/create-listing`)
  await choose(page, 'Emplois')
  await expect(page.getByRole('textbox', { name: 'Titre' })).toHaveValue('')
  await expect(beside.locator('[data-draft]')).toHaveCount(1)
  await expect(beside.locator('[data-draft]')).not.toContainText('Awa')
  await leave()
  await signIn(beside, device, awa.username, '/profile')
  await expect(beside.locator('[data-draft]')).toContainText('Vélo d’Awa')
})
