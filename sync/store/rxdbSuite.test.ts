import { readFileSync } from 'node:fs'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import {
  createRevision,
  createRxDatabase,
  fillWithDefaultSettings,
  getChangedDocumentsSince,
  getQueryMatcher,
  getSortComparator,
  normalizeMangoQuery,
  now,
  prepareQuery,
  type EventBulk,
  type MangoQuery,
  type RxDocumentData,
  type RxJsonSchema,
  type RxStorage,
  type RxStorageChangeEvent,
  type RxStorageInstance,
} from 'rxdb/plugins/core'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { idbStorage, Unserved } from './storage.ts'

/**
 * The promises of RxDB's own suite for storages: `rx-storage-implementations.test.ts` and
 * `rx-storage-query-correctness.test.ts` in its `test/unit`, in that order. Selectors contain
 * `_deleted: false`, as all queries of an RxDB collection do. Tests of RxDB's own functions there
 * (query planner, comparator, matcher, key compression) are not repeated.
 */

/**
 * What is left out: rows of README.md. Tests of such a promise are named by it and pass as long as
 * the promise is broken.
 */
const leftOut = {
  attachments: 'Attachments',
  tombstones: 'Tombstones',
  changes: 'Changes since a checkpoint',
  queries: 'Queries that no index serves whole',
  keys: 'Indexed fields that are missing, null or boolean',
  wrappers: 'Refusal of a schema that needs a wrapper',
  collections: 'Collections that are not listed, other primary keys, schema versions',
} as const

interface Row {
  readonly id: string
  readonly value?: string | null
  readonly score?: number
  readonly name?: string
  readonly isOpen?: boolean
  readonly tags?: readonly string[]
  readonly inner?: { readonly name: string }
}
type Stored = RxDocumentData<Row>
type Instance = RxStorageInstance<Row, object, object>
type Bulk = EventBulk<RxStorageChangeEvent<Row>, unknown>

const text = { type: 'string', maxLength: 100 }
const schemaOf = (...indexes: string[][]): RxJsonSchema<Row> => ({
  version: 0,
  primaryKey: 'id',
  type: 'object',
  properties: {
    id: text,
    value: text,
    score: { type: 'number', minimum: -100, maximum: 100, multipleOf: 0.01 },
    name: text,
    isOpen: { type: 'boolean' },
    tags: { type: 'array', items: text },
    inner: { type: 'object', properties: { name: text } },
  },
  required: ['id'],
  indexes: [['id'], ...indexes],
})
const indexes: Readonly<Record<string, string[][]>> = {
  plain: [],
  values: [['value']],
  scores: [['score'], ['score', 'name'], ['name']],
  compound: [['name', 'value', 'score']],
  nested: [['inner.name']],
  open: [['isOpen']],
}
const collections = Object.fromEntries(
  Object.entries(indexes).map(([name, indexes]) => [name, { indexes }]),
)

const storageOn = (factory = new IDBFactory()) =>
  idbStorage({
    collections,
    factory,
    ranges: IDBKeyRange,
    setTimer(ms, what) {
      const timer = setTimeout(what, ms)
      return () => clearTimeout(timer)
    },
    channel(name, onMessage) {
      const channel = new BroadcastChannel(name)
      channel.onmessage = ({ data }: MessageEvent<unknown>) => onMessage(data)
      return { post: (message) => channel.postMessage(message), close: () => channel.close() }
    },
  })

const opened: Pick<Instance, 'close'>[] = []
let made = 0
async function open(
  collectionName: string,
  {
    storage = storageOn(),
    databaseName = `suite${made++}`,
    schema = {},
  }: {
    storage?: RxStorage<object, object>
    databaseName?: string
    schema?: Partial<RxJsonSchema<Row>>
  } = {},
): Promise<Instance> {
  const instance = await storage.createStorageInstance<Row>({
    databaseInstanceToken: 'suite',
    databaseName,
    collectionName,
    schema: fillWithDefaultSettings({ ...schemaOf(...(indexes[collectionName] ?? [])), ...schema }),
    options: {},
    multiInstance: false,
    devMode: true,
  })
  opened.push(instance)
  return instance
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map((instance) => instance.close()))
})

