import 'fake-indexeddb/auto'
import { forceCloseDatabase, IDBFactory } from 'fake-indexeddb'
import { commands } from '#sync/nouns/commands'
import { queue } from '#sync/outbox/accept'
import { edit, remove } from '#sync/outbox/edit'
import { type OutboxState, emptyState, withMeta } from '#sync/outbox/state'
import { discard, begin, done, later, refused, takeFence } from '#sync/outbox/transitions'
import { memoryDeviceDb } from '#sync/outbox/memory'
import { createMeter } from '#sync/network/meter'
import { Database } from '#sync/outbox/connection'
import type { DatabaseCallbacks, Table } from '#sync/outbox/table'
import { Dexie } from 'dexie'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { deviceHere, here, withTable } from '../golden/outside.ts'
import { DeviceDisk, tableOf } from './model/disk.ts'
import { Realm } from './model/realm.ts'
import { World } from './model/world.ts'

let opened: Table[] = []
let count = 0

/** Opens the device database, and creates it first if it does not exist. */
async function open(name = `device-${++count}`, callbacks?: DatabaseCallbacks, needs = here) {
  const created = new Database(`${name}-phone`, { factory: indexedDB })
  await created.open().catch(() => undefined)
  created.close()
  const device = await deviceHere(name, needs, callbacks)
  opened.push(device.table)
  return device
}

async function disk(name?: string): Promise<Table> {
  return (await open(name)).table
}

afterEach(() => {
  for (const table of opened) table.close()
  opened = []
})

type Change = (state: OutboxState) => { readonly state: OutboxState; readonly result: unknown }

const ids = Array.from({ length: 5 }, (_, n) => `00000000-0000-7000-8000-00000000000${n}`)
const changes: fc.Arbitrary<Change> = fc
  .record({
    id: fc.constantFrom(...ids),
    what: fc.constantFrom(
      'write',
      'save',
      'lead',
      'begin',
      'done',
      'later',
      'refuse',
      'away',
      'forget text',
      'nothing',
    ),
    fence: fc.nat(3),
  })
  .map(({ id, what, fence }): Change => (state) => {
    switch (what) {
      case 'write':
        return queue(
          state,
          { id, name: 'message.send', payload: { conversation: 'C1', content: `m ${id}` } },
          commands['message.send'],
          'U1',
          1,
        )
      case 'save':
        return queue(
          state,
          { id, name: 'listing.save', payload: { listing: 'L1', saved: fence % 2 === 0 } },
          commands['listing.save'],
          'U1',
          1,
        )
      case 'lead':
        return takeFence(state, 'U1')
      case 'begin':
        return { state: begin(state, [id], fence, 1), result: null }
      case 'done':
        return {
          state: done(state, id, { id: 'M1' }, { kind: 'conversation', from: 'C1', to: 'C2' }),
          result: null,
        }
      case 'later':
        return {
          state: later(state, id, 'weak', 5, { reached: true, uncertain: true }),
          result: null,
        }
      case 'refuse':
        return { state: refused(state, id, { detail: 'no', code: 'x' }), result: null }
      case 'away':
        return { state: discard(state, id), result: null }
      case 'forget text':
        return {
          state: {
            ...state,
            texts:
              fence === 0 ? [] : [{ id: `U1 ${id}`, owner: 'U1', key: id, content: 'x', at: 1 }],
          },
          result: null,
        }
      default:
        return { state, result: state.entries.length }
    }
  })

test('the database and the simulation’s table agree after any changes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(changes, { maxLength: 25 }), async (list) => {
      const world = new World(1)
      const model = new DeviceDisk()
      const memory = tableOf(world, model, new Realm(world))
      const real = await disk()
      for (const change of list) {
        const notices = real.change(change)
        const expected = memory.change(change)
        await world.run(100)
        expect(await notices).toEqual(await expected)
      }
      const sorted = (state: OutboxState): unknown => ({
        ...state,
        meta: { ...state.meta, born: [] },
        texts: state.texts.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      })
      expect(sorted(await real.read())).toEqual(sorted(model.state))
    }),
    { numRuns: 40 },
  )
})

