import { expect, type Page } from '@playwright/test'

declare global {
  // oxlint-disable-next-line no-var -- the only way to name a global of the page
  var shownToasts: string[] | undefined
}

/** Records each toast, since toasts pass after seconds. Runs in the page, before the app. */
export function keepToasts(): void {
  const shown: string[] = (globalThis.shownToasts = [])
  const look = (): void => {
    const text =
      document.querySelector('[aria-live][role=log], [aria-live][role=alert]')?.textContent ?? ''
    if (text !== '' && text !== shown.at(-1)) shown.push(text)
  }
  new MutationObserver(look).observe(document, {
    childList: true,
    subtree: true,
    characterData: true,
  })
}

/** A toast with this text shows, or did since the page was loaded. */
export async function toasted(page: Page, text: string): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => globalThis.shownToasts))
    .toContainEqual(expect.stringContaining(text))
}