/** Two tabs: storages on one factory. */
async function tabs(): Promise<readonly [Instance, Instance]> {
  const factory = new IDBFactory()
  const databaseName = `suite${made++}`
  return [
    await open('plain', { storage: storageOn(factory), databaseName }),
    await open('plain', { storage: storageOn(factory), databaseName }),
  ]
}

const stamps = () => ({ _meta: { lwt: now() } })
const fresh = (row: Row): Stored => ({
  ...row,
  _deleted: false,
  _attachments: {},
  _rev: createRevision('suite'),
  ...stamps(),
})
const next = (previous: Stored, changes: Partial<Stored> = {}): Stored => ({
  ...previous,
  ...changes,
  _rev: createRevision('suite', previous),
  ...stamps(),
})
const gone = (previous: Stored) => next(previous, { _deleted: true })

const insert = async (instance: Instance, ...rows: readonly Stored[]) =>
  (
    await instance.bulkWrite(
      rows.map((document) => ({ document })),
      'insert',
    )
  ).error
const update = async (instance: Instance, previous: Stored, document: Stored) =>
  (await instance.bulkWrite([{ previous, document }], 'update')).error
const find = (instance: Instance, ...ids: string[]) => instance.findDocumentsById(ids, false)
const findAny = (instance: Instance, ...ids: string[]) => instance.findDocumentsById(ids, true)

const normal = ({ schema }: Instance, { selector, ...rest }: MangoQuery<Row>) =>
  normalizeMangoQuery<Stored>(schema, { ...rest, selector: { ...selector, _deleted: false } })
const prepared = (instance: Instance, query: MangoQuery<Row>) =>
  prepareQuery<Row>(instance.schema, normal(instance, query))
const ask = async (instance: Instance, query: MangoQuery<Row> = {}) =>
  (await instance.query(prepared(instance, query))).documents
const count = async (instance: Instance, query: MangoQuery<Row> = {}) =>
  (await instance.count(prepared(instance, query))).count

const bulksOf = (instance: Instance) => {
  const bulks: Bulk[] = []
  instance.changeStream().subscribe((bulk) => bulks.push(bulk))
  return bulks
}
const operations = (bulks: readonly Bulk[]) =>
  bulks.flatMap(({ events }) => events.map(({ operation }) => operation))

describe('creation', () => {
  test('the instance has the names it was opened with, and closes', async () => {
    const instance = await open('values', { databaseName: 'names' })
    expect(instance).toMatchObject({ databaseName: 'names', collectionName: 'values' })
    await instance.close()
  })

  test('many instances of one database', async () => {
    const storage = storageOn()
    const all = await Promise.all(
      Array.from({ length: 20 }, () => open('plain', { storage, databaseName: 'many' })),
    )
    const removing = Promise.all(all.map((instance) => instance.remove()))
    await expect(removing).resolves.toHaveLength(20)
  })

  test.fails(`${leftOut.wrappers}: key compression without its plugin is refused`, async () => {
    await expect(open('plain', { schema: { keyCompression: true } })).rejects.toThrow('UT5')
  })

  test.fails(`${leftOut.wrappers}: encryption without its plugin is refused`, async () => {
    await expect(open('plain', { schema: { encrypted: ['value'] } })).rejects.toThrow('UT6')
  })

  test.fails(`${leftOut.collections}: a collection of any name`, async () => {
    expect(await insert(await open('unlisted'), fresh({ id: 'a' }))).toEqual([])
  })
})

