import type { Page } from '@playwright/test'
import { type Device, expect, ready, settled, openSignedIn, signIn, test } from './device.ts'
import { Person } from '../support/api.ts'
import { type Picked, plainJpeg } from '../support/camera.ts'
import type { Product } from '../support/product.ts'
import { choose, gallery, keptDrafts, photos } from '../support/wizard.ts'

const seller = (market: Product): Promise<Person> =>
  new Person(market.url).register(`part${Date.now() % 1e8}`)

async function twoPeople(market: Product): Promise<[Person, Person]> {
  return [await seller(market), await new Person(market.url).register(`suivant${Date.now() % 1e8}`)]
}

/**
 * Shares into the app as the system does, with a form posted as a navigation. It is posted from
 * a static file of the origin, so that no page of the app is open.
 */
async function share(
  from: Page,
  target: string,
  texts: Readonly<Record<string, string>>,
  files: readonly Picked[],
): Promise<void> {
  await from.evaluate(
    ([action, fields]) => {
      const form = document.createElement('form')
      Object.assign(form, { action, method: 'post', enctype: 'multipart/form-data' })
      for (const [name, value] of Object.entries(fields))
        form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
      form.append(
        Object.assign(document.createElement('input'), {
          type: 'file',
          name: 'photos',
          multiple: true,
        }),
      )
      document.documentElement.append(form)
    },
    [target, texts] as const,
  )
  await from.locator('input[type=file]').setInputFiles([...files])
  await from.evaluate(() => document.querySelector('form')?.submit())
}

async function launcher(device: Device): Promise<Page> {
  return device.open('/manifest.webmanifest')
}

const shares = (page: Page): Promise<number> =>
  page.evaluate(async () => (await (await caches.open('shared')).keys()).length)

test('[S2.38] [S5.05] pictures shared offline by a visitor open a draft after signing in, once', async ({
  market,
  deviceOnDisk: device,
}) => {
  const person = await seller(market)
  const app = await device.open('/')
  await ready(app)
  await settled(app)
  let page = await launcher(device)
  device.proxy.set('cut')
  await share(
    page,
    '/share',
    { title: 'Pagne tissé', text: 'Trois pièces', url: 'https://example.com/p' },
    [
      await plainJpeg('un.jpg', '#c00000', 300, 200),
      await plainJpeg('deux.jpg', '#0000c0', 400, 200),
      { name: 'film.mp4', mimeType: 'video/mp4', buffer: Buffer.from('film') },
    ],
  )
  await expect(page.getByRole('heading', { name: 'Se connecter' })).toBeVisible()
  const address = page.url()
  await device.close()

  device.proxy.set('pass')
  page = await device.open('/')
  await expect.poll(() => shares(page)).toBe(3)
  await signIn(page, device, person.username, '/create-listing')
  await ready(page)
  const waiting = page.locator('[data-draft]')
  await expect(waiting).toContainText('Pagne tissé')
  await expect(waiting).toContainText('2 photos')
  await waiting.getByRole('link').click()
  await expect(photos(page).getByRole('img')).toHaveCount(2)
  await choose(page, 'Services')
  await expect(page.getByRole('textbox', { name: 'Titre' })).toHaveValue('Pagne tissé')
  await expect(page.getByRole('textbox', { name: 'Description' })).toHaveValue(
    'Trois pièces\nhttps://example.com/p',
  )
  await expect(page.getByRole('alert').filter({ hasText: 'film.mp4' })).toContainText(
    'ce format n’est pas pris en charge',
  )
  await expect.poll(() => shares(page)).toBe(0)

  // The address that it was first opened with opens the same draft.
  await page.goto(device.url + new URLSearchParams(new URL(address).search).get('next'))
  await ready(page)
  await expect(photos(page).getByRole('img')).toHaveCount(2)
  expect(await keptDrafts(page)).toMatchObject([{ title: 'Pagne tissé', photos: 2 }])
})

