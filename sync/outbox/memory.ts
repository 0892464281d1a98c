import type { DatabaseProblem } from '#schema/port/outcome'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import type { DatabaseNeeds } from './connection.ts'
import { openDatabase } from './database.ts'
import type { DeviceDb } from './deviceDb.ts'
import { type Table, Unopened } from './table.ts'

/**
 * Where the browser allows no storage. `held`: there is a database that cannot be used, so new data
 * is rejected.
 */
export async function memoryDeviceDb(
  needs: Pick<DatabaseNeeds, 'setTimer' | 'freeSpace'>,
  held?: DatabaseProblem,
): Promise<DeviceDb> {
  const device = await openDatabase('memory', {
    ...needs,
    factory: new IDBFactory(),
    ranges: IDBKeyRange,
  })
  const opened = held
    ? {
        ...device,
        table: rejectingNew(device.table, held),
        drafts: () => Promise.reject(new Unopened(held)),
      }
    : device
  return {
    exists: () => Promise.resolve(true),
    open: () => Promise.resolve(opened),
    meter: () => Promise.resolve(device.meter),
    close: () => device.table.close(),
    ...(held ? { held } : { memoryOnly: true }),
  }
}

function rejectingNew(table: Table, held: DatabaseProblem): Table {
  return {
    ...table,
    change: (work) =>
      table.change((before) => {
        const done = work(before)
        for (const rows of ['entries', 'texts'] as const)
          if (done.state[rows].length > before[rows].length) throw new Unopened(held)
        return done
      }),
  }
}