test('queued entries are there after everything was closed', async () => {
  const first = await disk('kept')
  await first.change((state) =>
    queue(
      state,
      {
        id: ids[0] ?? '',
        name: 'message.send',
        payload: { conversation: 'C1', content: 'Bonjour' },
      },
      commands['message.send'],
      'U1',
      1,
    ),
  )
  first.close()
  expect((await (await disk('kept')).read()).entries).toHaveLength(1)
})

test('a database closed by the browser, as when site data is cleared, is reopened', async () => {
  const opens = vi.spyOn(indexedDB, 'open')
  let reopened = 0
  const { table } = await open(undefined, {
    newer: () => undefined,
    restart: () => undefined,
    reopened: () => void reopened++,
  })
  const made = opens.mock.results.at(-1)
  opens.mockRestore()
  if (made?.type !== 'return') throw new Error('nothing was opened')
  // The typings ask for the class instead of an instance.
  Reflect.apply(forceCloseDatabase, null, [made.value.result])
  await expect.poll(() => table.change((state) => takeFence(state, 'U1')).catch(() => null)).toBe(1)
  expect(reopened).toBe(1)
})

test('a change that throws leaves everything as it was', async () => {
  const table = await disk()
  await expect(
    table.change(() => {
      throw new Error('bug')
    }),
  ).rejects.toThrow('bug')
  expect(await table.read()).toEqual(emptyState)
})

test('two tabs change one outbox, each on top of the other', async () => {
  const [one, other] = [await disk('shared'), await disk('shared')]
  const fences = await Promise.all(
    [one, other, one, other].map((table) => table.change((state) => takeFence(state, 'U1'))),
  )
  expect(fences.toSorted()).toEqual([1, 2, 3, 4])
})

test('[SYNC 5] a tab gets the answers of its reads and changes in the order of the disk', async () => {
  const table = await disk()
  const order: number[] = []
  await Promise.all(
    [1, 2, 3, 4, 5, 6].map(async (n) => {
      await (n % 3 === 0 ? table.read() : table.change((state) => takeFence(state, 'U1')))
      order.push(n)
    }),
  )
  expect(order).toEqual([1, 2, 3, 4, 5, 6])
})

/** Writes a row past the app, as another release may have written it. */
async function write(
  name: string,
  store: 'entries' | 'texts' | 'meta',
  row: object,
): Promise<void> {
  const database = await new Dexie(`${name}-phone`).open()
  await database.table(store).put(row)
  database.close()
}

async function rows(
  name: string,
  store: 'entries' | 'texts' | 'meta',
): Promise<readonly unknown[]> {
  const database = await new Dexie(`${name}-phone`).open()
  const all: unknown[] = await database.table(store).toArray()
  database.close()
  return all
}

const hello = (state: OutboxState) =>
  queue(
    state,
    { id: ids[0] ?? '', name: 'message.send', payload: { conversation: 'C1', content: 'Bonjour' } },
    commands['message.send'],
    'U1',
    1,
  )

test('an unreadable row stays stored and visible to its owner until they remove it', async () => {
  const table = await disk('odd')
  const [odd, text] = [
    { id: 'odd', owner: 'U1', sequence: 'first', payload: { content: 'Ni perdu ni parti' } },
    { id: 'U1 note', owner: 'U1', content: 7 },
  ]
  await write('odd', 'entries', odd)
  await write('odd', 'texts', text)
  await table.change(hello)
  const state = await table.read()
  expect(state.entries.map(({ payload }) => payload['content'])).toEqual(['Bonjour'])
  expect(state.unread).toEqual([
    { id: 'odd', owner: 'U1', row: odd },
    { id: 'U1 note', owner: 'U1', row: text },
  ])
  expect(await rows('odd', 'entries')).toContainEqual(odd)
  await table.change((now) => remove(now, 'U2', 'odd', commands))
  expect(await rows('odd', 'entries')).toContainEqual(odd)
  await table.change((now) => remove(now, 'U1', 'odd', commands))
  expect((await table.read()).unread.map(({ id }) => id)).toEqual(['U1 note'])
  expect(await rows('odd', 'entries')).toHaveLength(1)
})

