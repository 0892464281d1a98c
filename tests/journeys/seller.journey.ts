import { expect, openSignedIn, ready, settled, test } from './device.ts'
import { admin } from '../support/admin.ts'
import { list, text } from '../support/api.ts'
import { plainJpeg } from '../support/camera.ts'
import { faultless } from './faultless.ts'
import { newSeller } from './listings.ts'
import { choose, fillCore, gallery, keptDrafts, next, photos } from '../support/wizard.ts'

test('[S13.40] a category is found by typing; arrow keys only move the choice, Enter goes on', async ({
  market,
  device,
}) => {
  const seller = await newSeller(market.url)
  const page = await openSignedIn(device, seller.username, '/create-listing')
  await ready(page)
  const search = page.getByRole('searchbox', { name: 'Chercher une catégorie' })
  const tiles = page.getByRole('radio')
  await expect(tiles).toHaveCount(18)
  await search.fill('moto')
  await expect(tiles.first()).toHaveAccessibleName('Motos')
  await search.fill('tel')
  await expect(tiles.first()).toHaveAccessibleName('Téléphones et tablettes')
  await search.fill('xyz')
  await expect(page.getByText('Aucune catégorie trouvée.')).toBeVisible()
  await search.fill('')

  await page.getByRole('radio', { name: 'Véhicules' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: 'Immobilier' })).toBeChecked()
  await expect
    .poll(() => keptDrafts(page))
    .toMatchObject([{ category: 'properties', step: 'category' }])
  await expect(page.getByText('Étape 1 sur 4')).toBeAttached()
  await faultless(page)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Étape 2 sur 4')).toBeAttached()
  await faultless(page)

  await page.getByRole('button', { name: 'Retour' }).click()
  await search.fill('redmi')
  await search.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Titre' })).toBeVisible()
  await expect.poll(() => keptDrafts(page)).toMatchObject([{ category: 'mobile-tablet' }])
})

test('[S13.41] photos come first or last: they begin a draft, and are added while checking it', async ({
  market,
  device,
}) => {
  const seller = await newSeller(market.url)
  const page = await openSignedIn(device, seller.username, '/create-listing')
  await ready(page)
  await gallery(page).setInputFiles([await plainJpeg('a.jpg', '#c00000', 300, 200)])
  await expect(photos(page)).toHaveCount(1)
  await expect(page).toHaveURL(/draft=/)
  await expect.poll(() => keptDrafts(page)).toMatchObject([{ photos: 1 }])
  await page.reload()
  await ready(page)
  await expect(photos(page)).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Photo 1, couverture' })).toBeVisible()

  await choose(page, 'Services')
  await fillCore(page, 'Couture à domicile')
  await next(page)
  await gallery(page).setInputFiles([await plainJpeg('b.jpg', '#00c000', 400, 200)])
  await expect(photos(page)).toHaveCount(2)
  await expect.poll(() => keptDrafts(page)).toMatchObject([{ photos: 2 }])
})

test('[S13.43] a proposal follows the title, and never replaces what was written or cleared', async ({
  market,
  device,
}) => {
  const seller = await newSeller(market.url)
  const page = await openSignedIn(device, seller.username, '/create-listing')
  await ready(page)
  await choose(page, 'Véhicules')
  await fillCore(page, 'Toyota Corolla 2008')
  await next(page)
  const field = (name: string) => page.getByLabel(new RegExp(`^${name}`))
  await expect(field('Marque')).toHaveValue('Toyota')
  await expect(field('Modèle')).toHaveValue('Corolla')
  await expect(field('Année')).toHaveValue('2008')
  await expect(page.getByText('Proposé d’après le titre')).toHaveCount(3)
  await field('Année').fill('')
  await field('Modèle').fill('Corolla 115')
  await expect(page.getByText('Proposé d’après le titre')).toHaveCount(1)

  await page.getByRole('button', { name: 'Retour' }).click()
  await page.getByRole('textbox', { name: 'Titre' }).fill('Toyota Corolla 2010 diesel')
  await next(page)
  await expect(field('Modèle')).toHaveValue('Corolla 115')
  await expect(field('Année')).toHaveValue('')
  await expect(field('Carburant')).toHaveValue('diesel')
  await faultless(page)

  await page.getByRole('button', { name: 'Retour' }).click()
  await page.getByRole('textbox', { name: 'Titre' }).fill('Renault à vendre')
  await next(page)
  await expect(field('Marque')).toHaveValue('Renault')
  await expect(field('Carburant')).toHaveValue('')
})

