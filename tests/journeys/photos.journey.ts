import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { type Device, expect, ready, openSignedIn, signIn, test } from './device.ts'
import { Person } from '../support/api.ts'
import { cameraJpeg, type Picked, plainJpeg } from '../support/camera.ts'
import type { Product } from '../support/product.ts'
import { choose, gallery, keptDrafts, photoAction, photos } from '../support/wizard.ts'
import { holdTimers } from './timers.ts'

async function onCore(market: Product, device: Device): Promise<Page> {
  const seller = await new Person(market.url).register(`photo${Date.now() % 1e8}`)
  const page = await openSignedIn(device, seller.username, '/create-listing')
  return pastCategory(page)
}

async function pastCategory(page: Page): Promise<Page> {
  await ready(page)
  await choose(page, 'Services')
  return page
}

const refused = (page: Page, name: string) => page.getByRole('alert').filter({ hasText: name })
const shapes = (page: Page): Promise<readonly string[]> =>
  photos(page)
    .getByRole('img')
    .evaluateAll((images) =>
      images.map((image) =>
        image instanceof HTMLImageElement ? `${image.naturalWidth}×${image.naturalHeight}` : '',
      ),
    )

/** Kilobytes, as the actions of the photo say. */
async function sizeOf(page: Page, n: number): Promise<number> {
  await page.getByRole('button', { name: new RegExp(`^Photo ${n}(,|$)`) }).click()
  const group = page.getByRole('group', { name: `Actions pour la photo ${n}` })
  await expect(group).toContainText(/\d\s*ko/i)
  return Number(/(\d+)\s*ko/i.exec((await group.textContent()) ?? '')?.[1])
}

