import { list, member, Person, text } from '../support/api.ts'
import { backOnline } from '../support/wizard.ts'
import { expect, ready, settled, openSignedIn, test } from './device.ts'
import { toasted } from './toasts.ts'

test('[S1.02] [S3.16] [S7.32] [S7.33] [S13.52] a search is saved offline, renamed, opened and removed', async ({
  market,
  device,
}) => {
  const me = await new Person(market.url).register(`cherche${Date.now() % 1e7}`)
  const page = await openSignedIn(device, me.username, '/saved')
  await settled(page)
  await page.goto(`${device.url}/listings?search=toyota&category=vehicles&price_max=4000000`)
  await ready(page)
  device.proxy.set('cut')
  const bookmark = page.getByRole('button', { name: 'Enregistrer la recherche' })
  await bookmark.click()
  await toasted(page, 'Recherche enregistrée dans vos favoris.')
  await expect(bookmark).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('button', { name: 'Renommer' }).click()
  const dialog = page.getByRole('dialog', { name: 'Renommer la recherche' })
  await expect(dialog.getByRole('textbox', { name: 'Nom de la recherche' })).toHaveValue(
    /^toyota, Véhicules, Jusqu’à 4.000.000.F.CFA$/,
  )
  await dialog.getByRole('textbox').fill('Corolla Ouaga')
  await dialog.getByRole('button', { name: 'Enregistrer' }).click()
  await expect(dialog).toHaveCount(0)

  await page.goto(`${device.url}/saved`)
  const kept = page.getByRole('region', { name: 'Recherches enregistrées' })
  await expect(kept.getByRole('listitem')).toHaveText(/Corolla Ouaga.*En attente d’envoi/)
  device.proxy.set('pass')
  await backOnline(page)
  const remove = kept.getByRole('button', { name: 'Supprimer la recherche Corolla Ouaga' })
  await expect(remove).toBeVisible()
  const held = async () => list(await me.ask('GET', 'saved-searches/'), 'results')
  await expect
    .poll(async () => (await held()).map((one) => [member(one, 'name'), member(one, 'params')]))
    .toEqual([['Corolla Ouaga', { search: 'toyota', category: 'vehicles', price_max: '4000000' }]])

  await kept.getByRole('link', { name: 'Corolla Ouaga' }).click()
  await expect(page).toHaveURL(/\/listings\?/)
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
    search: 'toyota',
    category: 'vehicles',
    price_max: '4000000',
  })
  // A notification has only the id of the search.
  await page.goto(`${device.url}/listings?saved_search=${text((await held())[0], 'id')}`)
  await expect(page).toHaveURL(/\/listings\?search=toyota/)
  await page.goto(`${device.url}/saved`)
  await remove.click()
  await expect(kept).toHaveCount(0)
  await expect.poll(held).toEqual([])
})

test('[S6.01] a visitor is asked to sign in, and returns to the same search', async ({
  device,
}) => {
  // A link to a personal search shows others nothing.
  const page = await device.open('/listings?saved_search=S1')
  await expect(page).toHaveURL(`${device.url}/saved?search=S1`)
  await ready(page)
  await page.goto(`${device.url}/listings?search=toyota`)
  await ready(page)
  await page.getByRole('button', { name: 'Enregistrer la recherche' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Se connecter' }).click()
  await expect(page).toHaveURL(/\/auth\?/)
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
    mode: 'login',
    next: '/listings?search=toyota',
  })
})
