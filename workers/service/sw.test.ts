import { SAVE_DATA } from '#schema/port/service'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'

interface Installing {
  readonly data: unknown
  waitUntil(work: Promise<unknown>): void
}

const ORIGIN = 'https://market.example'
const files = ['index.html', 'assets/main-1.js', 'assets/HelpScreen-12345678.js']
const style = 'assets/HelpScreen-87654321.css'
/** The files of /outbox, as the build marks them. */
const marked = ['assets/OutboxScreen-1.js', 'assets/KeepOpen-1.js']

/** The part of ServiceWorkerGlobalScope that installation uses. */
class Scope {
  readonly location = { origin: ORIGIN, href: `${ORIGIN}/sw.js` }
  readonly registration: { active: object | null }
  readonly __WB_MANIFEST = [
    ...[...files, style].map((url) => ({ url })),
    ...marked.map((url) => ({ url, soon: 1 })),
    { url: 'assets/MessagesScreen-1.js', soon: 2 },
    { url: 'assets/worker-search-1.js', soon: 2 },
  ]
  readonly fetched: string[] = []
  readonly held: string[] = []
  readonly names: Set<string>
  readonly #listeners = new Map<string, (event: Installing) => void>()

  constructor(active: boolean, caches: readonly string[]) {
    this.registration = { active: active ? {} : null }
    this.names = new Set(caches)
  }

  addEventListener(type: string, listener: (event: Installing) => void): void {
    this.#listeners.set(type, listener)
  }

  install = (): Promise<void> => this.#fire('install', null)
  say = (data: unknown): Promise<void> => this.#fire('message', data)

  async #fire(name: string, data: unknown): Promise<void> {
    const work: Promise<unknown>[] = []
    this.#listeners.get(name)?.({ data, waitUntil: (one) => void work.push(one) })
    await Promise.all(work)
  }

  readonly caches = {
    has: (name: string) => Promise.resolve(this.names.has(name)),
    match: () => Promise.resolve(undefined),
    open: (name: string) => {
      this.names.add(name)
      return Promise.resolve({
        put: () => Promise.resolve(),
        keys: () => Promise.resolve(this.held.map((url) => ({ url }))),
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

test('[S13.72] a first visit caches what it runs on, and what the page asks for', async () => {
  const scope = await worker(false, [])
  await scope.install()
  expect(scope.fetched.toSorted()).toEqual(['/assets/main-1.js', '/index.html'])
  const asked = async (files: unknown): Promise<readonly string[]> => {
    scope.fetched.length = 0
    await scope.say({ type: 'keep', files })
    return scope.fetched.toSorted()
  }
  expect(await asked('outbox')).toEqual(['/assets/KeepOpen-1.js', '/assets/OutboxScreen-1.js'])
  expect(await asked('offline')).toEqual([
    '/assets/KeepOpen-1.js',
    '/assets/MessagesScreen-1.js',
    '/assets/OutboxScreen-1.js',
    '/assets/worker-search-1.js',
  ])
  expect(await asked('all')).toContain('/assets/HelpScreen-12345678.js')
  expect(await asked(['/assets/OutboxScreen-1.js', '/elsewhere.js', 7])).toEqual([
    '/assets/OutboxScreen-1.js',
  ])
  // A page of the server had the styles inline.
  expect(await asked(['/assets/HelpScreen-12345678.js'])).toEqual([
    '/assets/HelpScreen-12345678.js',
    `/${style}`,
  ])
  expect(await asked({ files: 'all' })).toEqual([])
})

test('[S13.72] an update caches its version of what the device has before it takes over', async () => {
  const scope = await worker(true, [])
  scope.held.push(`${ORIGIN}/assets/HelpScreen-abcd_-78.js`)
  await scope.install()
  expect(scope.fetched.toSorted()).toEqual([
    '/assets/HelpScreen-12345678.js',
    '/assets/main-1.js',
    '/index.html',
  ])
})

test('in save-data mode an update fetches nothing, and is not installed', async () => {
  const scope = await worker(true, [SAVE_DATA])
  await expect(scope.install()).rejects.toThrow(SAVE_DATA)
  expect(scope.fetched).toEqual([])
})

test('on a device that is nearly full, an update leaves the room to the person', async () => {
  vi.stubGlobal('navigator', {
    storage: { estimate: () => Promise.resolve({ quota: 60e6, usage: 57e6 }) },
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  const scope = await worker(true, [])
  scope.held.push(`${ORIGIN}/assets/HelpScreen-abcd_-78.js`)
  await scope.install()
  expect(scope.fetched).not.toContain('/assets/HelpScreen-12345678.js')
})
