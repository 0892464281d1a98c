import { add, type Table as Rows } from 'dexie'
import type { SeenDisk } from '../inbox/seen.ts'
import type { MeterDisk } from '../network/meter.ts'
import { connect, type Database, type DatabaseNeeds, META, type Transact } from './connection.ts'
import { openDrafts } from './listingDrafts.ts'
import { readState } from './state.ts'
import { type DatabaseCallbacks, type OpenedDb, storing, type Table } from './table.ts'

/** Rejects with `Unopened` when a newer version uses it, or it does not answer. */
export async function openDatabase(
  name: string,
  needs: DatabaseNeeds,
  callbacks: DatabaseCallbacks = {},
): Promise<OpenedDb> {
  const strict = connect(`${name}-phone`, needs, 'strict', callbacks)
  await strict.open()
  // Writes of `seen` and `meter` do not wait for the disk.
  const relaxed = connect(`${name}-phone`, needs, 'relaxed', callbacks)
  return {
    table: {
      ...tableIn(strict.transact),
      close() {
        strict.close()
        relaxed.close()
      },
    },
    seen: seenIn(relaxed.transact),
    meter: meterIn(relaxed.transact),
    drafts: openDrafts(strict.transact, `${name}-drafts`, needs),
  }
}

function tableIn(transact: Transact): Omit<Table, 'close'> {
  const stores = ['entries', 'texts', 'meta'] as const
  return {
    change: (work) =>
      storing(() =>
        transact('rw', stores, async (database) => {
          const { entries, texts, meta } = database
          const before = await readIn(database)
          const { state, result } = work(before)
          await Promise.all([
            write(entries, before.entries, state.entries),
            write(texts, before.texts, state.texts),
            // Unread rows are only deleted, from both: their store is unknown.
            write(entries, before.unread, state.unread),
            write(texts, before.unread, state.unread),
            state.meta === before.meta ? null : meta.put({ ...state.meta, id: META }),
          ])
          return result
        }),
      ),
    read: () => transact('r', stores, readIn),
  }
}

async function readIn(database: Database) {
  const [entries, texts, meta] = await Promise.all([
    database.entries.toArray(),
    database.texts.toArray(),
    database.meta.get(META),
  ])
  return readState({ entries, texts, meta })
}

async function write<R extends { readonly id: string }>(
  rows: Rows<R, string>,
  before: readonly R[],
  after: readonly R[],
) {
  const known = new Set(before)
  const kept = new Set(after.map(({ id }) => id))
  await Promise.all([
    ...after.filter((row) => !known.has(row)).map((row) => rows.put(row)),
    ...before.filter(({ id }) => !kept.has(id)).map(({ id }) => rows.delete(id)),
  ])
}

function seenIn(transact: Transact): SeenDisk {
  const stores = ['seen'] as const
  return {
    read: (owner) =>
      transact('r', stores, async ({ seen }) =>
        (await seen.where({ owner }).toArray()).map(({ id }) => id),
      ),
    add: (owner, id) => transact('rw', stores, ({ seen }) => seen.add({ owner, id })),
    trim: (owner, kept) =>
      transact('rw', stores, async ({ seen }) => {
        const keys = await seen.where({ owner }).primaryKeys()
        await seen.bulkDelete(keys.slice(0, -kept))
      }),
  }
}

function meterIn(transact: Transact): MeterDisk {
  const stores = ['bytes'] as const
  return {
    add: (day, sent, received) =>
      transact('rw', stores, ({ bytes }) =>
        bytes.upsert(day, { sent: add(sent), received: add(received) }),
      ),
    read: (from, to) =>
      transact('r', stores, ({ bytes }) =>
        bytes.where('day').between(from, to, true, true).toArray(),
      ),
  }
}