describe('bulkWrite', () => {
  test('a document is written as it is', async () => {
    const instance = await open('plain')
    const row = fresh({ id: 'a', value: 'b' })
    expect(await insert(instance, structuredClone(row))).toEqual([])
    expect(await find(instance, 'a')).toEqual([row])
  })

  test('a conflict is error 409 with the stored document and the row that was refused', async () => {
    const instance = await open('plain')
    const [first, second] = [fresh({ id: 'a', value: '1' }), fresh({ id: 'a', value: '2' })]
    await insert(instance, first)
    expect(await insert(instance, second)).toMatchObject([
      { status: 409, documentId: 'a', documentInDb: first, writeRow: { document: second } },
    ])
    const [error] = await insert(instance, second)
    expect(error && 'documentInDb' in error && error.documentInDb).toEqual(first)
  })

  test('an update with another previous revision is a conflict', async () => {
    const instance = await open('plain')
    const row = fresh({ id: 'a' })
    await insert(instance, row)
    await update(instance, row, next(row, { value: 'new' }))
    expect(await update(instance, row, next(row))).toMatchObject([{ status: 409 }])
    expect(await find(instance, 'a')).toMatchObject([{ value: 'new' }])
  })

  test('of two inserts at the same time the first succeeds', async () => {
    const instance = await open('plain')
    const [first, second] = await Promise.all(
      ['1', '2'].map((value) => insert(instance, fresh({ id: 'a', value }))),
    )
    expect(first).toEqual([])
    expect(second).toMatchObject([{ status: 409, writeRow: { document: { value: '2' } } }])
  })

  test('of the rows of a write some may fail', async () => {
    const instance = await open('plain')
    await insert(instance, fresh({ id: 'b' }))
    const errors = await insert(instance, ...['a', 'b', 'c'].map((id) => fresh({ id })))
    expect(errors.map(({ documentId }) => documentId)).toEqual(['b'])
    expect(await find(instance, 'a', 'b', 'c')).toHaveLength(3)
  })

  test('a deleted document is not found, and is inserted again with its previous', async () => {
    const instance = await open('plain')
    const row = fresh({ id: 'a' })
    const deleted = gone(row)
    await insert(instance, row)
    expect(await update(instance, row, deleted)).toEqual([])
    expect(await find(instance, 'a')).toEqual([])
    expect(await update(instance, deleted, next(deleted, { _deleted: false }))).toEqual([])
    expect(await find(instance, 'a')).toHaveLength(1)
  })

  test.fails(`${leftOut.tombstones}: an insert over a deleted document is a conflict`, async () => {
    const instance = await open('plain')
    const row = fresh({ id: 'a' })
    await insert(instance, row)
    await update(instance, row, gone(row))
    expect(await insert(instance, fresh({ id: 'a' }))).toMatchObject([{ status: 409 }])
  })

  test.fails(`${leftOut.tombstones}: a deleted document can be updated`, async () => {
    const instance = await open('plain')
    const row = fresh({ id: 'a' })
    const deleted = gone(row)
    await insert(instance, row)
    await update(instance, row, deleted)
    expect(await update(instance, deleted, next(deleted, { value: 'new' }))).toEqual([])
    expect(await findAny(instance, 'a')).toMatchObject([{ value: 'new' }])
  })

  test('an update can leave out a field', async () => {
    const instance = await open('plain')
    const row = fresh({ id: 'a' })
    await insert(instance, { ...row, value: 'b' })
    await update(instance, row, next(row))
    expect((await find(instance, 'a'))[0]).not.toHaveProperty('value')
  })

  test('a complex document, with letters of any language', async () => {
    const instance = await open('plain')
    const row = fresh({ id: 'äß😊', value: 'é🏳️‍🌈', tags: ['ü', '[]{}'], inner: { name: 'ع' } })
    await insert(instance, row)
    expect(await find(instance, 'äß😊')).toEqual([row])
  })

  test('only `_meta` may change, and the revision counts on', async () => {
    const instance = await open('plain')
    const first = fresh({ id: 'a' })
    const second = next(first)
    await insert(instance, first)
    expect(await update(instance, first, second)).toEqual([])
    expect(await update(instance, second, next(second))).toEqual([])
    const third: unknown = expect.stringMatching(/^3-/)
    expect(await find(instance, 'a')).toMatchObject([{ _rev: third }])
  })

  test('one write may be several revisions ahead', async () => {
    const instance = await open('plain')
    const row = fresh({ id: 'a' })
    const later = next(next(next(row)))
    await insert(instance, row)
    expect(await update(instance, row, later)).toEqual([])
    expect(await find(instance, 'a')).toEqual([later])
  })

  test('another instance can be opened after a write, and several write side by side', async () => {
    const storage = storageOn()
    const all = ['plain', 'values', 'scores']
    for (const name of all) {
      const instance = await open(name, { storage, databaseName: 'beside' })
      const rows = ['a', 'b', 'c'].map((id) => fresh({ id, value: name, score: 1, name }))
      const errors = await Promise.all(rows.map((row) => insert(instance, row)))
      expect(errors.flat()).toEqual([])
      expect(await find(instance, 'a', 'b', 'c')).toEqual(rows)
    }
  })

  test.fails(`${leftOut.collections}: a primary key of another name`, async () => {
    const instance = await open('plain', {
      schema: { primaryKey: 'value', required: ['value'], indexes: [] },
    })
    expect(await insert(instance, fresh({ id: 'a', value: 'b' }))).toEqual([])
    expect(await find(instance, 'b')).toHaveLength(1)
  })
})

