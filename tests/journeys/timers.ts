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
    const clear = globalThis.clearTimeout.bind(globalThis)
    const waiting = new Map<number, () => void>()
    let last = 0
    // A negative id, which the browser gives to no timer.
    const hold = (what: () => void, wait?: number): unknown => {
      if (wait !== held) return later(what, wait)
      last -= 1
      waiting.set(last, what)
      return last
    }
    const drop = (id?: number): void => {
      if (id === undefined || !waiting.delete(id)) clear(id)
    }
    Object.assign(globalThis, { setTimeout: hold, clearTimeout: drop })
    addEventListener(
      'count-held',
      () => (document.documentElement.dataset['held'] = String(waiting.size)),
    )
    addEventListener('let-go', () => {
      const due = [...waiting.values()]
      waiting.clear()
      for (const what of due) what()
    })
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