test('unknown members survive this version’s writes, in entries, payloads, texts and the meta store', async () => {
  const table = await disk('later')
  await table.change(hello)
  await table.change((state) => ({
    state: { ...state, texts: [{ id: 'U1 k', owner: 'U1', key: 'k', content: 'x', at: 1 }] },
    result: null,
  }))
  const [entry, text, meta] = await Promise.all(
    (['entries', 'texts', 'meta'] as const).map(async (store) =>
      Object.assign({}, (await rows('later', store))[0]),
    ),
  )
  await write('later', 'entries', {
    ...entry,
    budget: { bytes: 5 },
    payload: { conversation: 'C1', content: 'Bonjour', mood: 'glad' },
    why: 'tired',
  })
  await write('later', 'texts', { ...text, colour: 'red' })
  await write('later', 'meta', {
    ...meta,
    theme: 'night',
    sessions: [{ owner: 'U1', username: 'u', token: 't', since: 7 }],
  })
  const fence = await table.change((state) => takeFence(state, 'U1'))
  await table.change((state) => edit(state, 'U1', ids[0] ?? '', 'Bonsoir', commands))
  await table.change((state) => ({ state: begin(state, ids.slice(0, 1), fence, 1), result: null }))
  await table.change((state) => ({
    state: later(state, ids[0] ?? '', 'weak', 5, { reached: true, uncertain: true }),
    result: null,
  }))
  await table.change((state) => ({
    state: { ...state, texts: state.texts.map((one) => ({ ...one, content: 'y' })) },
    result: null,
  }))
  expect(await rows('later', 'entries')).toMatchObject([
    {
      budget: { bytes: 5 },
      payload: { content: 'Bonsoir', mood: 'glad' },
      why: 'weak',
      uncertain: true,
    },
  ])
  expect(await rows('later', 'texts')).toMatchObject([{ colour: 'red', content: 'y' }])
  expect(await rows('later', 'meta')).toMatchObject([
    { theme: 'night', sessions: [{ since: 7 }], fences: { U1: fence } },
  ])
})

test('a missing or malformed part of the meta falls back alone', async () => {
  const table = await disk('malformed')
  await write('malformed', 'meta', {
    id: 'meta',
    sequence: 7,
    sessions: [{ owner: 'U1', username: 'u', token: 't' }],
    made: 'none',
    language: 'mos',
  })
  const { meta } = await table.read()
  expect(meta).toMatchObject({
    sequence: 7,
    sessions: [{ token: 't' }],
    made: [],
    language: 'fr',
    keysKept: false,
    ended: [],
  })
})

/** The next release has one store more, and one less. */
class NextDatabase extends Database {
  constructor(name: string) {
    super(name, { factory: indexedDB })
    this.version(2).stores({ pictures: 'id', texts: null })
  }
}

test('[SYNC 9] version 2 takes over the database with its rows; an old tab is notified and stops', async () => {
  let notices = 0
  const { table: old } = await open('grown', {
    newer: () => void notices++,
    reopened: () => undefined,
    restart: () => undefined,
  })
  await old.change(hello)
  const before = await rows('grown', 'entries')
  const next = new NextDatabase('grown-phone')
  await next.open()
  expect(notices).toBe(1)
  await expect(
    old.change((state) => ({ state: { ...state, entries: [] }, result: null })),
  ).rejects.toMatchObject({ why: 'newer' })
  await expect(old.read()).rejects.toMatchObject({ why: 'newer' })
  // Reopening fails the same way, instead of falling back to memory.
  await expect(deviceHere('grown')).rejects.toMatchObject({ why: 'newer' })
  expect(await rows('grown', 'entries')).toEqual(before)
  expect((await indexedDB.databases()).find(({ name }) => name === 'grown-phone')?.version).toBe(20)
  expect(next.tables.map(({ name }) => name)).not.toContain('texts')
  next.close()
})

test('with a newer database version, reads work and writes that would be lost are refused', async () => {
  const { table, held, drafts } = withTable(await memoryDeviceDb(here, 'newer'))
  expect(held).toBe('newer')
  await table.change((state) => ({
    state: withMeta(state, { sessionId: 'visitor-1' }),
    result: null,
  }))
  await expect(table.change(hello)).rejects.toMatchObject({ why: 'newer' })
  expect((await table.read()).entries).toEqual([])
  await expect(drafts()).rejects.toMatchObject({ why: 'newer' })
})

