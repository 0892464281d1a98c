import type { Page } from '@playwright/test'
import { PICTURES } from '#schema/port/service'
import { expect, type Device, ready, settled, signIn, test } from './device.ts'
import { listed, newSeller } from './listings.ts'
import { list, Person, text } from '../support/api.ts'
import { cameraJpeg, plainJpeg } from '../support/camera.ts'
import { bubble, talk, write } from '../support/conversation.ts'
import { StorageQuota } from '../support/quota.ts'
import { choose, fillCore, gallery, keptDrafts, next, photos } from '../support/wizard.ts'

/** A seller with a draft, on a device whose disk can be filled. */
async function writing(
  device: Device,
  seller: Person,
  title: string,
): Promise<{ readonly page: Page; readonly quota: StorageQuota }> {
  const quota = await StorageQuota.of(await device.open('/sw.js'))
  const page = await device.open('/')
  await signIn(page, device, seller.username, '/create-listing')
  await ready(page)
  await settled(page)
  await choose(page, 'Services')
  await fillCore(page, title)
  await expect.poll(() => keptDrafts(page)).toMatchObject([{ title }])
  // Files that the service worker caches later would take the free space.
  await expect.poll(() => allCached(page)).toBe(true)
  return { page, quota }
}

/** True if every file of the build is cached; the service worker's script lists them. */
const allCached = (page: Page): Promise<boolean> =>
  page.evaluate(async () => {
    const script = await (await fetch('/sw.js')).text()
    const files = [...new Set(script.match(/assets\/[\w.-]+\.(?:js|css)/g))]
    const cached = await Promise.all(files.map((file) => caches.match(`/${file}`)))
    return files.length > 20 && cached.every(Boolean)
  })

const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })
const publish = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Publier', exact: true }).click()
const description = (page: Page) => page.getByRole('textbox', { name: 'Description' })

test('[S2.38] [S5.05] on a full disk photos wait for space, the text is saved, and both continue with space', async ({
  market,
  deviceOnDisk: device,
}) => {
  const seller = await newSeller(market.url)
  const { page, quota } = await writing(device, seller, 'Couture à domicile')
  // Space for a text, not for a photo; and no cache is left that could be deleted.
  await page.evaluate((name) => caches.delete(name), PICTURES)
  await quota.fill(60_000)
  const [first, second] = [
    await cameraJpeg('face.jpg', 1600, 1200),
    await cameraJpeg('dos.jpg', 1600, 1400),
  ]
  await gallery(page).setInputFiles([first, second])
  await expect(alert(page, 'face.jpg')).toContainText('attend de la place')
  await expect(alert(page, 'dos.jpg')).toContainText('attend de la place')
  await expect(alert(page, 'Votre texte est gardé, mais pas toutes vos photos')).toContainText(
    'Supprimez d’autres brouillons, des vidéos',
  )
  await description(page).fill('Robes et pagnes, sur mesure.')
  await expect
    .poll(() => keptDrafts(page))
    .toMatchObject([{ description: 'Robes et pagnes, sur mesure.', photos: 0 }])
  // A listing is not sent while a photo that belongs to it is missing.
  await next(page)
  await publish(page)
  await expect(alert(page, 'Échec de l’envoi')).toContainText(
    'Une photo attend de la place sur ce téléphone.',
  )
  await page.getByRole('button', { name: 'Retour' }).click()
  await alert(page, 'dos.jpg').getByRole('button', { name: 'Retirer' }).click()
  await expect(alert(page, 'dos.jpg')).toHaveCount(0)
  // The person looks on another screen for what to delete, and comes back.
  await page
    .getByRole('navigation', { name: 'Navigation principale' })
    .getByRole('link', { name: /^Profil/ })
    .click()
  await expect(page).toHaveURL(/\/profile/)
  await page.goBack()
  await expect(alert(page, 'face.jpg')).toContainText('attend de la place')

  await quota.free()
  await expect(photos(page).getByRole('img')).toHaveCount(1)
  await expect(alert(page, 'face.jpg')).toHaveCount(0)
  await expect(alert(page, 'Votre texte est gardé, mais pas toutes vos photos')).toHaveCount(0)
  await next(page)
  await publish(page)
  await expect(page.getByRole('heading', { name: 'Votre annonce est envoyée' })).toBeVisible()
  const own = list(await seller.ask('GET', 'profile/my-listings/?status=all'), 'results')
  expect(own.map((row) => [text(row, 'title'), list(row, 'images').length])).toEqual([
    ['Couture à domicile', 1],
  ])
})

