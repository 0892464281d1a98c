import 'fake-indexeddb/auto'
import { forceCloseDatabase } from 'fake-indexeddb'
import { commands } from '#sync/nouns/commands'
import { queue } from '#sync/outbox/accept'
import { type Book, emptyBook } from '#sync/outbox/book'
import { away, begin, done, later, refused, takeFence } from '#sync/outbox/marks'
import { openPhone } from '#sync/outbox/phone'
import type { Table } from '#sync/outbox/table'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { PhoneDisk, tableOf } from './model/disk.ts'
import { Realm } from './model/realm.ts'
import { World } from './model/world.ts'

let opened: Table[] = []
let count = 0

async function disk(name = `phone-${++count}`): Promise<Table> {
  const { table } = await openPhone(name, () => undefined)
  opened.push(table)
  return table
}

afterEach(() => {
  for (const table of opened) table.close()
  opened = []
})

type Change = (book: Book) => { readonly book: Book; readonly result: unknown }

const ids = Array.from({ length: 5 }, (_, n) => `00000000-0000-7000-8000-00000000000${n}`)
const changes: fc.Arbitrary<Change> = fc
  .record({ id: fc.constantFrom(...ids), what: fc.constantFrom('write', 'save', 'lead', 'begin', 'done', 'later', 'refuse', 'away', 'forget text', 'nothing'), fence: fc.nat(3) })
  .map(({ id, what, fence }): Change => (book) => {
    switch (what) {
      case 'write':
        return queue(book, { id, name: 'message.send', payload: { conversation: 'C1', content: `m ${id}` } }, commands['message.send'], 'U1', 1)
      case 'save':
        return queue(book, { id, name: 'listing.save', payload: { listing: 'L1', saved: fence % 2 === 0 } }, commands['listing.save'], 'U1', 1)
      case 'lead':
        return takeFence(book, 'U1')
      case 'begin':
        return begin(book, [id], 'U1', fence, 1)
      case 'done':
        return { book: done(book, id, { id: 'M1' }, { kind: 'conversation', from: 'C1', to: 'C2' }), result: null }
      case 'later':
        return { book: later(book, id, 'weak', 5, true, true), result: null }
      case 'refuse':
        return { book: refused(book, id, { detail: 'no', code: 'x' }), result: null }
      case 'away':
        return { book: away(book, id), result: null }
      case 'forget text':
        return { book: { ...book, texts: fence === 0 ? [] : [{ id: `U1 ${id}`, owner: 'U1', key: id, content: 'x', at: 1 }] }, result: null }
      default:
        return { book, result: book.entries.length }
    }
  })

test('the database and the simulation’s table say the same after any changes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(changes, { maxLength: 25 }), async (list) => {
      const world = new World(1)
      const model = new PhoneDisk()
      const memory = tableOf(world, model, new Realm(world))
      const real = await disk()
      for (const change of list) {
        const told = real.change(change)
        const expected = memory.change(change)
        await world.run(100)
        expect(await told).toEqual(await expected)
      }
      const sorted = (book: Book): unknown => ({ ...book, texts: book.texts.toSorted((a, b) => (a.id < b.id ? -1 : 1)) })
      expect(sorted(await real.read())).toEqual(sorted(model.book))
    }),
    { numRuns: 40 },
  )
})

test('what was queued is there after everything was closed', async () => {
  const first = await disk('kept')
  await first.change((book) => queue(book, { id: ids[0] ?? '', name: 'message.send', payload: { conversation: 'C1', content: 'Bonjour' } }, commands['message.send'], 'U1', 1))
  first.close()
  expect((await (await disk('kept')).read()).entries).toHaveLength(1)
})

test('a database that the browser closed, as when the site’s data is cleared, is opened anew', async () => {
  const open = vi.spyOn(indexedDB, 'open')
  let reopened = 0
  const { table } = await openPhone(`phone-${++count}`, () => undefined, () => void reopened++)
  opened.push(table)
  const [made] = open.mock.results
  open.mockRestore()
  if (made?.type !== 'return') throw new Error('nothing was opened')
  // Its type asks for the class in place of an instance.
  Reflect.apply(forceCloseDatabase, null, [made.value.result])
  await expect.poll(() => table.change((book) => takeFence(book, 'U1')).catch(() => null)).toBe(1)
  expect(reopened).toBe(1)
})

test('a change that throws leaves everything as it was', async () => {
  const table = await disk()
  await expect(
    table.change(() => {
      throw new Error('bug')
    }),
  ).rejects.toThrow('bug')
  expect(await table.read()).toEqual(emptyBook)
})

test('two tabs change one book, each on top of the other', async () => {
  const [one, other] = [await disk('shared'), await disk('shared')]
  const fences = await Promise.all([one, other, one, other].map((table) => table.change((book) => takeFence(book, 'U1'))))
  expect(fences.toSorted()).toEqual([1, 2, 3, 4])
})

test('a row that cannot be read is left where it is, and harms nothing', async () => {
  const table = await disk('odd')
  const database = await new Promise<IDBDatabase>((resolve) => {
    const request = indexedDB.open('odd')
    request.addEventListener('success', () => resolve(request.result))
  })
  const write = database.transaction(['entries', 'desk'], 'readwrite')
  write.objectStore('entries').put({ id: 'odd', place: 'first' })
  write.objectStore('desk').put({ id: 'desk', place: null })
  await new Promise((resolve) => write.addEventListener('complete', resolve))
  await table.change((book) => queue(book, { id: ids[0] ?? '', name: 'message.send', payload: { conversation: 'C1', content: 'Bonjour' } }, commands['message.send'], 'U1', 1))
  expect((await table.read()).entries.map(({ payload }) => payload['content'])).toEqual(['Bonjour'])
  const left = await new Promise((resolve) => {
    const request = database.transaction('entries').objectStore('entries').count()
    request.addEventListener('success', () => resolve(request.result))
  })
  expect(left).toBe(2)
  database.close()
})

test('[S4.14][S9.08] events seen are kept by person, the oldest forgotten first', async () => {
  const { table, seen } = await openPhone(`phone-${++count}`, () => undefined)
  await seen.add('U1', ['E1', 'E2', 'E3'])
  await seen.add('U2', ['E1'])
  await seen.trim('U1', 2)
  expect(await seen.read('U1')).toEqual(['E2', 'E3'])
  expect(await seen.read('U2')).toEqual(['E1'])
  table.close()
})

test('bytes are added up by day', async () => {
  const { table, meter } = await openPhone(`phone-${++count}`, () => undefined)
  await meter.add('2026-11-20', 1, 10)
  await meter.add('2026-11-21', 2, 20)
  await meter.add('2026-11-21', 3, 30)
  expect(await meter.read('2026-11-21', '2026-11-21')).toMatchObject([{ sent: 5, received: 50 }])
  expect(await meter.read('2026-11-01', '2026-11-21')).toHaveLength(2)
  table.close()
})