test('[S13.44] [S13.45] after publishing the card shows; the next listing begins with its place', async ({
  market,
  device,
}) => {
  const seller = await newSeller(market.url)
  await seller.ask('PATCH', 'auth/me/', { phone: '+22670112233' })
  const page = await openSignedIn(device, seller.username, '/create-listing')
  await ready(page)
  await settled(page)
  await page.evaluate(() =>
    Object.defineProperty(navigator, 'vibrate', {
      value: (ms: number) => Reflect.set(globalThis, 'vibrated', ms),
    }),
  )
  await choose(page, 'Services')
  await expect(page.getByRole('textbox', { name: 'Téléphone' })).toHaveValue('+22670112233')
  await gallery(page).setInputFiles([await plainJpeg('a.jpg', '#c00000', 300, 200)])
  await expect(photos(page)).toHaveCount(1)
  await fillCore(page, 'Couture à domicile')
  await next(page)
  device.proxy.set('cut')
  await page.getByRole('button', { name: 'Publier', exact: true }).click()
  await expect(
    page.getByRole('heading', { name: 'Votre annonce attend d’être envoyée' }),
  ).toBeVisible()
  await expect.poll(() => page.evaluate('globalThis.vibrated')).toBeGreaterThan(0)
  const preview = page.getByRole('figure', { name: 'Aperçu de l’annonce' })
  await expect(preview).toContainText('Couture à domicile')
  await expect(preview).toContainText(/45\s000/)
  await expect(preview).toContainText('Ouagadougou')
  await expect(preview.locator('img')).toHaveCount(1)
  await expect(page.getByRole('list', { name: 'Envoi des photos' })).toBeVisible()
  await expect(page.getByText('Partager sur WhatsApp')).toHaveCount(0)
  await faultless(page)

  device.proxy.set('pass')
  await expect(page.getByRole('heading', { name: 'Votre annonce est envoyée' })).toBeVisible()
  const [made] = list(await seller.ask('GET', 'profile/my-listings/?status=all'), 'results')
  const id = text(made, 'id')
  await expect(preview.locator(`[data-listing="${id}"]`)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Partager sur WhatsApp' })).toHaveAttribute(
    'href',
    new RegExp(encodeURIComponent(`/listings/${id}`)),
  )
  await expect(page.getByText('Le lien s’ouvrira dès que l’annonce sera validée.')).toBeVisible()
  await faultless(page)
  await admin(market, 'approve', id)
  await expect(page.getByText('Elle est en ligne')).toBeVisible()

  await page.getByRole('link', { name: 'Publier une autre annonce' }).click()
  await choose(page, 'Services')
  await expect(page.getByRole('combobox', { name: 'Ville' })).toHaveValue('ouagadougou')
  await expect(page.getByRole('combobox', { name: 'Lieu' })).toHaveValue('Ouagadougou')
  await page.getByRole('button', { name: /^Reprendre « Couture/ }).click()
  await page.getByRole('button', { name: /^Reprendre 45/ }).click()
  await expect(page.getByRole('textbox', { name: 'Titre' })).toHaveValue('Couture à domicile')
  await expect(page.getByRole('textbox', { name: 'Prix (F CFA)' })).toHaveValue('45 000 F')
})

test('[S13.42] a place is chosen by keyboard, and its lists follow', async ({ market, device }) => {
  const seller = await newSeller(market.url)
  const page = await openSignedIn(device, seller.username, '/create-listing')
  await ready(page)
  await choose(page, 'Services')
  const place = page.getByRole('combobox', { name: 'Lieu' })
  await place.focus()
  await page.keyboard.type('gounghin')
  await expect(page.getByRole('listbox', { name: 'Lieux' })).toBeVisible()
  await faultless(page)
  await page.keyboard.press('Enter')
  await expect(place).toHaveValue('Gounghin, Ouagadougou')
  await expect(page.getByRole('combobox', { name: 'Région' })).toHaveValue('kadiogo')
  await expect(page.getByRole('combobox', { name: 'Quartier' })).toHaveValue(
    'ouagadougou--gounghin',
  )
  await page.keyboard.type('zzz')
  await expect(page.getByText('Aucun lieu trouvé.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(place).toHaveValue('Gounghin, Ouagadougou')
  await page.getByRole('combobox', { name: 'Région' }).selectOption('guiriko')
  await expect(place).toHaveValue('Guiriko')
})

test('[S13.49] on a wide window the card is beside the form, and changes while one writes', async ({
  market,
  desktop,
}) => {
  const seller = await newSeller(market.url)
  const page = await openSignedIn(desktop, seller.username, '/create-listing')
  await ready(page)
  const preview = page.getByRole('figure', { name: 'Aperçu de l’annonce' })
  await expect(preview.getByText('Prix', { exact: true })).toBeVisible()
  await choose(page, 'Services')
  await fillCore(page, 'Coiffure à domicile')
  await expect(preview).toContainText('Coiffure à domicile')
  await expect(preview).toContainText(/45\s000/)
  await gallery(page).setInputFiles([await plainJpeg('a.jpg', '#c00000', 300, 200)])
  await expect(preview.locator('img')).toHaveCount(1)
  const [form, card] = [
    await page.getByRole('textbox', { name: 'Titre' }).boundingBox(),
    await preview.boundingBox(),
  ]
  expect(card?.x).toBeGreaterThan((form?.x ?? 0) + (form?.width ?? 0))
  await faultless(page)
})
