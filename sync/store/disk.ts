import type { RxStorage } from 'rxdb/plugins/core'
import { collections } from '#schema/disk/documents'
import type { SetTimer } from '../within.ts'
import { idbStorage, type IdbEnvironment } from './storage.ts'

export type Storage = RxStorage<object, object>
export type Disk = ReturnType<typeof browserDisk>

/** Without `factory` there is no access. `channel` sends writes to other tabs. */
export function browserDisk(
  factory: IDBFactory | undefined,
  ranges: typeof IDBKeyRange | undefined,
  channel: IdbEnvironment['channel'],
  setTimer: SetTimer,
) {
  return {
    /** null: this origin has no storage access. */
    storage:
      factory && ranges ? idbStorage({ collections, factory, ranges, setTimer, channel }) : null,

    /** Loaded only after a failure. */
    async memory(): Promise<Storage> {
      const { getRxStorageMemory } = await import('rxdb/plugins/storage-memory')
      // RxDB shares in-memory data between storages; a Map of its own makes closing final.
      const storage = { ...getRxStorageMemory(), collectionStates: new Map() }
      return storage
    },

    async names() {
      if (factory?.databases === undefined) return []
      return (await factory.databases()).flatMap(({ name }) => name ?? [])
    },

    /** Of one that another tab has open, the browser does it when that tab closes it. */
    async remove(name: string) {
      const request = factory?.deleteDatabase(name)
      await new Promise<unknown>((resolve) => {
        if (request) request.onsuccess = request.onerror = request.onblocked = resolve
        else resolve(null)
      })
    },
  }
}
