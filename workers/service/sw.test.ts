import { SAVE_DATA } from '#schema/port/service'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'

interface Installing {
  waitUntil(work: Promise<unknown>): void
}

const ORIGIN = 'https://market.example'
const files = ['index.html', 'assets/main-1.js', 'assets/HelpScreen-1.js']
/** The files of /outbox, as the build marks them. */
const marked = ['assets/OutboxScreen-1.js', 'assets/KeepOpen-1.js']

/** The part of ServiceWorkerGlobalScope that installation uses. */
class Scope {
  readonly location = { origin: ORIGIN, href: `${ORIGIN}/sw.js` }
  readonly registration: { active: object | null }
  readonly __WB_MANIFEST = [
    ...files.map((url) => ({ url })),
    ...marked.map((url) => ({ url, soon: true })),
  ]
  readonly fetched: string[] = []
  readonly names: Set<string>
  readonly #listeners = new Map<string, (event: Installing) => void>()

  constructor(active: boolean, caches: readonly string[]) {
    this.registration = { active: active ? {} : null }
    this.names = new Set(caches)
  }

  addEventListener(type: string, listener: (event: Installing) => void): void {
    this.#listeners.set(type, listener)
  }

  async install(): Promise<void> {
    const work: Promise<unknown>[] = []
    this.#listeners.get('install')?.({ waitUntil: (one) => void work.push(one) })
    await Promise.all(work)
  }

  readonly caches = {
    has: (name: string) => Promise.resolve(this.names.has(name)),
    match: () => Promise.resolve(undefined),
    open: (name: string) => {
      this.names.add(name)
      return Promise.resolve({
        put: () => Promise.resolve(),
        keys: () => Promise.resolve([]),
        add: (url: string) => Promise.resolve(void this.fetched.push(url)),
      })
    },
  }

  readonly fetch = (url: string): Promise<Response> => {
    this.fetched.push(url)
    return Promise.resolve(new Response('x'))
  }
}

async function worker(active: boolean, caches: readonly string[]): Promise<Scope> {
  const scope = new Scope(active, caches)
  vi.stubGlobal('self', scope)
  vi.stubGlobal('caches', scope.caches)
  vi.stubGlobal('fetch', scope.fetch)
  await import('./sw.ts')
  return scope
}

beforeEach(() => void vi.resetModules())

test('an update caches all its files before it takes over', async () => {
  const scope = await worker(true, [])
  await scope.install()
  expect(scope.fetched.toSorted()).toEqual(
    [...files, ...marked].map((file) => `/${file}`).toSorted(),
  )
})

test('in save-data mode an update fetches nothing, and is not installed', async () => {
  const scope = await worker(true, [SAVE_DATA])
  await expect(scope.install()).rejects.toThrow(SAVE_DATA)
  expect(scope.fetched).toEqual([])
})

test('[S4.23] in save-data mode a first visit caches its own files and those of /outbox', async () => {
  const scope = await worker(false, [SAVE_DATA])
  await scope.install()
  expect(scope.fetched.toSorted()).toEqual([
    '/assets/KeepOpen-1.js',
    '/assets/OutboxScreen-1.js',
    '/assets/main-1.js',
    '/index.html',
  ])
})

test('on a device that is nearly full, an update leaves the room to the person', async () => {
  vi.stubGlobal('navigator', {
    storage: { estimate: () => Promise.resolve({ quota: 60e6, usage: 57e6 }) },
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  const scope = await worker(true, [])
  await scope.install()
  expect(scope.fetched).not.toContain('/assets/HelpScreen-1.js')
})