/** Rows of the collections in `answered` and `refused`, with ids of unequal lengths. */
const rows: Readonly<Record<string, readonly Row[]>> = {
  plain: ['a', 'b', 'c'].map((id) => ({ id, value: id, tags: [id, 'all'] })),
  values: ['c', 'b', 'a', ''].map((value, n) => ({ id: `${n}`.padStart(n + 1, '0'), value })),
  scores: [-1.9, -1.5, -1, 0, 1.1, 50, 100, 100].map((score, n) => ({
    id: n % 3 === 0 ? `row-${n}-with-a-long-id` : `row-${n}`,
    score,
    name: `${n % 4}`,
  })),
  compound: [0, 1, 2, 3].map((n) => ({
    id: `${n}`,
    name: n === 3 ? 'other' : 'same',
    value: n === 2 ? 'b' : 'a',
    score: 50 - n,
  })),
  nested: ['c', 'b', 'a'].map((name, n) => ({ id: `${n}`, inner: { name } })),
}
const byScore: MangoQuery<Row>['sort'] = [{ score: 'asc' }]

const answered: readonly (readonly [string, MangoQuery<Row>])[] = [
  ['plain', {}],
  ['plain', { selector: { id: { $eq: 'b' } } }],
  ['plain', { selector: { id: { $gt: 'a' } }, limit: 1 }],
  ['plain', { selector: { id: { $gte: 'b' } } }],
  ['plain', { selector: { id: { $lt: 'b' } } }],
  ['plain', { selector: { id: { $lte: 'b' } } }],
  ['values', { sort: [{ value: 'asc' }] }],
  ['values', { selector: { value: 'b' }, sort: [{ value: 'asc' }] }],
  ['values', { selector: { value: { $gt: 'a' } }, sort: [{ value: 'asc' }] }],
  ['values', { sort: [{ value: 'asc' }, { id: 'asc' }], limit: 2 }],
  ['scores', { sort: byScore }],
  ...[-100, -2, -1.9, -1, 50, 100].flatMap((bound) =>
    ['$gt', '$gte', '$lt', '$lte', '$eq'].map((operator): readonly [string, MangoQuery<Row>] => [
      'scores',
      { selector: { score: { [operator]: bound } }, sort: byScore },
    ]),
  ),
  ['scores', { selector: { score: { $gte: 50, $lte: 50 } }, sort: byScore }],
  ['scores', { selector: { score: { $gt: 50, $lt: 50 } }, sort: byScore }],
  ['scores', { selector: { score: { $gt: 50, $lt: 0 } }, sort: byScore }],
  ['scores', { selector: { score: { $gte: -1.5, $lt: 50 } }, sort: byScore, limit: 3 }],
  ['scores', { selector: { score: 100 }, sort: [{ name: 'asc' }] }],
  ['scores', { selector: { name: { $gt: '1' } }, sort: [{ name: 'asc' }] }],
  ['compound', { selector: { name: 'same', value: 'a', score: { $gte: 49 } }, sort: byScore }],
  ['compound', { selector: { name: 'same', value: 'a' }, sort: byScore }],
  [
    'compound',
    { selector: { name: 'same' }, sort: [{ value: 'asc' }, { score: 'asc' }, { id: 'asc' }] },
  ],
  ['nested', { sort: [{ 'inner.name': 'asc' }] }],
  ['nested', { selector: { 'inner.name': 'b' }, sort: [{ 'inner.name': 'asc' }] }],
]

