import type { Page } from '@playwright/test'
import * as v from 'valibot'
import { APP_NAME } from '#schema/app'
import { DAY_MS, RETRY_DAY_BYTES, RETRY_TIMES_SIZE } from '#schema/limits'
import { list, type Person, text } from '../support/api.ts'
import { cameraJpeg } from '../support/camera.ts'
import { box, bubble, fromGallery, preview, sendNow, talk, write } from '../support/conversation.ts'
import { rowsOf } from '../support/disk.ts'
import { sendUntil } from '../support/wizard.ts'
import { type Device, expect, openSignedIn, ready, settled, test } from './device.ts'

const MESSAGES = /^POST \/api\/conversations\/[^/ ]+\/messages\//
const entries = v.array(
  v.object({
    state: v.string(),
    bytes: v.number(),
    problem: v.nullable(v.object({ code: v.string() })),
  }),
)

async function states(page: Page): Promise<readonly string[]> {
  return v.parse(entries, await rowsOf(page, 'entries')).map(({ state }) => state)
}

async function received(person: Person, conversation: string): Promise<readonly string[]> {
  const messages = await person.ask('GET', `conversations/${conversation}/messages/`)
  return list(messages, 'results')
    .map((message) => text(message, 'content'))
    .toReversed()
}

const question = (page: Page, why: string) =>
  page.getByRole('alert').filter({ hasText: `${why} Faut-il continuer ?` })
const notice = (page: Page) => page.getByRole('status').filter({ hasText: '1 envoi vous attend.' })

/** Taps "send all" after each failed try, until the outbox asks. */
const tryUntilAsked = (queue: Page, before = async (): Promise<void> => {}): Promise<void> =>
  sendUntil(queue, async () => {
    if ((await states(queue))[0] === 'refused') return true
    await before()
    return false
  })

/** Goes on at the tap, and is delivered once. */
async function goesOn(
  queue: Page,
  device: Device,
  arrived: () => Promise<readonly string[]>,
  all: readonly string[],
): Promise<void> {
  // Asked, nothing is tried any more, whatever comes back.
  const { failed } = device.proxy
  await queue.reload()
  await ready(queue)
  await queue.evaluate(() => void dispatchEvent(new Event('online')))
  await expect(notice(queue)).toBeVisible()
  expect(await states(queue)).toEqual(['refused'])
  expect(device.proxy.failed).toBe(failed)
  device.proxy.failCalls(null)
  await queue.getByRole('button', { name: 'Continuer' }).click()
  await expect(queue.locator('[data-outbox]')).toHaveCount(0)
  await expect(notice(queue)).toHaveCount(0)
  expect(await arrived()).toEqual(all)
}

/** A conversation whose messages the server answers with 500. */
async function failing(market: Parameters<typeof talk>[0], device: Device) {
  const { buyer, conversation } = await talk(market)
  const page = await openSignedIn(device, buyer.username, `/messages/${conversation}`)
  await ready(page)
  await settled(page)
  device.proxy.failCalls(MESSAGES)
  return { page, arrived: () => received(buyer, conversation) }
}

test('[SYNC 5] a photo whose failed tries cost its budget of bytes is asked about, and goes on at a tap', async ({
  market,
  device,
}) => {
  const { page, arrived } = await failing(market, device)
  await fromGallery(page).setInputFiles([await cameraJpeg('vue.jpg', 1600, 1200)])
  await expect(preview(page).getByRole('img')).toBeVisible()
  await box(page).fill('Voici la roue')
  await sendNow(page)
  await expect(bubble(page, 'Voici la roue')).toBeVisible()
  await expect.poll(() => device.proxy.failed).toBeGreaterThan(0)
  const queue = await device.open('/outbox')
  await ready(queue)
  await tryUntilAsked(queue)
  await expect(
    question(queue, 'Plusieurs essais ont coûté des données sans aboutir.'),
  ).toBeVisible()
  await expect(queue.getByRole('button', { name: 'Seulement en Wi-Fi' })).toBeVisible()
  await expect(notice(page)).toBeVisible()
  await expect(page.getByRole('log', { name: 'Messages' })).toContainText('Faut-il continuer ?')
  const [entry] = v.parse(entries, await rowsOf(queue, 'entries'))
  expect(device.proxy.failed).toBeGreaterThanOrEqual(RETRY_TIMES_SIZE)
  expect(device.proxy.failed).toBeLessThanOrEqual(
    RETRY_TIMES_SIZE + Math.ceil(RETRY_DAY_BYTES / (entry?.bytes ?? 1)),
  )
  await goesOn(queue, device, arrived, ['Bonjour', 'Voici la roue'])
  await expect(bubble(page, 'Voici la roue')).toHaveAttribute('data-state', 'sent')
})

/** As if the one entry had been tried for a day: nobody waits so long for a test. */
async function triedForADay(page: Page): Promise<void> {
  await page.evaluate(
    ([name, ms]) =>
      new Promise<void>((resolve, reject) => {
        const open = indexedDB.open(name)
        open.addEventListener('error', () => reject(new Error('no database')))
        open.addEventListener('success', () => {
          const rows = open.result.transaction('entries', 'readwrite').objectStore('entries')
          const all: IDBRequest<unknown[]> = rows.getAll()
          all.addEventListener('success', () => {
            for (const row of all.result)
              if (typeof row === 'object' && row !== null && 'spent' in row)
                rows.put({ ...row, spent: Object.assign({}, row.spent, { ms }) })
          })
          rows.transaction.addEventListener('complete', () => {
            open.result.close()
            resolve()
          })
        })
      }),
    [`${APP_NAME.toLowerCase()}-phone`, DAY_MS] as const,
  )
}

test('[SYNC 5] a message tried for a day without an answer is asked about, and goes on at a tap', async ({
  market,
  device,
}) => {
  const { page, arrived } = await failing(market, device)
  await write(page, 'Toujours là ?')
  await expect.poll(() => device.proxy.failed).toBeGreaterThan(0)
  await expect.poll(() => states(page)).toEqual(['waiting'])
  const aside = await device.open('/sw.js')
  await page.close()
  const queue = await device.open('/outbox')
  await ready(queue)
  // Again before each tap: a try in the background may have stored its own sum.
  await tryUntilAsked(queue, () => triedForADay(aside))
  await expect(question(queue, 'Essayé longtemps, toujours sans réponse du service.')).toBeVisible()
  await expect(queue.getByRole('button', { name: 'Seulement en Wi-Fi' })).toHaveCount(0)
  await goesOn(queue, device, arrived, ['Bonjour', 'Toujours là ?'])
})