test('[S2.38] [S8.14] with no space for text the app shows what to delete, keeps the text, and saves it later', async ({
  market,
  deviceOnDisk: device,
}) => {
  const seller = await newSeller(market.url)
  await listed(seller, 'Une autre')
  const { page, quota } = await writing(device, seller, 'Tissage de nattes')
  await page.evaluate((name) => caches.delete(name), PICTURES)
  await quota.fill(300)
  const text = 'Nattes de toutes les tailles. '.repeat(30).trim()
  await description(page).fill(text)
  await expect(alert(page, 'Ce que vous écrivez n’est pas encore gardé')).toContainText(
    'Supprimez d’autres brouillons, des vidéos',
  )
  await next(page)
  await publish(page)
  await expect(alert(page, 'Échec de l’envoi')).toContainText('La mémoire du téléphone est pleine.')
  expect(await keptDrafts(page)).not.toMatchObject([{ description: text }])
  // The person looks on another screen for what to delete, and comes back.
  await page
    .getByRole('navigation', { name: 'Navigation principale' })
    .getByRole('link', { name: /^Profil/ })
    .click()
  await expect(page).toHaveURL(/\/profile/)
  await page.goBack()
  await expect(alert(page, 'Ce que vous écrivez n’est pas encore gardé')).toBeVisible()
  await page.getByRole('button', { name: 'Retour' }).click()
  await expect(description(page)).toHaveValue(text)

  await quota.free()
  await expect(alert(page, 'Ce que vous écrivez n’est pas encore gardé')).toHaveCount(0)
  await expect.poll(() => keptDrafts(page)).toMatchObject([{ description: text }])
  await next(page)
  await publish(page)
  await expect(page.getByRole('heading', { name: 'Votre annonce est envoyée' })).toBeVisible()
})

const CACHED_BYTES = 2 * 1024 * 1024

test('[S2.38] caches are deleted to make space for a photo', async ({
  market,
  deviceOnDisk: device,
}) => {
  const seller = await newSeller(market.url)
  const { page, quota } = await writing(device, seller, 'Panier tressé')
  // The picture comes last: a write of the app while the disk is filled would delete it.
  await quota.fill(CACHED_BYTES + 60_000)
  await page.evaluate(
    async ({ name, bytes }) => {
      const pictures = await caches.open(name)
      await pictures.put('/media/kept.webp', new Response(new Uint8Array(bytes)))
    },
    { name: PICTURES, bytes: CACHED_BYTES },
  )
  await gallery(page).setInputFiles([
    await plainJpeg('panier.jpg', '#c08000', 640, 480),
    await cameraJpeg('détail.jpg', 1600, 1200),
  ])
  await expect(photos(page).getByRole('img')).toHaveCount(2)
  await expect(page.getByRole('alert')).toHaveCount(0)
  expect(
    await page.evaluate(
      async (name) =>
        (await caches.open(name)).match('/media/kept.webp').then((kept) => kept === undefined),
      PICTURES,
    ),
  ).toBe(true)
})

