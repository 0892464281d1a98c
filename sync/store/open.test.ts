import { IDBFactory, IDBKeyRange, IDBOpenDBRequest } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SavedDocument } from '#schema/disk/documents'
import { browserDisk, type Disk, openDatabases, QUERIES_KEPT } from './open.ts'
import { openStore, type ManagedStore } from './store.ts'

const open: ManagedStore[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((keeper) => keeper.close()))
})

/** `later` queues timers until `runAll`; those of 0 ms fire at once. */
class Timers {
  readonly #waiting = new Set<() => void>()
  later = (ms: number, what: () => void) => {
    if (ms === 0) {
      const timer = setImmediate(what)
      return () => clearImmediate(timer)
    }
    this.#waiting.add(what)
    return () => this.#waiting.delete(what)
  }
  runAll() {
    for (const what of this.#waiting) {
      this.#waiting.delete(what)
      what()
    }
  }
}

function diskOn(factory: IDBFactory | undefined): Disk {
  return browserDisk(
    factory,
    IDBKeyRange,
    () => ({
      post: () => undefined,
      close: () => undefined,
    }),
    () => () => undefined,
  )
}

/** RxDB tracks database names per realm, so each test needs its own name. */
let tests = 0
const app = () => `test${'abcdefghijklmnopqrstuvwxyz'.charAt(tests)}`
beforeEach(() => void tests++)

async function store(
  disk: Disk,
  { owner = '', version = 2, timers = new Timers() } = {},
): Promise<ManagedStore> {
  const keeper = await openStore({ name: app(), version, disk, setTimer: timers.later }, owner)
  open.push(keeper)
  return keeper
}

const saved = (id: string): SavedDocument => ({ id, newest: 0, saved: true })
const all = (keeper: ManagedStore) => keeper.saved.find({ sort: [{ newest: 'asc' }] }).exec()
const names = async (factory: IDBFactory) =>
  (await factory.databases()).map(({ name }) => name?.replace(app(), 'test')).toSorted()

test('without storage access, data is in memory and `memoryOnly` is set', async () => {
  const keeper = await store(diskOn(undefined))
  await keeper.saved.put([saved('a')])
  expect(await all(keeper)).toEqual([saved('a')])
  expect(keeper.state().memoryOnly).toBe(true)
})

test('the same when opening is refused', async () => {
  const factory = new IDBFactory()
  vi.spyOn(factory, 'open').mockImplementation(() => {
    throw new DOMException('denied', 'SecurityError')
  })
  const keeper = await store(diskOn(factory))
  await keeper.saved.put([saved('a')])
  expect(keeper.state().memoryOnly).toBe(true)
})

test('a database that does not open within five seconds is given up', async () => {
  const factory = new IDBFactory()
  vi.spyOn(factory, 'open').mockImplementation(() => new IDBOpenDBRequest())
  const timers = new Timers()
  const opening = store(diskOn(factory), { timers })
  const ticking = setInterval(() => timers.runAll(), 5)
  const keeper = await opening
  clearInterval(ticking)
  expect(keeper.state().memoryOnly).toBe(true)
})

test('an account’s database that does not open is in memory; the shared one stays on disk', async () => {
  const factory = new IDBFactory()
  const answered = factory.open.bind(factory)
  vi.spyOn(factory, 'open').mockImplementation((name, version) =>
    name.includes('-of-') ? new IDBOpenDBRequest() : answered(name, version),
  )
  const timers = new Timers()
  const keeper = await store(diskOn(factory), { owner: 'u1', timers })
  const ticking = setInterval(() => timers.runAll(), 5)
  await Promise.all([keeper.saved.put([saved('a')]), keeper.account.findOne('a').exec()])
  expect(await all(keeper)).toEqual([saved('a')])
  clearInterval(ticking)
  expect(keeper.state().memoryOnly).toBe(false)
  expect(await names(factory)).toEqual(['test-2-shared'])
  await keeper.enter('u2')
  await keeper.enter('u1')
  expect(await all(keeper)).toEqual([saved('a')])
})

test('data is still there at the next start, per account', async () => {
  const disk = diskOn(new IDBFactory())
  const first = await store(disk, { owner: 'u1' })
  await first.saved.put([saved('a')])
  await first.close()
  expect(await all(await store(disk, { owner: 'u1' }))).toEqual([saved('a')])
})

test('one shared database, one per account; `forget` deletes an account’s', async () => {
  const factory = new IDBFactory()
  const keeper = await store(diskOn(factory), { owner: 'u1' })
  await keeper.saved.put([saved('a')])
  await keeper.enter('u2')
  await keeper.saved.put([saved('b')])
  expect(await names(factory)).toEqual(['test-2-of-u1', 'test-2-of-u2', 'test-2-shared'])
  await keeper.forget('u1')
  expect(await names(factory)).toEqual(['test-2-of-u2', 'test-2-shared'])
})

test('databases of older versions are deleted after opening, others are not', async () => {
  const factory = new IDBFactory()
  await (await store(diskOn(factory), { version: 1 })).close()
  await new Promise((resolve) => (factory.open(`${app()}-phone`).onsuccess = resolve))
  await store(diskOn(factory), { version: 2 })
  await expect.poll(() => names(factory)).toEqual(['test-2-shared', 'test-phone'])
})