test('without storage, entries and drafts are in memory as long as the tab', async () => {
  const { table, drafts, memoryOnly } = withTable(await memoryDeviceDb(here))
  expect(memoryOnly).toBe(true)
  await table.change(hello)
  expect((await table.read()).entries).toHaveLength(1)
  const store = await drafts()
  const draft = { id: ids[0] ?? '', owner: 'U1', fields: {}, photos: [], listing: null, at: 1 }
  await store.save(draft)
  expect(await store.list('U1')).toEqual([draft])
  expect((await withTable(await memoryDeviceDb(here)).table.read()).entries).toEqual([])
})

test('[S2.38] a change of drafts is announced, and no other change', async () => {
  const { table, drafts } = await open()
  const store = await drafts()
  let calls = 0
  const end = store.onChange(() => void calls++)
  const draft = { id: ids[0] ?? '', owner: 'U1', fields: {}, photos: [], listing: null, at: 1 }
  await Promise.all([store.save(draft), table.change(hello), store.save({ ...draft, at: 2 })])
  await expect.poll(() => calls).toBe(2)
  expect(await store.list('U1')).toEqual([{ ...draft, at: 2 }])
  await store.remove(draft.id)
  await expect.poll(() => calls).toBe(3)
  expect(await store.list('U1')).toEqual([])
  end()
  await store.save(draft)
  expect(calls).toBe(3)
})

test('opening a blocked database times out after 5 s; a later success is reported', async () => {
  const name = `device-${++count}`
  const waiting = new Map<() => void, number>()
  const later = (ms: number, what: () => void) => {
    waiting.set(what, ms)
    return () => waiting.delete(what)
  }
  let late = 0
  // Another tab, of a release that does not close its connection.
  const blocker = await new Promise<IDBDatabase>((resolve) => {
    const request = indexedDB.open(`${name}-phone`, 1)
    request.addEventListener('success', () => resolve(request.result))
  })
  const opening = deviceHere(
    name,
    { ...here, setTimer: later },
    { newer: () => undefined, reopened: () => undefined, restart: () => void late++ },
  )
  await expect.poll(() => [...waiting.values()]).toEqual([5000])
  for (const what of waiting.keys()) what()
  await expect(opening).rejects.toMatchObject({ why: 'hangs' })
  expect(late).toBe(0)
  blocker.close()
  await expect.poll(() => late).toBe(1)
})

test('a database wiped under an open tab is restored from memory, followed by what was written meanwhile', async () => {
  const name = `device-${++count}`
  let reopened = 0
  const { table } = await open(name, {
    newer: () => undefined,
    restart: () => undefined,
    reopened: () => void reopened++,
  })
  await table.change((state) => ({
    state: withMeta(
      { ...state, texts: [{ id: 'U1 k', owner: 'U1', key: 'k', content: 'x', at: 1 }] },
      { sessions: [{ owner: 'U1', username: 'u', token: 't' }] },
    ),
    result: null,
  }))
  for (const id of ids.slice(0, 3))
    await table.change((state) =>
      queue(
        state,
        { id, name: 'message.send', payload: { conversation: 'C1', content: id } },
        commands['message.send'],
        'U1',
        1,
      ),
    )
  const before = await table.read()
  await new Promise((resolve) =>
    indexedDB.deleteDatabase(`${name}-phone`).addEventListener('success', resolve),
  )
  expect(reopened).toBe(1)
  // A tab opened afterwards has no copy of the wiped rows.
  const { table: fresh } = await deviceHere(name)
  opened.push(fresh)
  await fresh.change((state) =>
    queue(
      state,
      { id: ids[4] ?? '', name: 'message.send', payload: { conversation: 'C1', content: 'after' } },
      commands['message.send'],
      'U1',
      1,
    ),
  )
  const { entries, texts, meta } = await table.read()
  expect(entries.map(({ payload }) => payload['content'])).toEqual([...ids.slice(0, 3), 'after'])
  expect(entries.map(({ sequence }) => sequence)).toEqual(
    entries.map(({ sequence }) => sequence).toSorted((a, b) => a - b),
  )
  expect([texts, meta.sessions, meta.born[0]]).toEqual([
    before.texts,
    before.meta.sessions,
    before.meta.born[0],
  ])
  // Once restored it stays so, whichever tab reads it.
  for (const one of [fresh, table, fresh, table])
    expect((await one.read()).entries).toEqual(entries)
})

