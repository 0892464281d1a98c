import { list, member, type Person, text } from '../support/api.ts'
import { cameraJpeg } from '../support/camera.ts'
import type { Product } from '../support/product.ts'
import { Proxy } from '../support/proxy.ts'
import {
  backOnline,
  choose,
  fillCore,
  gallery,
  keptBytes,
  next,
  photos,
} from '../support/wizard.ts'
import { withDevice } from './browser.ts'
import type { Figure } from './measure.ts'
import { newSeller, opened } from './seller.ts'

const PLACES = 10
const HEIGHTS = [1000, 1050, 1100, 1150, 1200] as const

/** Bytes sent against bytes required, for a listing over a connection that is cut once. */
export async function publish(market: Product): Promise<readonly Figure[]> {
  const seller = await newSeller(market)
  const files = await Promise.all(
    HEIGHTS.map((height) => cameraJpeg(`photo${height}.jpg`, 1600, height)),
  )
  let [sent, needed, wrong] = [0, 0, 0]
  await withDevice(async (device) => {
    const proxy = await new Proxy(market.port).listen()
    const page = await device.newPage()
    await opened(page, proxy.url, seller)
    for (let place = 0; place < PLACES; place += 1) {
      proxy.set('pass')
      await page.goto(`${proxy.url}/create-listing`)
      await choose(page, 'Services')
      await gallery(page).setInputFiles(files)
      await photos(page).getByRole('img').nth(4).waitFor()
      const title = `Mesure ${place} ${Date.now()}`
      await fillCore(page, title)
      await next(page)
      const bytes = await keptBytes(page)
      proxy.set('cut')
      await page.getByRole('button', { name: 'Publier', exact: true }).click()
      await page.getByRole('heading', { name: 'Votre annonce attend d’être envoyée' }).waitFor()
      proxy.count()
      const cut = proxy.cutAfter(Math.round((bytes * (place + 0.5)) / PLACES))
      proxy.set('pass')
      await backOnline(page)
      await cut
      proxy.set('pass')
      await backOnline(page)
      await page.getByRole('heading', { name: 'Votre annonce est envoyée' }).waitFor()
      sent += proxy.count().sent
      needed += bytes + JSON.stringify(await made(seller, title)).length
      wrong += await faults(seller, title)
    }
    await proxy.close()
  })
  return [
    {
      what: 'five photos and a listing, cut once at each of 10 places: sent in all',
      value: sent / 1024,
      unit: 'KB',
      baseline: { name: 'bytes of the photos and the listings', value: needed / 1024 },
      reach: 1.15,
    },
    {
      what: 'listings missing, doubled, or with photos out of order',
      value: wrong,
      unit: '',
      reach: 0,
    },
  ]
}

async function made(seller: Person, title: string): Promise<readonly unknown[]> {
  const rows = list(
    await seller.ask('GET', 'profile/my-listings/?status=all&page_size=50'),
    'results',
  )
  return rows.filter((row) => member(row, 'title') === title)
}

async function faults(seller: Person, title: string): Promise<number> {
  const rows = await made(seller, title)
  const [one] = rows
  if (rows.length !== 1) return 1
  const images = list(await seller.ask('GET', `listings/${text(one, 'id')}/`), 'images')
  return images.length === HEIGHTS.length &&
    images.every((image, place) => member(image, 'width') === HEIGHTS[place])
    ? 0
    : 1
}
