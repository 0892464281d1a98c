import { afterEach, expect, test, vi } from 'vitest'

/** Pages of the origin, of which some are controlled. */
class Page {
  readonly id: string
  readonly url: string
  constructor(id: string, path = '/listings') {
    this.id = id
    this.url = `https://yaar.test${path}`
  }
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
  vi.useRealTimers()
})

/** The service worker of these pages; returns how often it claimed them. */
function workerOf(pages: () => readonly Page[]): () => number {
  let claims = 0
  vi.stubGlobal('Client', Page)
  vi.stubGlobal('self', {
    clients: {
      matchAll: ({ includeUncontrolled = false } = {}) =>
        Promise.resolve(pages().filter(({ id }) => includeUncontrolled || id === 'controlled')),
      claim: () => Promise.resolve(void claims++),
    },
  })
  return () => claims
}

test('[S13.62] pages are taken over once each of them is loaded, not while one loads', async () => {
  const leaving = new Page('leaving')
  let pages = [leaving, new Page('loading'), new Page('controlled')]
  const claims = workerOf(() => pages)
  const { claim } = await import('./claim.ts')
  await claim(leaving)
  expect(claims()).toBe(0)
  pages = pages.slice(1)
  await claim(pages[0])
  expect(claims()).toBe(1)
})

test('[S13.62] a photo or the API in a tab of its own is not waited for', async () => {
  const screen = new Page('screen')
  const others = [new Page('photo', '/media/images/a/640.webp'), new Page('docs', '/api/docs/')]
  const claims = workerOf(() => [screen, ...others])
  const { claim } = await import('./claim.ts')
  await claim(screen)
  expect(claims()).toBe(1)
})

test('[S13.62] a page that never loads holds the others up for 20 s at most', async () => {
  vi.useFakeTimers()
  const screen = new Page('screen')
  const claims = workerOf(() => [screen, new Page('broken')])
  const { claim } = await import('./claim.ts')
  await claim(screen)
  vi.advanceTimersByTime(19_000)
  await claim(screen)
  expect(claims()).toBe(0)
  vi.advanceTimersByTime(1000)
  await claim(screen)
  expect(claims()).toBe(1)
})