test('[S4.14][S9.08] seen events are stored per person, and the oldest are dropped first', async () => {
  const device = await open()
  const { seen } = await device.open()
  for (const id of ['E1', 'E2', 'E3']) await seen.add('U1', id)
  await seen.add('U2', 'E1')
  await seen.trim('U1', 2)
  expect(await seen.read('U1')).toEqual(['E2', 'E3'])
  expect(await seen.read('U2')).toEqual(['E1'])
})

test('bytes are added up by day', async () => {
  const device = await open()
  const { meter } = await device.open()
  await meter.add('2026-11-20', 1, 10)
  await meter.add('2026-11-21', 2, 20)
  await meter.add('2026-11-21', 3, 30)
  expect(await meter.read('2026-11-21', '2026-11-21')).toMatchObject([{ sent: 5, received: 50 }])
  expect(await meter.read('2026-11-01', '2026-11-21')).toHaveLength(2)
})

test('[SYNC 2] a visitor’s first page has no database until something must be kept, and loses nothing', async () => {
  const factory = new IDBFactory()
  const needs = { ...here, factory }
  const names = async () => (await factory.databases()).map(({ name }) => name)
  const one = await deviceHere('app', needs)
  const other = await deviceHere('app', needs)
  opened.push(one.table, other.table)
  const language = (state: OutboxState) => ({
    state: withMeta(state, { language: 'en', sessionId: 'visitor-1' }),
    result: null,
  })
  const view = (state: OutboxState) =>
    queue(
      state,
      { id: ids[1] ?? '', name: 'listing.viewed', payload: { listing: 'L1', source: 'detail' } },
      commands['listing.viewed'],
      '',
      1,
    )
  await one.table.change(language)
  expect(await one.table.change((state) => takeFence(state, ''))).toBe(1)
  await one.table.change(view)
  const meter = createMeter({ ...here, now: () => Date.parse('2026-11-24') }, one)
  meter.add(1, 10)
  await meter.write()
  expect((await one.table.read()).entries).toHaveLength(1)
  expect(await names()).toEqual([])

  await other.table.change(hello)
  expect(await names()).toEqual(['app-phone'])
  // The first tab, which still leads, joins the database that the other one created.
  const { entries, meta } = await one.table.read()
  expect(entries.map(({ id }) => id)).toEqual([ids[1], ids[0]])
  expect(meta).toMatchObject({ language: 'en', sessionId: 'visitor-1', fences: { '': 1 } })
  expect((await other.table.read()).entries).toEqual(entries)
  meter.add(2, 20)
  await meter.write()
  expect(await (await other.open()).meter.read('2026-11-24', '2026-11-24')).toMatchObject([
    { sent: 3, received: 30 },
  ])
})

test('[SYNC 2] a data usage that a visitor saw is stored: it never shrinks', async () => {
  const needs = { ...here, factory: new IDBFactory() }
  const outside = { ...here, now: () => Date.parse('2026-11-24') }
  const meter = createMeter(outside, await deviceHere('app', needs))
  meter.add(1, 10)
  expect(await meter.today()).toEqual({ sent: 1, received: 10 })

  const next = createMeter(outside, await deviceHere('app', needs))
  expect(await next.today()).toEqual({ sent: 1, received: 10 })
})

test('a first write that finds the disk denied fails, and the next one tries again', async () => {
  const factory = new IDBFactory()
  const { table } = await deviceHere('app', { ...here, factory })
  opened.push(table)
  const denied = vi.spyOn(factory, 'open').mockImplementation(() => {
    throw new DOMException('denied', 'SecurityError')
  })
  await expect(table.change(hello)).rejects.toThrow('denied')
  expect((await table.read()).entries).toEqual([])
  denied.mockRestore()
  await table.change(hello)
  expect((await table.read()).entries).toHaveLength(1)
})
