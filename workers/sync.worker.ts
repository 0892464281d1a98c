import type { EngineEvent, EnginePort } from '#schema/port/engine'
import { APP_NAME } from '#schema/app'
import { trafficOf } from '#schema/port/service'
import { createEngine, type Nouns } from '#sync/engine'
import { visitorNouns } from '#sync/nouns/visitor'
import { openDeviceDb } from '#sync/outbox/deviceDb'
import { Unopened } from '#sync/outbox/table'
import { browserDisk } from '#sync/store/open'
import { openStore } from '#sync/store/store'
import { expose } from 'comlink'
import { browserOutside } from './browser.ts'
import { followSharer } from './sharer.ts'

/** Of the documents [SYNC 3]. */
const STORE_VERSION = 3

const name = APP_NAME.toLowerCase()
const outside = browserOutside(
  // Only a page can request a Background Sync.
  () => emit({ kind: 'background' }),
  async () => (await import('./upload.ts')).upload,
)
let emit: (event: EngineEvent) => void = () => undefined

/** In memory if storage is denied, or if the database cannot be used. */
async function deviceHere() {
  try {
    return await openDeviceDb(
      name,
      { ...outside, factory: globalThis.indexedDB },
      {
        found: () => void writes().catch(() => undefined),
        newer: () => void engine.then((one) => one.hold('newer')),
        reopened: () => void engine.then((one) => one.reopened()),
        restart: () => emit({ kind: 'restart' }),
      },
    )
  } catch (error) {
    console.warn('device database', error)
    const { memoryDeviceDb } = await import('#sync/outbox/memory')
    return await memoryDeviceDb(outside, error instanceof Unopened ? error.why : undefined)
  }
}

const signedIn = async (): Promise<Nouns> => (await import('#sync/signed-in')).nouns
const writes = async () => (await import('#sync/writes')).writes

/** While the databases open, instead of afterwards. */
function loadEarly() {
  for (const code of [writes(), signedIn(), import('#sync/outbox/database')])
    code.catch((error: unknown) => console.warn('engine', error))
}

async function start() {
  const { setTimer } = outside
  const place = {
    name,
    version: STORE_VERSION,
    disk: browserDisk(globalThis.indexedDB, globalThis.IDBKeyRange, outside.channel, setTimer),
    setTimer,
    outdated: () => emit({ kind: 'outdated' }),
    renewed: () => void engine.then((one) => one.reopened()),
  }
  const [device, store] = await Promise.all([deviceHere(), openStore(place, '')])
  // Nobody shares an outbox in memory, and without storage the browser has no lock.
  const own: typeof outside =
    device.memoryOnly || device.held
      ? { ...outside, lock: (_name, _how, work) => work(new AbortController().signal) }
      : outside
  return createEngine({
    outside: own,
    device,
    writes,
    store,
    nouns: visitorNouns,
    more: signedIn,
    version: String(STORE_VERSION),
  })
}

const engine = start()
void engine.then(({ session }) => followSharer(session.who, () => session.current().lasting))

const loaded: string[] = []
new PerformanceObserver((list) => {
  const files = list
    .getEntriesByType('resource')
    .filter(({ name: url }) => new URL(url).pathname.startsWith('/assets/'))
  loaded.push(...files.map(({ name: url }) => new URL(url).pathname))
  if (files.length > 0) void engine.then(() => emit({ kind: 'loaded', files: loaded }))
  const { sent, received } = trafficOf(files, 'worker')
  if (sent > 0) void engine.then(({ meter }) => meter.add(sent, received))
}).observe({ type: 'resource', buffered: true })

const port: EnginePort = {
  async connect(page) {
    emit = page
    await (await engine).connect(page)
  },
  watch: async (key, question) => (await engine).watch(key, question),
  unwatch: async (key) => (await engine).unwatch(key),
  send: async (command) => (await engine).send(command),
  ask: async (request) => (await engine).ask(request),
  async setSession(input) {
    if (input.token !== null) loadEarly()
    await (await engine).setSession(input)
  },
  /** Also while the database opens: a slow worker is not a dead one. */
  ping: () => Promise.resolve(),
}

expose(port)
