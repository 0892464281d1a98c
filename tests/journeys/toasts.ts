import { expect, type Page } from '@playwright/test'

declare global {
  // oxlint-disable-next-line no-var -- the only way to name a global of the page
  var saidSoFar: string[] | undefined
}

/** Records each toast, since toasts pass after seconds. Runs in the page, before the app. */
export function keepToasts(): void {
  const said: string[] = (globalThis.saidSoFar = [])
  const look = (): void => {
    const words =
      document.querySelector('[aria-live][role=log], [aria-live][role=alert]')?.textContent ?? ''
    if (words !== '' && words !== said.at(-1)) said.push(words)
  }
  new MutationObserver(look).observe(document, {
    childList: true,
    subtree: true,
    characterData: true,
  })
}

/** A toast with this text shows, or did since the page was loaded. */
export async function toasted(page: Page, words: string): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => globalThis.saidSoFar))
    .toContainEqual(expect.stringContaining(words))
}
