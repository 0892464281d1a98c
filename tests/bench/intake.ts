import { globSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Page } from '@playwright/test'
import { cameraJpeg } from '../support/camera.ts'
import { discard } from '../support/folder.ts'
import type { Product } from '../support/product.ts'
import { choose, gallery, photos } from '../support/wizard.ts'
import { slow, SLOWED, withDevice } from './browser.ts'
import { type Figure, median } from './measure.ts'
import { newSeller, opened } from './seller.ts'
import { longestTask } from './tasks.ts'

const RUNS = 7

/** The least that any resizer must do: the browser decodes the photo, in a worker. */
const decoding = `onmessage = async ({ data }) => {
  const picture = await createImageBitmap(data, { imageOrientation: 'from-image' })
  picture.close()
  postMessage(null)
}`

interface Run {
  readonly ms: number
  readonly bytes: number
}

/** Preparing a 12-megapixel photo against decoding it, and the page's longest task for five. */
export async function intake(market: Product): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'camera-'))
  const files = await Promise.all(
    [1, 2, 3, 4, 5].map(async (n) => {
      const { name, buffer } = await cameraJpeg(`photo${n}.jpg`, 4000, 3000)
      writeFileSync(join(folder, name), buffer)
      return join(folder, name)
    }),
  )
  try {
    return await withDevice(async (device) => {
      await device.route('**/decoding.js', (route) =>
        route.fulfill({ contentType: 'text/javascript', body: decoding }),
      )
      const page = await device.newPage()
      await opened(page, market.url, await newSeller(market))
      await afresh(page, market)
      await slow(page)
      const lab = `/assets/${basename(globSync('dist/web/assets/worker-photo.worker-*.js')[0] ?? '')}`
      const [alone, taken] = [
        await inWorker(page, '/decoding.js', files[0] ?? ''),
        await inWorker(page, lab, files[0] ?? ''),
      ]
      const slowed = await fiveAtOnce(page, files)
      await slow(page, 1)
      await afresh(page, market)
      const worked = SLOWED * (await longestTask(page, () => takenIn(page, files)))
      await afresh(page, market)
      const longest = await fiveAtOnce(page, files)
      return [
        {
          what: '12-megapixel photo to its queued form, 6x',
          value: median(taken.map(({ ms }) => ms)),
          unit: 'ms',
          baseline: { name: 'decoding it alone', value: median(alone.map(({ ms }) => ms)) },
          reach: 2,
        },
        {
          what: 'its queued form',
          value: median(taken.map(({ bytes }) => bytes)) / 1024,
          unit: 'KB',
          reach: 300,
        },
        {
          what: 'main thread while five are taken in: longest task (0: none over 50 ms)',
          value: longest.busy,
          unit: 'ms',
          reach: 50,
        },
        { what: 'the same while idle', value: longest.idle, unit: 'ms' },
        {
          what: 'main thread while five are taken in, 6x: longest task',
          value: slowed.busy,
          unit: 'ms',
        },
        {
          what: 'the same at its own speed, in time of the processor, times 6',
          value: worked,
          unit: 'ms',
          reach: 50,
        },
      ]
    })
  } finally {
    discard(folder)
  }
}

/** Sends the file to a worker repeatedly, first unmeasured; the photo worker uses comlink. */
async function inWorker(page: Page, address: string, file: string): Promise<readonly Run[]> {
  await page.evaluate(() =>
    document.body.append(
      Object.assign(document.createElement('input'), { type: 'file', id: 'bench-file' }),
    ),
  )
  await page.locator('#bench-file').setInputFiles(file)
  const runs = await page.evaluate(
    async ([url, times]) => {
      const input = document.querySelector<HTMLInputElement>('#bench-file')
      const [photo] = [...(input?.files ?? [])]
      input?.remove()
      if (!photo) throw new Error('no photo')
      const worker = new Worker(url, { type: 'module' })
      const of = (value: unknown, name: string): unknown =>
        typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
      const once = (): Promise<Run> =>
        new Promise((resolve, reject) => {
          const began = performance.now()
          worker.addEventListener('error', () => reject(new Error(`${url} failed`)), { once: true })
          worker.addEventListener(
            'message',
            ({ data }: MessageEvent<unknown>) => {
              const taken = of(of(data, 'value'), 'photo')
              if (taken instanceof Blob)
                resolve({ ms: performance.now() - began, bytes: taken.size })
              else if (of(data, 'value') === undefined)
                resolve({ ms: performance.now() - began, bytes: 0 })
              else reject(new Error(JSON.stringify(data)))
            },
            { once: true },
          )
          worker.postMessage(
            url.includes('photo')
              ? {
                  id: crypto.randomUUID(),
                  type: 'APPLY',
                  path: ['process'],
                  argumentList: [photo, 200].map((value) => ({ type: 'RAW', value })),
                }
              : photo,
          )
        })
      const done: Run[] = []
      for (let run = 0; run <= times; run += 1) done.push(await once())
      worker.terminate()
      return done.slice(1)
    },
    [address, RUNS] as const,
  )
  return runs
}

async function afresh(page: Page, market: Product): Promise<void> {
  await page.goto(`${market.url}/create-listing`)
  await choose(page, 'Services')
}

async function takenIn(page: Page, files: readonly string[]): Promise<void> {
  await gallery(page).setInputFiles([...files])
  await photos(page).getByRole('img').nth(4).waitFor()
}

/** Longest task of the page while idle, and from choosing five photos until all are stored. */
async function fiveAtOnce(
  page: Page,
  files: readonly string[],
): Promise<{ readonly idle: number; readonly busy: number }> {
  await page.evaluate(() => {
    Reflect.set(window, 'benchLongest', 0)
    new PerformanceObserver((list) => {
      for (const task of list.getEntries())
        Reflect.set(
          window,
          'benchLongest',
          Math.max(Number(Reflect.get(window, 'benchLongest')), task.duration),
        )
    }).observe({ type: 'longtask' })
  })
  const longest = async (): Promise<number> => {
    await page.waitForTimeout(500)
    return page.evaluate(() => {
      const value = Number(Reflect.get(window, 'benchLongest'))
      Reflect.set(window, 'benchLongest', 0)
      return value
    })
  }
  const idle = await longest()
  await takenIn(page, files)
  return { idle, busy: await longest() }
}
