import type { Page } from '@playwright/test'

/** A browser that is driven hides no page by itself. */
export async function sight(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate((now) => {
    for (const [name, value] of Object.entries({ visibilityState: now, hidden: now === 'hidden' }))
      Object.defineProperty(document, name, { configurable: true, get: () => value })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)
}