const refused: readonly (readonly [string, MangoQuery<Row>])[] = [
  ['values', { sort: [{ value: 'desc' }] }],
  ['values', { selector: { value: { $gt: 'a' } }, sort: [{ id: 'asc' }] }],
  ['plain', { selector: { value: 'a' } }],
  ['plain', { skip: 1 }],
  ['plain', { skip: 1, limit: 1 }],
  ['plain', { selector: { $or: [{ id: 'a' }, { id: 'b' }] } }],
  ['plain', { selector: { $and: [{ id: 'a' }] } }],
  ['plain', { selector: { id: { $in: ['a', 'b'] } } }],
  ['plain', { selector: { id: { $nin: ['a'] } } }],
  ['plain', { selector: { id: { $ne: 'a' } } }],
  ['plain', { selector: { id: { $regex: 'a' } } }],
  ['plain', { selector: { tags: { $in: ['a'] } } }],
  ['plain', { selector: { tags: { $size: 2 } } }],
  ['plain', { selector: { tags: { $elemMatch: { $eq: 'a' } } } }],
  ['plain', { selector: { value: { $type: 'string' } } }],
  ['plain', { selector: { value: { $exists: false } } }],
  ['plain', { selector: { value: null } }],
  ['scores', { selector: { score: { $gt: 0, $gte: 1 } }, sort: byScore }],
  ['scores', { selector: { score: { $gt: 0 }, name: { $gt: '0' } }, sort: byScore }],
  ['compound', { selector: { name: 'same', score: { $gte: 49 } } }],
]

describe('query and count', () => {
  const named = (queries: readonly (readonly [string, MangoQuery<Row>])[]) =>
    queries.map(([name, query]) => ({ name, query, title: `${name} ${JSON.stringify(query)}` }))
  const filled = async (name: string) => {
    const instance = await open(name)
    const documents = (rows[name] ?? []).map(fresh)
    expect(await insert(instance, ...documents.toReversed())).toEqual([])
    return { instance, documents }
  }

  test.for(named(answered))('as by filter, sort and slice: $title', async ({ name, query }) => {
    const { instance, documents } = await filled(name)
    const whole = normal(instance, query)
    const expected = documents
      .filter(getQueryMatcher<Row>(instance.schema, whole))
      .toSorted(getSortComparator<Row>(instance.schema, whole))
    expect(await ask(instance, query)).toEqual(expected.slice(0, query.limit))
    // RxDB refuses a count with a limit.
    expect(await count(instance, query)).toBe(expected.length)
  })

  test.for(named(refused))(`${leftOut.queries}: $title`, async ({ name, query }) => {
    const { instance } = await filled(name)
    await expect(ask(instance, query)).rejects.toThrow(Unserved)
  })

  test('many documents', async () => {
    const instance = await open('values')
    const many = Array.from({ length: 100 }, (_, n) => fresh({ id: `${n}`, value: `${n}` }))
    await insert(instance, ...many)
    expect(await ask(instance)).toHaveLength(100)
  })

  test.fails(`${leftOut.tombstones}: a query and a count without a filter find deleted documents`, async () => {
    const instance = await open('plain')
    const row = fresh({ id: 'a' })
    await insert(instance, row)
    await update(instance, row, gone(row))
    const all = normalizeMangoQuery<Stored>(instance.schema, { selector: {} })
    const { count } = await instance.count(prepareQuery<Row>(instance.schema, all))
    expect(count).toBe(1)
  })

  test.fails(`${leftOut.keys}: a document without the indexed field is found`, async () => {
    const instance = await open('values')
    await insert(instance, fresh({ id: 'a', value: 'b' }), fresh({ id: 'b' }))
    expect(await ask(instance, { sort: [{ value: 'asc' }] })).toHaveLength(2)
  })

  test.fails(`${leftOut.keys}: a document with null in the indexed field is found`, async () => {
    const instance = await open('values')
    await insert(instance, fresh({ id: 'a', value: null }))
    expect(await ask(instance, { sort: [{ value: 'asc' }] })).toHaveLength(1)
  })

  test.fails(`${leftOut.keys}: an index of a boolean`, async () => {
    const instance = await open('open')
    await insert(instance, fresh({ id: 'a', isOpen: true }))
    expect(await ask(instance, { selector: { isOpen: true } })).toHaveLength(1)
  })
})

