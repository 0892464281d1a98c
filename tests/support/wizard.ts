import type { Page } from '@playwright/test'

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
export interface KeptDraft {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly photos: number
}

/** Read past the app, straight from the disk. */
export function keptDrafts(page: Page): Promise<readonly KeptDraft[]> {
  return page.evaluate(async () => {
    const found: KeptDraft[] = []
    for (const { name } of await indexedDB.databases()) {
      await new Promise<void>((resolve) => {
        const open = indexedDB.open(name ?? '')
        open.addEventListener('success', () => {
          const database = open.result
          if (!database.objectStoreNames.contains('drafts')) {
            database.close()
            return resolve()
          }
          const rows = database.transaction('drafts').objectStore('drafts').getAll()
          rows.addEventListener('success', () => {
            database.close()
            for (const { id, fields, photos: kept } of rows.result) found.push({ id, title: fields.title, description: fields.description, photos: kept.length })
            resolve()
          })
        })
      })
    }
    return found
  })
}

/** The phone's system says that the network is back: nobody waits for the next probe. */
export function backOnline(page: Page): Promise<void> {
  return page.evaluate(() => void dispatchEvent(new Event('online')))
}
