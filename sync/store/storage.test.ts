import fc from 'fast-check'
import { IDBDatabase as FDBDatabase, IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import {
  createRxDatabase,
  type RxCollection,
  type RxDocument,
  type RxQuery,
  type RxStorage,
} from 'rxdb/plugins/core'
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie'
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory'
import { afterEach, expect, test, vi } from 'vitest'
import type { Find } from '../noun.ts'
import { StoredCollection } from './collection.ts'
import { plain, schemaOf } from './rows.ts'
import { idbStorage, type IdbEnvironment } from './storage.ts'

interface Row {
  readonly id: string
  readonly conversation: string
  readonly order: number
  readonly newest: number
  readonly text: string | null
}

const collections = {
  messages: {
    scope: 'personal' as const,
    indexes: [
      ['conversation', 'newest'],
      ['conversation', 'order'],
    ],
    texts: { conversation: 80 },
  },
}
const silent: IdbEnvironment['channel'] = () => ({ post: () => undefined, close: () => undefined })
const setTimer: IdbEnvironment['setTimer'] = (ms, what) => {
  const timer = setTimeout(what, ms)
  return () => clearTimeout(timer)
}
const ground = (more: Partial<IdbEnvironment> = {}): IdbEnvironment => ({
  collections,
  factory: new IDBFactory(),
  ranges: IDBKeyRange,
  setTimer,
  channel: silent,
  ...more,
})

const open: { close(): Promise<unknown> }[] = []
let made = 0
async function handle(
  storage: RxStorage<unknown, object>,
  name = `test${made++}`,
): Promise<StoredCollection<Row>> {
  const database = await createRxDatabase<{ messages: RxCollection<Row> }>({
    name,
    storage,
    multiInstance: false,
    closeDuplicates: false,
    ignoreDuplicate: false,
  })
  open.push(database)
  const { messages } = await database.addCollections({
    messages: { schema: schemaOf(collections.messages) },
  })
  return new StoredCollection<Row>('messages', messages, setTimer)
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((database) => database.close()))
})

/** Rows M100 and following; `read` goes past RxDB's caches. */
async function written(storage: RxStorage<unknown, object>, count: number) {
  const { documents } = await handle(storage)
  await documents.bulkInsert(
    Array.from({ length: count }, (_, n) => ({
      id: `M${100 + n}`,
      conversation: 'C1',
      order: n,
      newest: -n,
      text: null,
    })),
  )
  const read = async (ids: string[]) =>
    (await documents.storageInstance.findDocumentsById(ids, false)).map(({ id }) => id)
  return { documents, read }
}

/** RxDB's own storages. */
async function others(): Promise<StoredCollection<Row>[]> {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  return [
    await handle(getRxStorageDexie({ indexedDB: new IDBFactory(), IDBKeyRange })),
    await handle(getRxStorageMemory()),
  ]
}

const rowsOf = async (query: RxQuery<Row, RxDocument<Row>[]>) => (await query.exec()).map(plain)

const number = fc.integer({ min: -6, max: 6 })
const row: fc.Arbitrary<Row> = fc.record({
  id: fc.constantFrom(...Array.from({ length: 12 }, (_, n) => `M${n}`)),
  conversation: fc.constantFrom('', 'C1', 'C2', 'C10'),
  order: number,
  newest: number,
  text: fc.option(fc.string({ maxLength: 3 })),
})
const find: fc.Arbitrary<Find<Row>> = fc
  .record({
    field: fc.constantFrom('order' as const, 'newest' as const),
    conversation: fc.constantFrom('', 'C1', 'C2', 'C10', 'C3'),
    bounds: fc.record(
      { $gt: number, $gte: number, $lt: number, $lte: number },
      { requiredKeys: [] },
    ),
    limit: fc.option(fc.integer({ min: 1, max: 5 })),
  })
  .filter(({ bounds }) => !('$gt' in bounds && '$gte' in bounds))
  .filter(({ bounds }) => !('$lt' in bounds && '$lte' in bounds))
  .map(({ field, conversation, bounds, limit }) => ({
    selector: { conversation, ...(Object.keys(bounds).length > 0 && { [field]: bounds }) },
    sort: [{ [field]: 'asc' }],
    ...(limit !== null && { limit }),
  }))
const step = fc.oneof(
  fc.record({ put: fc.array(row, { maxLength: 5 }) }),
  fc.record({ remove: fc.array(fc.constantFrom('M1', 'M2', 'M3', 'M99'), { maxLength: 3 }) }),
)

