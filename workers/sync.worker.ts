import type { EnginePort } from '#schema/port/engine'
import { APP_NAME } from '#schema/app'
import { trafficOf } from '#schema/port/service'
import { createEngine, type Engine, type Nouns } from '#sync/engine'
import { visitorNouns } from '#sync/nouns/visitor'
import { openDeviceDb, type DeviceDb } from '#sync/outbox/deviceDb'
import { Unopened } from '#sync/outbox/table'
import { browserDisk } from '#sync/store/disk'
import { openStore } from '#sync/store/store'
import { expose } from 'comlink'
import { browserOutside } from './browser.ts'
import { followSharer } from './sharer.ts'

/** Schema version of the documents [SYNC 3]: another one opens a new store and refetches. */
const STORE_VERSION = 2

const name = APP_NAME.toLowerCase()
const outside = browserOutside(
  () => askBackground(),
  async () => (await import('./upload.ts')).upload,
)
let outdated: () => void = () => undefined
let restart: () => void = () => undefined
/** Only a page can request a Background Sync. */
let askBackground: () => void = () => undefined

/**
 * If storage is denied, the app runs in memory; if a newer version or another tab holds it, writes
 * are refused.
 */
async function deviceHere(): Promise<DeviceDb> {
  try {
    return await openDeviceDb(
      name,
      { ...outside, factory: globalThis.indexedDB },
      {
        found: () => void writes().catch(() => undefined),
        newer: () => void engine.then((one) => one.hold('newer')),
        reopened: () => void engine.then((one) => one.reopened()),
        restart: () => restart(),
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

/** Requests what a session needs while the databases open, instead of afterwards. */
function loadEarly(): void {
  for (const code of [writes(), signedIn(), import('#sync/outbox/database')])
    code.catch((error: unknown) => console.warn('engine', error))
}

async function start(): Promise<Engine> {
  const place = {
    name,
    version: STORE_VERSION,
    disk: browserDisk(
      globalThis.indexedDB,
      globalThis.IDBKeyRange,
      outside.channel,
      outside.setTimer,
    ),
    setTimer: outside.setTimer,
    outdated: () => outdated(),
    renewed: () => void engine.then((one) => one.reopened()),
  }
  const [device, store] = await Promise.all([deviceHere(), openStore(place, '')])
  // An outbox in memory is this tab's alone, so it needs no lock; without storage the browser has
  // none.
  const own: typeof outside =
    device.memoryOnly || device.held
      ? { ...outside, lock: (_name, _how, work) => work(new AbortController().signal) }
      : outside
  return createEngine({
    outside: own,
    device,
    async writes() {
      const { tableOn, ...others } = await writes()
      return { ...others, table: tableOn(device, outside.newId) }
    },
    store,
    nouns: visitorNouns,
    more: signedIn,
    version: String(STORE_VERSION),
  })
}

const engine = start()
void engine.then(({ session }) => followSharer(session.who))

new PerformanceObserver((list) => {
  const { sent, received } = trafficOf(
    list
      .getEntriesByType('resource')
      .filter(({ name: url }) => new URL(url).pathname.startsWith('/assets/')),
    'worker',
  )
  if (sent > 0) void engine.then(({ meter }) => meter.add(sent, received))
}).observe({ type: 'resource', buffered: true })

const port: EnginePort = {
  async connect(emit) {
    outdated = () => emit({ kind: 'outdated' })
    restart = () => emit({ kind: 'restart' })
    askBackground = () => emit({ kind: 'background' })
    await (await engine).connect(emit)
  },
  watch: async (key, question) => (await engine).watch(key, question),
  unwatch: async (key) => (await engine).unwatch(key),
  send: async (command) => (await engine).send(command),
  ask: async (request) => (await engine).ask(request),
  async setSession(input) {
    if (input.token !== null) loadEarly()
    await (await engine).setSession(input)
  },
  /** Answers while the database is still opening, too: a slow worker is not a dead one. */
  ping: () => Promise.resolve(),
}

expose(port)
