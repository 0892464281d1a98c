import type { Locator, Page } from '@playwright/test'
import { expect } from './phone.ts'

export const box = (page: Page): Locator => page.getByRole('textbox', { name: 'Votre message' })
export const bubble = (page: Page, words: string): Locator => page.locator('[data-message]').filter({ hasText: words })

/** Writes a message; the box empties when it is safe on the phone. */
export async function write(page: Page, words: string): Promise<void> {
  await box(page).fill(words)
  await page.getByRole('button', { name: 'Envoyer', exact: true }).click()
  await expect(bubble(page, words)).toBeVisible()
  await expect(box(page)).toHaveValue('')
}