test('[S2.38] [S9.02] pictures shared offline when signed in become a new draft; a sixth is named', async ({
  market,
  device,
}) => {
  const person = await seller(market)
  const app = await openSignedIn(device, person.username, '/')
  await ready(app)
  await settled(app)
  const page = await launcher(device)
  device.proxy.set('cut')
  await share(
    page,
    '/share',
    {},
    await Promise.all(
      [1, 2, 3, 4, 5, 6].map((n) => plainJpeg(`vue${n}.jpg`, '#008080', 300 + n, 200)),
    ),
  )
  await page.waitForURL(/create-listing\?draft=/)
  await expect(photos(page).getByRole('img')).toHaveCount(5)
  await choose(page, 'Services')
  await expect(page.getByRole('alert').filter({ hasText: 'vue6.jpg' })).toContainText(
    '5 photos au maximum',
  )
  await expect.poll(() => shares(page)).toBe(0)
  await expect.poll(() => keptDrafts(page)).toMatchObject([{ category: 'services', photos: 5 }])
  await page.reload()
  await ready(page)
  await expect(photos(page).getByRole('img')).toHaveCount(5)
  expect(await keptDrafts(page)).toHaveLength(1)
  await expect(gallery(page)).toBeAttached()
})

test('[S4.05] a share is not offered to the next person; an ended session keeps it for its owner', async ({
  market,
  device,
}) => {
  const [first, second] = await twoPeople(market)
  const page = await openSignedIn(device, first.username, '/')
  await ready(page)
  await settled(page)
  const picture = await plainJpeg('un.jpg', '#c00000', 300, 200)
  // The app closes before a draft takes the share over: only the service worker's copy exists.
  const shareInto = async (title: string, all: number) => {
    const other = await launcher(device)
    await device.context.route('**/create-listing*', (route) => route.abort())
    await share(other, '/share', { title }, [picture])
    await expect.poll(() => shares(page)).toBe(all)
    await other.close()
    await device.context.unroute('**/create-listing*')
  }
  const waiting = page.locator('[data-draft]')
  await shareInto('Pagne tissé', 2)
  await page.goto(`${device.url}/create-listing`)
  await expect(waiting).toContainText('Pagne tissé')
  await shareInto('Bogolan', 4)

  // The session ends on the server: the shares, seen or not, wait for their owner only.
  const end = async (person: Person): Promise<void> => {
    await person.ask('POST', 'auth/logout/')
    await page.goto(`${device.url}/auth?mode=login`)
    await page.evaluate(() => localStorage.removeItem('authToken'))
  }
  await end(first)
  await signIn(page, device, second.username, '/create-listing')
  await ready(page)
  await expect(page.getByRole('radio', { name: 'Services' })).toBeVisible()
  await expect(waiting).toHaveCount(0)
  // A signed-in person is redirected past the sign-in form.
  await end(second)
  await signIn(page, device, first.username, '/create-listing')
  await expect(waiting).toContainText(['Bogolan', 'Pagne tissé'])

  await page.getByRole('button', { name: 'Menu du compte' }).click()
  await page.getByRole('menuitem', { name: 'Se déconnecter' }).click()
  await expect.poll(() => shares(page)).toBe(0)
})

test('[S4.03] what is shared after a session that ended with the browser is the next person’s', async ({
  market,
  device,
}) => {
  const [first, second] = await twoPeople(market)
  const page = await openSignedIn(device, first.username, '/create-listing', false)
  await ready(page)
  await settled(page)
  // The engine knows the account before the name of whoever shares is stored or deleted.
  await expect(page.getByRole('button', { name: 'Menu du compte' })).toBeVisible()
  await page.close()

  const other = await launcher(device)
  await share(other, '/share', { title: 'Pagne tissé' }, [
    await plainJpeg('un.jpg', '#c00000', 300, 200),
  ])
  await expect(other.getByRole('heading', { name: 'Se connecter' })).toBeVisible()
  await signIn(other, device, second.username, '/create-listing')
  await ready(other)
  await expect(other.locator('[data-draft]')).toContainText('Pagne tissé')
})

test('another site cannot share into the app', async ({ device }) => {
  const app = await device.open('/')
  await ready(app)
  await settled(app)
  const page = await launcher(device)
  await page.route('http://elsewhere.test/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>Ailleurs</h1>' }),
  )
  await page.goto('http://elsewhere.test/')
  const answered = page.waitForResponse(`${device.url}/share`)
  await share(page, `${device.url}/share`, { title: 'Piège' }, [
    await plainJpeg('piege.jpg', '#000000', 300, 300),
  ])
  // The server's answer to an unknown address; the app's own answer would redirect.
  expect((await answered).status()).toBe(405)
  expect(await shares(app)).toBe(0)
})
