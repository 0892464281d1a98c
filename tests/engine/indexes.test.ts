import { IDBIndex as FDBIndex, IDBObjectStore as FDBObjectStore } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { QuestionName } from '#schema/port/question'
import { questions } from '#sync/nouns/questions'
import { card, offline, Reader } from './reader.ts'

/** Spies on how IndexedDB is read while a question is answered. */
const walks = vi.spyOn(FDBIndex.prototype, 'openCursor')
const scans = vi.spyOn(FDBObjectStore.prototype, 'openCursor')
const heaps = vi.spyOn(FDBObjectStore.prototype, 'getAll')
const ranges = vi.spyOn(FDBIndex.prototype, 'getAll')

let phone: Reader
beforeEach(async () => {
  phone = await Reader.open(() => offline, { me: 'U1' })
  await phone.store.saved.put([{ id: 'L1', newest: 1, saved: true }])
  phone.goOffline()
  for (const spy of [walks, scans, heaps, ranges]) spy.mockClear()
})
afterEach(() => phone.close())

function samplesOf<N extends QuestionName>(name: N) {
  return questions[name].samples.map((params) => ({
    name,
    params,
    ask: () => phone.watch(name, params),
  }))
}
const names = Object.keys(questions).filter((name): name is QuestionName => name in questions)

test.each(names.flatMap((name) => samplesOf(name)))(
  '$name $params is answered by an index or by ids alone',
  async ({ ask }) => {
    const held = ask()
    await expect.poll(held).not.toBeNull()
    expect(walks).not.toHaveBeenCalled()
    expect(scans).not.toHaveBeenCalled()
    // Search scans all listings once, in pages by id.
    for (const [, limit] of heaps.mock.calls) expect(limit).toBe(200)
    for (const [range] of ranges.mock.calls) expect(range).toBeDefined()
  },
)

test('every question has a sample', () => {
  expect(Object.values(questions).filter(({ samples: some }) => some.length === 0)).toEqual([])
})

test('a find that no index serves throws: it is a bug', async () => {
  await expect(phone.store.listings.find({ sort: [{ title: 'asc' }] }).exec()).rejects.toThrow(
    'No index serves',
  )
  await expect(
    phone.store.listings
      .find({ selector: { region: 'kadiogo' }, sort: [{ newest: 'asc' }] })
      .exec(),
  ).rejects.toThrow('No index serves')
})

test('the number of rows read for one page of a list does not grow with the database', async () => {
  const rows = Array.from({ length: 120 }, (_, n) => `L${n}`)
  phone.server = () => ({
    body: { next: null, results: rows.slice(0, 20).map((id, n) => card(id, n)) },
  })
  phone.goOnline()
  const held = phone.watch('listings.browse', { filters: {}, limit: 20 })
  await expect.poll(() => held()?.status).toBe('ready')
  const gets = vi.spyOn(FDBObjectStore.prototype, 'get')
  ranges.mockClear()
  phone.unwatch('listings.browse')
  const again = phone.watch('listings.browse', { filters: {}, limit: 20 }, 'again')
  await expect.poll(() => again()?.rows.length).toBe(20)
  // The list document and its twenty rows.
  expect(gets.mock.calls.length).toBeLessThanOrEqual(22)
  expect(ranges).not.toHaveBeenCalled()
})
