import { afterEach, expect, test, vi } from 'vitest'

/** Pages of the origin, of which some are controlled. */
class Page {
  readonly id: string
  constructor(id: string) {
    this.id = id
  }
}

afterEach(() => vi.unstubAllGlobals())

test('[S13.62] pages are taken over once each of them is loaded, not while one loads', async () => {
  const leaving = new Page('leaving')
  let pages = [leaving, new Page('loading'), new Page('controlled')]
  let claims = 0
  vi.stubGlobal('Client', Page)
  vi.stubGlobal('self', {
    clients: {
      matchAll: ({ includeUncontrolled = false } = {}) =>
        Promise.resolve(pages.filter(({ id }) => includeUncontrolled || id === 'controlled')),
      claim: () => Promise.resolve(void claims++),
    },
  })
  const { claim } = await import('./claim.ts')
  await claim(leaving)
  expect(claims).toBe(0)
  pages = pages.slice(1)
  await claim(pages[0])
  expect(claims).toBe(1)
})
