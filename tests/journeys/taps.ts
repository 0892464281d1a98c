import type { Page } from '@playwright/test'

/** Counts what a finger does on the pages of a device; typing does not count. */
export class Taps {
  count = 0

  static async on(page: Page): Promise<Taps> {
    const taps = new Taps()
    await page.exposeFunction('countTap', () => (taps.count += 1))
    const listen = (): void => {
      addEventListener(
        'pointerup',
        ({ isTrusted }) => {
          const count: unknown = Reflect.get(globalThis, 'countTap')
          if (isTrusted && typeof count === 'function') count()
        },
        { capture: true },
      )
    }
    await page.addInitScript(listen)
    await page.evaluate(listen)
    return taps
  }
}
