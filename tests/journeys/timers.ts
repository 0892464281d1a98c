import type { Page } from '@playwright/test'
import { expect } from './phone.ts'

export interface Held {
  /** Timers that wait to be let go. */
  count(): Promise<number>
  /** Lets them run; waits for the first. */
  letGo(): Promise<void>
}

/** Holds back the page's timers of just so many ms, from its next load on: nothing depends on how long a machine takes. */
export async function holdTimers(page: Page, ms: number): Promise<Held> {
  await page.addInitScript((held) => {
    const later = globalThis.setTimeout.bind(globalThis)
    const waiting: (() => void)[] = []
    // No number that a timer of the browser's has.
    const hold = (what: () => void, wait?: number) =>
      wait === held ? -waiting.push(what) : later(what, wait)
    Object.assign(globalThis, { setTimeout: hold })
    addEventListener(
      'count-held',
      () => (document.documentElement.dataset['held'] = String(waiting.length)),
    )
    addEventListener('let-go', () => waiting.splice(0).forEach((what) => what()))
  }, ms)
  const count = (): Promise<number> =>
    page.evaluate(() => {
      dispatchEvent(new Event('count-held'))
      return Number(document.documentElement.dataset['held'])
    })
  return {
    count,
    async letGo() {
      await expect.poll(count).toBeGreaterThan(0)
      await page.evaluate(() => dispatchEvent(new Event('let-go')))
    },
  }
}
