import type { EnginePort } from '#schema/port/engine'
import { APP_NAME } from '#schema/app'
import { trafficOf } from '#schema/port/service'
import { Engine, type Nouns } from '#sync/engine'
import { visitorNouns } from '#sync/nouns/visitor'
import type { Delivering } from '#sync/outbox/deliver'
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
        newer: () => void engine.then((one) => one.hold('newer')),
        reopened: () => void engine.then((one) => one.reopened()),
        late: () => restart(),
      },
    )
  } catch (error) {
    console.warn('device database', error)
    const { memoryDeviceDb } = await import('#sync/outbox/memory')
    return await memoryDeviceDb(outside, error instanceof Unopened ? error.why : undefined)
  }
}

/** A signed-in user writes, perhaps offline later: loads the code that sends the outbox too. */
async function signedIn(): Promise<Nouns> {
  const [{ nouns }] = await Promise.all([import('#sync/signed-in'), delivering()])
  return nouns
}

const delivering = async (): Promise<typeof Delivering> =>
  (await import('#sync/outbox/deliver')).Delivering

async function start(): Promise<Engine> {
  const place = {
    name,
    version: STORE_VERSION,
    disk: browserDisk(globalThis.indexedDB, globalThis.IDBKeyRange, outside.channel),
    setTimer: outside.setTimer,
    outdated: () => outdated(),
  }
  const [{ table, seen, meter, drafts, memoryOnly = false, held }, store] = await Promise.all([
    deviceHere(),
    openStore(place, ''),
  ])
  // A tab with its own outbox state waits for no other, and a browser without storage has no locks
  // either.
  const own: typeof outside =
    memoryOnly || held
      ? { ...outside, lock: (_name, _how, work) => work(new AbortController().signal) }
      : outside
  return new Engine({
    outside: own,
    table,
    seen,
    meter,
    store,
    memoryOnly: memoryOnly || store.memoryOnly,
    held,
    nouns: visitorNouns,
    more: signedIn,
    delivering,
    drafts,
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
  async connect(tell) {
    outdated = () => tell({ kind: 'outdated' })
    restart = () => tell({ kind: 'restart' })
    askBackground = () => tell({ kind: 'background' })
    await (await engine).connect(tell)
  },
  watch: async (key, question) => (await engine).watch(key, question),
  unwatch: async (key) => (await engine).unwatch(key),
  send: async (command) => (await engine).send(command),
  ask: async (request) => (await engine).ask(request),
  setSession: async (entrance) => (await engine).setSession(entrance),
  /** Answers while the database is still opening, too: a slow worker is not a dead one. */
  ping: () => Promise.resolve(),
}

expose(port)
