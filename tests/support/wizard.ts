import type { Page } from '@playwright/test'
import * as v from 'valibot'

/** The wizard as a seller goes through it. */

export const next = (page: Page): Promise<void> => page.getByRole('button', { name: 'Continuer' }).click()
export const photos = (page: Page) => page.getByRole('list', { name: 'Photos' }).getByRole('listitem')
export const gallery = (page: Page) => page.getByLabel('Ajouter des photos')

export async function choose(page: Page, category: string): Promise<void> {
  await page.getByRole('radio', { name: category }).check()
  await next(page)
}

export async function fillCore(page: Page, title: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Titre' }).fill(title)
  await page.getByRole('textbox', { name: 'Description' }).fill('Cadre solide, deux pneus neufs.')
  await page.getByRole('textbox', { name: 'Prix (F CFA)' }).fill('45 000 F')
  await page.getByRole('combobox', { name: 'Région' }).selectOption('kadiogo')
  await page.getByRole('combobox', { name: 'Ville' }).selectOption('ouagadougou')
  await page.getByRole('textbox', { name: 'Téléphone' }).fill('70 00 00 00')
}

/** A draft as the phone's own database holds it. */
const keptDraft = v.object({ id: v.string(), fields: v.object({ title: v.string(), description: v.string() }), photos: v.array(v.string()) })

/** Read past the app, straight from the disk. */
export async function keptDrafts(page: Page): Promise<readonly { readonly id: string; readonly title: string; readonly description: string; readonly photos: number; readonly order: readonly string[] }[]> {
  const rows = v.parse(v.array(keptDraft), await readStore(page, 'drafts'))
  return rows.map(({ id, fields: { title, description }, photos: ids }) => ({ id, title, description, photos: ids.length, order: ids }))
}

/** Bytes of the photos that the phone keeps. */
export async function keptBytes(page: Page): Promise<number> {
  const rows = v.parse(v.array(v.object({ bytes: v.number() })), await readStore(page, 'photos'))
  return rows.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** All rows of a store by its name, in whatever database it is. */
function readStore(page: Page, store: string): Promise<unknown> {
  return page.evaluate(async (wanted) => {
    const found: unknown[] = []
    for (const { name } of await indexedDB.databases()) {
      const rows = await new Promise<readonly unknown[]>((resolve, reject) => {
        const open = indexedDB.open(name ?? '')
        open.addEventListener('error', () => reject(new Error('no database')))
        open.addEventListener('success', () => {
          const database = open.result
          if (!database.objectStoreNames.contains(wanted)) {
            database.close()
            return resolve([])
          }
          const asked: IDBRequest<unknown[]> = database.transaction(wanted).objectStore(wanted).getAll()
          asked.addEventListener('success', () => {
            database.close()
            resolve(asked.result.map((row) => (typeof row === 'object' && row !== null ? { ...row, file: null } : row)))
          })
        })
      })
      found.push(...rows)
    }
    return found
  }, store)
}

/** The phone's system says that the network is back: nobody waits for the next probe. */
export function backOnline(page: Page): Promise<void> {
  return page.evaluate(() => void dispatchEvent(new Event('online')))
}