test('[S2.28] [S2.38] [S4.03] with storage blocked one can sign in, write and publish, with warnings', async ({
  market,
  deviceOnDisk: device,
}) => {
  const { buyer, conversation } = await talk(market)
  device.forbidStorage()
  const page = await device.open(
    `/auth?mode=login&next=${encodeURIComponent(`/messages/${conversation}`)}`,
  )
  await ready(page)
  await page.getByRole('textbox', { name: 'E-mail ou nom d’utilisateur' }).fill(buyer.username)
  await page.getByLabel('Mot de passe', { exact: true }).fill('marche2026')
  await page.getByRole('button', { name: 'Se connecter' }).click()
  const line = page
    .getByRole('status')
    .filter({ hasText: 'ce qui n’est pas envoyé sera oublié en fermant' })
  await expect(line).toBeVisible()
  await write(page, 'Je passe demain.')
  await expect(bubble(page, 'Je passe demain.')).toHaveAttribute('data-state', 'sent')

  device.proxy.set('cut')
  await write(page, 'Vers dix heures.')
  await expect(line).toContainText('Vous êtes hors ligne.')
  const asked = page.waitForEvent('dialog')
  const closing = page.close({ runBeforeUnload: true })
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  await closing
  device.proxy.set('pass')
  await expect(bubble(page, 'Vers dix heures.')).toHaveAttribute('data-state', 'sent')

  await page.getByRole('link', { name: 'Retour aux conversations' }).click()
  await page.getByRole('link', { name: 'Publier une annonce' }).click()
  await choose(page, 'Services')
  await fillCore(page, 'Coiffure à domicile')
  await gallery(page).setInputFiles([await plainJpeg('coiffure.jpg', '#c08000', 640, 480)])
  await expect(photos(page).getByRole('img')).toHaveCount(1)
  await next(page)
  await publish(page)
  await expect(page.getByRole('heading', { name: 'Votre annonce est envoyée' })).toBeVisible()
  const own = list(await buyer.ask('GET', 'profile/my-listings/?status=all'), 'results')
  expect(own.map((row) => [text(row, 'title'), list(row, 'images').length])).toEqual([
    ['Coiffure à domicile', 1],
  ])
})

test('[S2.28] [S4.05] on a full disk messages wait or show why not, signing out erases, signing in works', async ({
  market,
  deviceOnDisk: device,
}) => {
  const { buyer, conversation } = await talk(market)
  const quota = await StorageQuota.of(await device.open('/sw.js'))
  const page = await device.open('/')
  await signIn(page, device, buyer.username, `/messages/${conversation}`)
  await ready(page)
  await expect(bubble(page, 'Bonjour')).toBeVisible()
  await settled(page)
  await page.evaluate(async (name) => {
    const pictures = await caches.open(name)
    await pictures.put('/media/kept.webp', new Response(new Uint8Array(2 * 1024 * 1024)))
  }, PICTURES)
  device.proxy.set('cut')
  await quota.fill(300)
  // Caches are deleted to make space for a message.
  await write(page, 'Sans réseau, mémoire pleine')
  await expect(bubble(page, 'Sans réseau, mémoire pleine')).toHaveAttribute(
    'data-state',
    /queued|sending/,
  )
  device.proxy.set('pass')
  await expect(bubble(page, 'Sans réseau, mémoire pleine')).toHaveAttribute(
    'data-state',
    /sent|read/,
  )

  await quota.fill(300)
  const left = new Person(market.url)
  left.token = await page.evaluate(() => localStorage.getItem('authToken') ?? '')
  await page.getByRole('link', { name: 'Retour aux conversations' }).click()
  await page.getByRole('button', { name: 'Menu du compte' }).click()
  await page.getByRole('menuitem', { name: 'Se déconnecter' }).click()
  await expect(page).toHaveURL(`${device.url}/`)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('authToken'))).toBeNull()
  await expect.poll(() => left.ask('GET', 'auth/me/').then(() => 200, String)).toContain('401')
  await signIn(page, device, buyer.username, `/messages/${conversation}`)
  await expect(bubble(page, 'Sans réseau, mémoire pleine')).toBeVisible()
})
