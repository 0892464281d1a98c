import type { Page } from '@playwright/test'
import { expect } from './device.ts'

export interface Held {
  count(): Promise<number>
  /** Waits for the first held timer, then runs all of them. */
  letGo(): Promise<void>
}

/** Holds back the page's timers of exactly `ms` from its next load on, whatever the speed. */
export async function holdTimers(page: Page, ms: number): Promise<Held> {
  await page.addInitScript((held) => {
    const later = globalThis.setTimeout.bind(globalThis)
    const waiting: (() => void)[] = []
    // A negative id, which the browser gives to no timer.
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