describe('findDocumentsById', () => {
  test('finds what is there, also when deleted documents are wanted', async () => {
    const instance = await open('plain')
    const row = fresh({ id: 'a', value: 'b' })
    await insert(instance, row)
    expect(await find(instance, 'a', 'missing')).toEqual([row])
    expect(await findAny(instance, 'a', 'missing')).toEqual([row])
  })

  test('many documents', async () => {
    const instance = await open('values')
    const many = Array.from({ length: 1000 }, () => fresh({ id: crypto.randomUUID(), value: '' }))
    expect(await insert(instance, ...many)).toEqual([])
    expect(await find(instance, ...many.map(({ id }) => id))).toHaveLength(1000)
  })

  test.fails(`${leftOut.tombstones}: finds deleted documents`, async () => {
    const instance = await open('plain')
    const row = fresh({ id: 'a' })
    await insert(instance, row)
    await update(instance, row, gone(row))
    expect(await findAny(instance, 'a')).toMatchObject([{ _deleted: true }])
  })
})

describe('getChangedDocumentsSince', () => {
  test.fails(`${leftOut.changes}: the changes since a checkpoint`, async () => {
    const instance = await open('plain')
    await insert(instance, fresh({ id: 'a' }))
    expect((await getChangedDocumentsSince(instance, 10)).documents).toHaveLength(1)
  })
})

describe('changeStream', () => {
  test('one event per write, before the write resolves, with the context', async () => {
    const instance = await open('plain')
    const bulks = bulksOf(instance)
    const row = fresh({ id: 'a', value: 'b' })
    await insert(instance, row)
    expect(bulks).toMatchObject([
      { context: 'insert', events: [{ documentId: 'a', documentData: row }] },
    ])
    await insert(instance, fresh({ id: 'b' }), fresh({ id: 'c' }))
    expect(bulks.map(({ events }) => events.length)).toEqual([1, 2])
  })

  test('inserts, updates and deletes, with the previous document', async () => {
    const instance = await open('plain')
    const bulks = bulksOf(instance)
    const first = fresh({ id: 'a' })
    const second = next(first, { value: 'b' })
    const before = structuredClone(second)
    await insert(instance, first)
    await update(instance, first, second)
    await update(instance, second, gone(second))
    expect(operations(bulks)).toEqual(['INSERT', 'UPDATE', 'DELETE'])
    expect(bulks[2]?.events[0]?.previousDocumentData).toEqual(before)
    expect(second).toEqual(before)
  })

  test('nothing when each row of a write failed', async () => {
    const instance = await open('plain')
    const bulks = bulksOf(instance)
    await insert(instance, fresh({ id: 'a' }))
    await insert(instance, fresh({ id: 'a' }))
    expect(bulks).toHaveLength(1)
  })

  test.fails(`${leftOut.changes}: an event has a checkpoint`, async () => {
    const instance = await open('plain')
    const bulks = bulksOf(instance)
    await insert(instance, fresh({ id: 'a' }))
    expect(bulks[0]?.checkpoint).toBeTruthy()
  })
})

describe('attachments', () => {
  test.fails(`${leftOut.attachments}: an attachment is stored and read`, async () => {
    const instance = await open('plain', { schema: { attachments: {} } })
    const data = new Blob(['text'], { type: 'text/plain' })
    const attachment = { data, digest: 'digest', length: data.size, type: data.type }
    await instance.bulkWrite(
      [{ document: { ...fresh({ id: 'a' }), _attachments: { attachment } } }],
      'insert',
    )
    expect(await instance.getAttachmentData('a', 'attachment', 'digest')).toBeInstanceOf(Blob)
  })
})