test('[S5.05] [S9.02] a file that is no photo is refused by name and reason; photos become upright and small', async ({
  market,
  device,
}) => {
  const page = await onCore(market, device)
  const files = gallery(page)
  const good = await plainJpeg('bonne.jpg', '#00c000', 640, 480)
  const bad: readonly (readonly [Picked, string])[] = [
    [
      {
        name: 'lourde.jpg',
        mimeType: 'image/jpeg',
        buffer: Buffer.concat([good.buffer, Buffer.alloc(30 * 1024 * 1024)]),
      },
      'image trop lourde (30 Mo au maximum)',
    ],
    [await plainJpeg('petite.jpg', '#00c000', 400, 199), 'image trop petite'],
    [
      { name: 'cassée.jpg', mimeType: 'image/jpeg', buffer: good.buffer.subarray(0, 300) },
      'cette image ne peut pas être lue',
    ],
    [
      {
        name: 'film.jpg',
        mimeType: 'image/jpeg',
        buffer: Buffer.from('\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41', 'latin1'),
      },
      'ce format n’est pas pris en charge',
    ],
    [
      {
        name: 'iphone.heic',
        mimeType: 'image/heic',
        buffer: Buffer.from('\0\0\0\x24ftypheic\0\0\0\0mif1heicmiafMiHB', 'latin1'),
      },
      'ce format n’est pas pris en charge',
    ],
    [
      { name: 'vide.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(0) },
      'cette image ne peut pas être lue',
    ],
  ]
  await files.setInputFiles(bad.map(([file]) => file))
  for (const [{ name }, why] of bad.slice(0, 5))
    await expect(refused(page, name)).toContainText(why)
  await files.setInputFiles(bad.slice(5).map(([file]) => file))
  for (const [{ name }, why] of bad.slice(5)) await expect(refused(page, name)).toContainText(why)
  await expect(photos(page)).toHaveCount(0)

  // 48 megapixels, stored rotated: becomes upright, 1,600 px, about 250 KB.
  await files.setInputFiles([await cameraJpeg('48mp.jpg', 8000, 6000, 70)])
  await expect(photos(page).getByRole('img')).toHaveCount(1)
  await expect.poll(() => shapes(page)).toEqual(['1200×1600'])
  const kilobytes = await sizeOf(page, 1)
  expect(kilobytes).toBeGreaterThan(20)
  expect(kilobytes).toBeLessThan(300)
})

test('[P1] [S5.05] photos of 50 megapixels, over 5 MB or other formats are accepted, and shrunk to the limits', async ({
  market,
  device,
}) => {
  const page = await onCore(market, device)
  const camera = await cameraJpeg('50mp.jpg', 8192, 6144, 97)
  expect(camera.buffer.length).toBeGreaterThan(5 * 1024 * 1024)
  expect(camera.buffer.length).toBeLessThan(30 * 1024 * 1024)
  // A scrolling screenshot: longer than the server accepts, so it is sent smaller.
  const long = await sharp({
    create: { width: 16_000, height: 1000, channels: 3, background: '#c00000' },
  })
    .png()
    .toBuffer()
  const webp = await sharp({
    create: { width: 6000, height: 4000, channels: 3, background: '#0000c0' },
  })
    .webp({ quality: 40 })
    .toBuffer()
  await gallery(page).setInputFiles([camera])
  await expect(photos(page).getByRole('img')).toHaveCount(1)
  await gallery(page).setInputFiles([
    { name: 'longue.png', mimeType: 'image/png', buffer: long },
    { name: 'autre.webp', mimeType: 'image/webp', buffer: webp },
  ])
  await expect.poll(() => shapes(page)).toEqual(['1200×1600', '3200×200', '1600×1067'])
  for (const n of [1, 2, 3]) expect(await sizeOf(page, n)).toBeLessThan(300)
  const wide = await sharp({
    create: { width: 9000, height: 6000, channels: 3, background: '#00c000' },
  })
    .png()
    .toBuffer()
  await gallery(page).setInputFiles([{ name: 'énorme.png', mimeType: 'image/png', buffer: wide }])
  await expect(refused(page, 'énorme.png')).toContainText('50 mégapixels au maximum')
})

test('[S2.40] a profile photo may be made from a file of more than 5 MB', async ({
  market,
  device,
}) => {
  const person = await new Person(market.url).register(`visage${Date.now() % 1e8}`)
  const page = await openSignedIn(device, person.username, '/profile?tab=profile')
  await page
    .getByLabel('Photo de profil')
    .setInputFiles([await cameraJpeg('visage.jpg', 6000, 4500, 98)])
  await expect(page.getByRole('button', { name: 'Changer la photo' })).toBeVisible()
})

test('[S2.38] [S13.41] photos are moved by dragging and by keys, rotated and removed; the page scrolls', async ({
  market,
  device,
}) => {
  const page = await device.open('/')
  // A resting finger lifts a photo after this time, and only when the test says so.
  const rest = await holdTimers(page, 250)
  const seller = await new Person(market.url).register(`photo${Date.now() % 1e8}`)
  await signIn(page, device, seller.username, '/create-listing')
  await pastCategory(page)
  await gallery(page).setInputFiles([
    await plainJpeg('a.jpg', '#c00000', 300, 200),
    await plainJpeg('b.jpg', '#00c000', 400, 200),
    await plainJpeg('c.jpg', '#0000c0', 500, 200),
  ])
  await expect(photos(page).getByRole('img')).toHaveCount(3)
  await expect.poll(() => shapes(page)).toEqual(['300×200', '400×200', '500×200'])

  const finger = await page.context().newCDPSession(page)
  const touch = (
    type: 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel',
    at?: { x: number; y: number },
  ) => finger.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] })
  const square = (n: number) => page.getByRole('button', { name: new RegExp(`^Photo ${n}(,|$)`) })
  const middle = async (n: number) => {
    const box = await square(n).boundingBox()
    if (!box) throw new Error(`photo ${n} is not on the screen`)
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }
  const lifted = page.locator('[data-photo][data-dragged]')
  /** A finger that holds until the photo is lifted, and then moves. */
  async function drag(from: number, to: number, end: 'touchEnd' | 'touchCancel' = 'touchEnd') {
    const [start, goal] = [await middle(from), await middle(to)]
    await touch('touchStart', start)
    await rest.letGo()
    await expect(lifted).toHaveCount(1)
    for (const part of [0.2, 0.5, 0.8, 1])
      await touch('touchMove', {
        x: start.x + (goal.x - start.x) * part,
        y: start.y + (goal.y - start.y) * part,
      })
    await touch(end)
    await expect(lifted).toHaveCount(0)
  }
  await page
    .getByRole('list', { name: 'Photos' })
    .getByRole('listitem')
    .first()
    .evaluate((element) => element.scrollIntoView({ block: 'center' }))
  await drag(1, 3)
  await expect.poll(() => shapes(page)).toEqual(['400×200', '500×200', '300×200'])
  await expect(page.getByText('Photo en place 3 sur 3')).toBeAttached()
  await expect(page.getByRole('group', { name: /^Actions pour la photo/ })).toHaveCount(0)
  // An incoming call cancels the touch: nothing moves.
  await drag(3, 1, 'touchCancel')
  await expect.poll(() => shapes(page)).toEqual(['400×200', '500×200', '300×200'])

  // A finger that moves at once scrolls the page.
  const before = await page.evaluate(() => scrollY)
  // One that the slow machine made rest is a long press to the browser: it moves again.
  await expect(async () => {
    const start = await middle(1)
    await touch('touchStart', start)
    for (const part of [0.2, 0.5, 0.8, 1])
      await touch('touchMove', { x: start.x, y: start.y - 200 * part })
    await touch('touchEnd')
    await expect.poll(() => page.evaluate(() => scrollY), { timeout: 2000 }).toBeGreaterThan(before)
  }).toPass()
  await expect.poll(() => shapes(page)).toEqual(['400×200', '500×200', '300×200'])

  await square(3).focus()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => shapes(page)).toEqual(['400×200', '300×200', '500×200'])
  await expect(square(2)).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect.poll(() => shapes(page)).toEqual(['300×200', '400×200', '500×200'])

  await photoAction(page, 'Tourner la photo 1')
  await expect.poll(() => shapes(page)).toEqual(['200×300', '400×200', '500×200'])
  await photoAction(page, 'Retirer la photo 2')
  await expect.poll(() => shapes(page)).toEqual(['200×300', '500×200'])
  await expect.poll(async () => (await keptDrafts(page)).map((draft) => draft.photos)).toEqual([2])
  await page.reload()
  await ready(page)
  await expect.poll(() => shapes(page)).toEqual(['200×300', '500×200'])
})

