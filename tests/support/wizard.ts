import { expect, type Page } from '@playwright/test'
import * as v from 'valibot'
import { rowsOf } from './disk.ts'

export const next = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Continuer' }).click()
export const photos = (page: Page) =>
  page.getByRole('list', { name: 'Photos' }).getByRole('listitem')
/** In the order of the screen. */
export const photoIds = (page: Page): Promise<(string | null)[]> =>
  photos(page).evaluateAll((rows) => rows.map((row) => row.getAttribute('data-photo')))
export const gallery = (page: Page) => page.getByLabel('Ajouter des photos')

/** A tap on a category goes on to the next step [S13.40]. */
export async function choose(page: Page, category: string): Promise<void> {
  await page.getByRole('radio', { name: category }).click()
  await page.getByRole('textbox', { name: 'Titre' }).waitFor()
}

/** A spec with two or three options, all in sight. */
export const option = (page: Page, field: string, name: string) =>
  page.getByRole('radiogroup', { name: field }).getByRole('radio', { name })

/** An action of a photo, such as "Tourner la photo 1": a tap on the photo shows it [S13.41]. */
export async function photoAction(page: Page, action: string): Promise<void> {
  const photo = /photo \d/.exec(action)?.[0] ?? ''
  const group = page.getByRole('group', { name: `Actions pour la ${photo}` })
  if (!(await group.isVisible()))
    await page.getByRole('button', { name: new RegExp(`^${photo}(,|$)`, 'i') }).click()
  await group.getByRole('button', { name: action }).click()
}

export async function fillCore(page: Page, title: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Titre' }).fill(title)
  await page.getByRole('textbox', { name: 'Description' }).fill('Cadre solide, deux pneus neufs.')
  await page.getByRole('textbox', { name: 'Prix (F CFA)' }).fill('45 000 F')
  await page.getByRole('combobox', { name: 'Région' }).selectOption('kadiogo')
  await page.getByRole('combobox', { name: 'Ville' }).selectOption('ouagadougou')
  await page.getByRole('textbox', { name: 'Téléphone' }).fill('70 00 00 00')
}

const keptDraft = v.object({
  id: v.string(),
  fields: v.object({
    step: v.string(),
    category: v.string(),
    title: v.string(),
    description: v.string(),
    phone: v.string(),
    specs: v.record(v.string(), v.string()),
  }),
  photos: v.array(v.string()),
})

interface KeptDraft {
  readonly id: string
  readonly step: string
  readonly category: string
  readonly title: string
  readonly description: string
  readonly phone: string
  readonly specs: Readonly<Record<string, string>>
  readonly photos: number
  readonly order: readonly string[]
}

/** Drafts read straight from the local database, without the app. */
export async function keptDrafts(page: Page): Promise<readonly KeptDraft[]> {
  const rows = v.parse(v.array(keptDraft), await rowsOf(page, 'drafts'))
  return rows.map(({ id, fields, photos: ids }) => ({
    id,
    ...fields,
    photos: ids.length,
    order: ids,
  }))
}

export async function keptBytes(page: Page): Promise<number> {
  const rows = v.parse(v.array(v.object({ bytes: v.number() })), await rowsOf(page, 'photos'))
  return rows.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** Dispatches the browser's `online` event, instead of waiting for the next probe. */
export function backOnline(page: Page): Promise<void> {
  return page.evaluate(() => void dispatchEvent(new Event('online')))
}

/**
 * Taps "send all" until `so` holds: after failed tries a photo waits minutes (decision 096), which a
 * person whose network is back can skip.
 */
export async function sendUntil(queue: Page, so: () => boolean | Promise<boolean>): Promise<void> {
  const all = queue.getByRole('button', { name: 'Tout envoyer maintenant' })
  await expect(async () => {
    await backOnline(queue)
    if (await all.isVisible()) await all.click({ timeout: 5_000 })
    await expect.poll(so, { timeout: 5_000 }).toBe(true)
  }).toPass({ timeout: 180_000 })
}