test('a newer version’s databases are not touched, and `outdated` is set', async () => {
  const factory = new IDBFactory()
  const newer = await store(diskOn(factory), { version: 3 })
  await newer.saved.put([saved('new')])
  await newer.close()
  const keeper = await store(diskOn(factory), { version: 2 })
  expect(keeper.state().outdated).toBe(true)
  await keeper.saved.put([saved('old')])
  expect(await all(keeper)).toEqual([saved('old')])
  expect(await names(factory)).toEqual(['test-3-of-', 'test-3-shared'])
  expect(await all(await store(diskOn(factory), { version: 3 }))).toEqual([saved('new')])
})

test('a broken database is deleted and created again', async () => {
  const factory = new IDBFactory()
  await new Promise<void>((resolve) => {
    const request = factory.open(`${app()}-2-shared`, 7)
    request.onsuccess = () => {
      request.result.close()
      resolve()
    }
  })
  const keeper = await store(diskOn(factory))
  expect(keeper.state().memoryOnly).toBe(false)
  await keeper.lists.put([
    {
      id: 'a',
      ids: [],
      count: 0,
      next: null,
      cursor: null,
      etag: null,
      at: 1,
      problem: null,
      facts: null,
    },
  ])
  expect((await keeper.lists.findOne('a').exec())?.at).toBe(1)
})

test('closed by the browser (site data cleared), it opens again; live queries go on', async () => {
  const factory = new IDBFactory()
  const keeper = await store(diskOn(factory))
  await keeper.saved.put([saved('a')])
  const emitted: string[][] = []
  keeper.saved
    .find({ sort: [{ newest: 'asc' }] })
    .$.subscribe((rows) => emitted.push(rows.map(({ id }) => id)))
  await expect.poll(() => emitted).toEqual([['a']])
  await Promise.all(
    [`${app()}-2-shared`, `${app()}-2-of-`].map(
      (name) => new Promise((resolve) => (factory.deleteDatabase(name).onsuccess = resolve)),
    ),
  )
  expect(await keeper.counts()).toMatchObject({ saved: 0 })
  await keeper.saved.put([saved('b')])
  expect(await all(keeper)).toEqual([saved('b')])
  await expect.poll(() => emitted.at(-1)).toEqual(['b'])
  expect(keeper.state().memoryOnly).toBe(false)
})

test('clearing deletes everything, and the store stays usable', async () => {
  const keeper = await store(diskOn(new IDBFactory()))
  await keeper.saved.put([saved('a')])
  await keeper.clear()
  expect(await all(keeper)).toEqual([])
  await keeper.saved.put([saved('b')])
  expect(await all(keeper)).toEqual([saved('b')])
})

test('full storage: old rows are deleted, and the write is repeated', async () => {
  const factory = new IDBFactory()
  const keeper = await store(diskOn(factory))
  const listDocument = (id: string, at: number) => ({
    id,
    ids: [],
    count: null,
    next: null,
    cursor: null,
    etag: null,
    at,
    problem: null,
    facts: null,
  })
  await keeper.lists.put([listDocument('old', 1)])
  await keeper.saved.put([saved('a')])
  const { IDBObjectStore } = await import('fake-indexeddb')
  const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementationOnce(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  await keeper.saved.put([saved('b')])
  put.mockRestore()
  expect(await all(keeper)).toHaveLength(2)
  expect(await keeper.lists.findOne('old').exec()).toBeNull()
})

test('the oldest rows of a too large cache are deleted', async () => {
  const timers = new Timers()
  const keeper = await store(diskOn(new IDBFactory()), { timers })
  const listDocument = (n: number) => ({
    id: `l${n}`,
    ids: [],
    count: null,
    next: null,
    cursor: null,
    etag: null,
    at: n,
    problem: null,
    facts: null,
  })
  await keeper.lists.put(Array.from({ length: 1010 }, (_, n) => listDocument(n)))
  timers.runAll()
  await expect.poll(async () => (await keeper.counts())['lists']).toBe(1000)
  expect(await keeper.lists.findOne('l9').exec()).toBeNull()
  expect(await keeper.lists.findOne('l10').exec()).not.toBeNull()
})

test('RxDB keeps a bounded number of queries, and those that are watched', async () => {
  const config = {
    name: app(),
    version: 2,
    disk: diskOn(new IDBFactory()),
    setTimer: new Timers().later,
  }
  const databases = await openDatabases(config, '')
  const { documents } = await databases.collection('saved')
  const queries = Array.from({ length: 3 * QUERIES_KEPT }, (_, n) =>
    documents.find({ sort: [{ newest: 'asc' }], limit: n + 1 }),
  )
  const reading = queries[0]?.$.subscribe()
  await Promise.all(queries.map((query) => query.exec()))
  const kept = () => queries.flatMap(({ uncached }, n) => (uncached ? [] : [n]))
  await expect.poll(() => kept().length).toBe(QUERIES_KEPT)
  expect(kept()).toContain(0)
  reading?.unsubscribe()
  await databases.close()
})
