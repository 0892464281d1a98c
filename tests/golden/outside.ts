import 'fake-indexeddb/auto'
import { type DeviceDb, openDeviceDb } from '#sync/outbox/deviceDb'
import { tableOn } from '#sync/outbox/firstWrite'
import type { DatabaseCallbacks, OpenedDb } from '#sync/outbox/table'

/** What the local database requires of its environment, with the same ids at every run. */
let ids = 0
export const here = {
  factory: indexedDB,
  setTimer: (ms: number, what: () => void) => {
    const timer = setTimeout(what, ms)
    return () => clearTimeout(timer)
  },
  freeSpace: () => Promise.resolve(),
  newId: () => `00000000-0000-7000-8000-${String(++ids).padStart(12, '9')}`,
}

export async function deviceHere(
  name: string,
  needs: typeof here = here,
  callbacks?: DatabaseCallbacks,
): Promise<WholeDeviceDb> {
  return withTable(await openDeviceDb(name, needs, callbacks))
}

export type WholeDeviceDb = DeviceDb & Pick<OpenedDb, 'table' | 'drafts'>

export function withTable(device: DeviceDb): WholeDeviceDb {
  return {
    ...device,
    table: tableOn(device, here.newId),
    drafts: async () => (await device.open()).drafts(),
  }
}
