import { serveBaselines } from './baselines.ts'
import { SLOWED, withDevice } from './browser.ts'
import type { Figure } from './measure.ts'

/** The store with 5,000 listings: first page of a live question, and search over all. */
export async function store(): Promise<readonly Figure[]> {
  const { server, port } = await serveBaselines({}, [], [])
  try {
    return await withDevice(async (device) => {
      const page = await device.newPage()
      await page.goto(`http://127.0.0.1:${port}/store/`)
      const handle = await page.waitForFunction(
        () => {
          const noted: unknown = Reflect.get(window, 'storeFigures')
          return noted
        },
        null,
        { timeout: 300_000 },
      )
      const figures: unknown = await handle.jsonValue()
      const figure = (name: string): number => {
        const value: unknown =
          typeof figures === 'object' && figures !== null ? Reflect.get(figures, name) : null
        if (typeof value !== 'number')
          throw new Error(`the store's page noted no ${name}: ${JSON.stringify(figures)}`)
        return value
      }
      return [
        {
          what: 'live question, first page of 20 out of 5,000, in the worker',
          value: figure('cold'),
          unit: 'ms',
          baseline: { name: 'bare getAll', value: figure('getAll') },
          reach: 3,
        },
        {
          what: 'the same question asked again, as by who comes back',
          value: figure('page'),
          unit: 'ms',
          baseline: { name: 'bare getAll', value: figure('getAll') },
          reach: 3,
        },
        {
          what: 'the same rows by index, no question',
          value: figure('index'),
          unit: 'ms',
          baseline: { name: 'bare getAll', value: figure('getAll') },
          reach: 3,
        },
        {
          what: 'search with two filters over 5,000 listings',
          value: figure('search'),
          unit: 'ms',
          baseline: { name: 'plain includes', value: figure('includes') },
        },
        // The worker is not slowed here, but the limit is for the slowed device.
        {
          what: 'the same on a processor 6x slower',
          value: figure('search') * SLOWED,
          unit: 'ms',
          reach: 50,
        },
        {
          what: 'listings that it finds',
          value: figure('found'),
          unit: 'rows',
          reach: 1,
          atLeast: true,
        },
        {
          what: '5,000 listings in order without search or filter',
          value: figure('whole'),
          unit: 'ms',
        },
        {
          what: 'store opened, and a first page read',
          value: figure('open'),
          unit: 'ms',
          baseline: { name: 'bare open and getAll', value: figure('bareOpen') },
        },
        {
          what: 'a message written until its thread says so',
          value: figure('threadAfter'),
          unit: 'ms',
        },
        {
          what: 'a listing written until its list says so',
          value: figure('listAfter'),
          unit: 'ms',
        },
        {
          what: `a new page while 1,000 listings arrive (${figure('floodedPages')} pages)`,
          value: figure('flooded'),
          unit: 'ms',
          reach: 50,
        },
        { what: '5,000 listings written down', value: figure('filled'), unit: 'ms' },
      ]
    })
  } finally {
    server.close()
  }
}