test('[SYNC 6] one transaction of a connection is open at a time; reads that wait share one', async () => {
  const begun: string[] = []
  let opened = 0
  let most = 0
  const { transaction } = FDBDatabase.prototype
  const spy = vi.spyOn(FDBDatabase.prototype, 'transaction').mockImplementation(function (
    this: IDBDatabase,
    ...args
  ) {
    const made = transaction.apply(this, args)
    begun.push(made.mode)
    most = Math.max(most, ++opened)
    for (const end of ['complete', 'abort']) made.addEventListener(end, () => void opened--)
    return made
  })
  const { documents, read } = await written(idbStorage(ground()), 30)
  begun.length = 0
  await Promise.all([
    ...Array.from({ length: 5 }, (_, n) => read([`M10${n}`])),
    documents.bulkInsert([{ id: 'new', conversation: 'C1', order: 1, newest: 1, text: null }]),
    read(['M110']),
  ])
  expect(await read(['M101', 'new'])).toEqual(['M101', 'new'])
  spy.mockRestore()
  expect(most).toBe(1)
  expect(begun.filter((mode) => mode === 'readonly').length).toBeLessThan(5)
})

test('answers as RxDB’s own storages do, whatever was written and is asked', async () => {
  const own = await handle(idbStorage(ground()))
  const rest = await others()
  const all = [own, ...rest]
  const ask = <T>(question: (one: StoredCollection<Row>) => Promise<T>) =>
    Promise.all(all.map(question))
  const same = <T>([mine, ...theirs]: readonly T[]) =>
    theirs.forEach((other) => expect(mine).toEqual(other))
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 6 }),
      fc.array(find, { minLength: 1, maxLength: 6 }),
      async (steps, finds) => {
        for (const one of steps)
          await ask((handle) => ('put' in one ? handle.put(one.put) : handle.remove(one.remove)))
        for (const wanted of finds) same(await ask((handle) => rowsOf(handle.find(wanted))))
        same(
          await ask(async ({ documents }) =>
            [...(await documents.findByIds(['M3', 'M0', 'M99']).exec()).values()]
              .map(plain)
              .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
          ),
        )
        same(
          await ask(({ documents }) =>
            rowsOf(
              documents.find({
                selector: { id: { $gt: 'M4' } },
                sort: [{ id: 'asc' }],
                limit: 3,
              }),
            ),
          ),
        )
        same(await ask(({ documents }) => documents.count().exec()))
      },
    ),
    { numRuns: 60 },
  )
})

test('ids in order are read like others, whatever lies between them', async () => {
  const { documents, ...own } = await written(idbStorage(ground()), 60)
  const ids = (step: number, count: number) =>
    Array.from({ length: count }, (_, n) => `M${100 + n * step}`)
  for (const wanted of [ids(1, 20), ids(3, 20), ids(1, 20).toReversed(), ids(20, 5), []]) {
    const found = await own.read(wanted)
    expect(found.toSorted()).toEqual(wanted.filter((id) => id < 'M160').toSorted())
  }
  await documents.bulkRemove(['M101'])
  expect(await own.read(['M100', 'M101', 'M102'])).toEqual(['M100', 'M102'])
})

test('removed rows leave nothing on disk', async () => {
  const factory = new IDBFactory()
  const own = await handle(idbStorage(ground({ factory })), 'gone')
  await own.put([{ id: 'M1', conversation: 'C1', order: 1, newest: -1, text: null }])
  await own.remove(['M1'])
  const database = await new Promise<IDBDatabase>((resolve) => {
    const request = factory.open('gone')
    request.onsuccess = () => resolve(request.result)
  })
  const count = await new Promise((resolve) => {
    const request = database.transaction('messages').objectStore('messages').count()
    request.onsuccess = () => resolve(request.result)
  })
  database.close()
  expect(count).toBe(0)
})

test('another tab receives each write once', async () => {
  const listeners = new Map<object, { name: string; onMessage: (message: unknown) => void }>()
  const channel: IdbEnvironment['channel'] = (name, onMessage) => {
    const self = {}
    listeners.set(self, { name, onMessage })
    return {
      post: (message) =>
        listeners.forEach(
          (other, key) =>
            key !== self && other.name === name && other.onMessage(structuredClone(message)),
        ),
      close: () => listeners.delete(self),
    }
  }
  const factory = new IDBFactory()
  // RxDB rejects a database that is open twice in one realm; another storage name simulates a
  // second tab.
  const [one, two] = [
    idbStorage(ground({ factory, channel })),
    { ...idbStorage(ground({ factory, channel })), name: 'other' },
  ]
  const [here, there] = [await handle(one, 'tabs'), await handle(two, 'tabs')]
  const emitted: string[] = []
  there.documents.$.subscribe(({ documentId, documentData }) =>
    emitted.push(`${documentId} ${documentData.text}`),
  )
  await here.put([{ id: 'M1', conversation: 'C1', order: 1, newest: -1, text: 'a' }])
  expect(emitted).toEqual(['M1 a'])
  await Promise.all([
    here.change('M1', (old) => ({ ...old, text: `${old.text}b` })),
    there.change('M1', (old) => ({ ...old, text: `${old.text}c` })),
  ])
  const [row] = await rowsOf(here.documents.find())
  expect(['abc', 'acb']).toContain(row?.text)
})