describe('cleanup', () => {
  test('true: nothing deleted is left, and the other documents stay', async () => {
    const instance = await open('plain')
    const row = fresh({ id: 'a' })
    await insert(instance, row, fresh({ id: 'b' }))
    await update(instance, row, gone(row))
    expect(await instance.cleanup(0)).toBe(true)
    expect(await findAny(instance, 'a', 'b')).toMatchObject([{ id: 'b' }])
  })

  test.fails(`${leftOut.tombstones}: a document that was deleted lately stays`, async () => {
    const instance = await open('plain')
    const row = fresh({ id: 'a' })
    await insert(instance, row)
    await update(instance, row, gone(row))
    await instance.cleanup(360_000)
    expect(await findAny(instance, 'a')).toHaveLength(1)
  })
})

describe('close and remove', () => {
  test('closing again does nothing; removing then fails', async () => {
    const instance = await open('plain')
    await Promise.all([instance.close(), instance.close()])
    await expect(instance.remove()).rejects.toThrow()
  })

  test('removing deletes the documents of this collection only', async () => {
    const on = { storage: storageOn(), databaseName: 'removed' }
    const [instance, other] = [await open('plain', on), await open('values', on)]
    await insert(instance, fresh({ id: 'a' }))
    await insert(other, fresh({ id: 'a', value: '' }))
    await instance.remove()
    await instance.close()
    expect(await find(await open('plain', on), 'a')).toEqual([])
    expect(await find(other, 'a')).toHaveLength(1)
  })
})

describe('several instances', () => {
  test('each reads what the other wrote, and gets its events', async () => {
    const [one, other] = await tabs()
    const both = [bulksOf(one), bulksOf(other)]
    const row = fresh({ id: 'a', value: 'here' })
    await insert(one, row)
    expect(await ask(other, { limit: 1 })).toEqual([row])
    await vi.waitFor(() => expect(both[1]).toHaveLength(1))
    expect(await update(other, row, next(row, { value: 'there' }))).toEqual([])
    expect(await find(one, 'a')).toMatchObject([{ value: 'there' }])
    await vi.waitFor(() => expect(both[0]).toHaveLength(2))
    for (const bulks of both) expect(operations(bulks)).toEqual(['INSERT', 'UPDATE'])
  })

  test('a query is answered while another instance closes', async () => {
    const storage = storageOn()
    const [one, two] = await tabs()
    const beside = { storage, databaseName: 'closing' }
    const [here, there] = [await open('plain', beside), await open('plain', beside)]
    for (const [left, right] of [
      [one, two],
      [here, there],
    ] as const) {
      await insert(left, fresh({ id: 'a' }))
      const asked = ask(right)
      await left.close()
      expect(await asked).toHaveLength(1)
    }
  })

  test('databases of other names are separate', async () => {
    const storage = storageOn()
    const [one, other] = [await open('plain', { storage }), await open('plain', { storage })]
    await insert(one, fresh({ id: 'a' }))
    expect(await ask(other)).toEqual([])
  })

  test.fails(`${leftOut.collections}: documents of two schema versions are separate`, async () => {
    const on = { storage: storageOn(), databaseName: 'versions' }
    const [one, two] = [
      await open('plain', on),
      await open('plain', { ...on, schema: { version: 1 } }),
    ]
    await insert(one, fresh({ id: 'a' }))
    expect(await ask(two)).toEqual([])
  })
})

test('another app uses it as README.md shows', async () => {
  const database = await createRxDatabase({
    name: 'heroes',
    storage: storageOn(),
    multiInstance: false,
  })
  opened.push({ close: async () => void (await database.close()) })
  const { scores } = await database.addCollections({
    scores: { schema: { ...schemaOf(), required: ['id', 'score'], indexes: ['score'] } },
  })
  await scores?.bulkInsert([3, 1, 2].map((score) => ({ id: `${score}`, score })))
  const strong = await scores
    ?.find({ selector: { score: { $gt: 1 } }, sort: [{ score: 'asc' }] })
    .exec()
  expect(strong?.map(({ id }: Row) => id)).toEqual(['2', '3'])
})

test('README.md names what is left out', () => {
  const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8')
  const [, table = ''] = readme.split('| Left out |')
  const named = [...table.matchAll(/^\| ([^|]+) \|/gm)].map(([, name]) => name)
  expect(named).toEqual(Object.values(leftOut))
})