test('[S5.05] a photo with an EXIF rotation stays upright', async ({ market, device }) => {
  const page = await onCore(market, device)
  // Red above green when upright; stored rotated.
  const half = (background: string) =>
    sharp({ create: { width: 2400, height: 900, channels: 3, background } })
      .png()
      .toBuffer()
  const buffer = await sharp({
    create: { width: 2400, height: 1800, channels: 3, background: '#000' },
  })
    .composite([
      { input: await half('#c00000'), left: 0, top: 0 },
      { input: await half('#00c000'), left: 0, top: 900 },
    ])
    .png()
    .toBuffer()
    .then((upright) =>
      sharp(upright).rotate(270).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
    )
  await gallery(page).setInputFiles([{ name: 'debout.jpg', mimeType: 'image/jpeg', buffer }])
  await expect.poll(() => shapes(page)).toEqual(['1600×1200'])
  const colours = await photos(page)
    .first()
    .getByRole('img')
    .evaluate((image) => {
      const canvas = new OffscreenCanvas(1600, 1200)
      const context = canvas.getContext('2d')
      if (!context || !(image instanceof HTMLImageElement)) return []
      context.drawImage(image, 0, 0)
      return [300, 900].map((y) =>
        [...context.getImageData(800, y, 1, 1).data]
          .slice(0, 2)
          .map((value) => (value > 100 ? 1 : 0)),
      )
    })
  expect(colours).toEqual([
    [1, 0],
    [0, 1],
  ])
})

test('[S2.38] [S4.19] a tap opens the camera, and its photo is added; the same file may come again', async ({
  market,
  device,
}) => {
  const page = await onCore(market, device)
  const camera = page.getByLabel('Prendre une photo')
  await expect(camera).toHaveAttribute('capture', 'environment')
  await expect(camera).toHaveAttribute('accept', 'image/*')
  const picture = await cameraJpeg('image.jpg', 2400, 1800)
  for (const count of [1, 2]) {
    const [opened] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByText('Prendre une photo').tap(),
    ])
    expect(opened.isMultiple()).toBe(false)
    await opened.setFiles([picture])
    await expect(photos(page).getByRole('img')).toHaveCount(count)
  }
  await expect.poll(() => shapes(page)).toEqual(['1200×1600', '1200×1600'])
  await expect.poll(async () => (await keptDrafts(page)).map((draft) => draft.photos)).toEqual([2])
})
