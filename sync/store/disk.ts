import type { RxStorage } from 'rxdb/plugins/core'
import { collections } from '#schema/disk/documents'
import type { SetTimer } from '../within.ts'
import { idbStorage, indexesOf, type IdbEnvironment } from './storage.ts'

export type Storage = RxStorage<object, object>

/** Document storage; replaced in tests and the simulation. */
export interface Disk {
  /** null: this origin has no storage access. */
  readonly storage: Storage | null
  /** Loaded only after a failure. */
  memory(): Promise<Storage>
  /** Names of all databases of the origin; null where not supported. */
  names(): Promise<readonly string[] | null>
  remove(name: string): Promise<void>
}

/**
 * The browser's IndexedDB; without `factory` there is no access. `channel` sends writes to other
 * tabs.
 */
export function browserDisk(
  factory: IDBFactory | undefined,
  ranges: typeof IDBKeyRange | undefined,
  channel: IdbEnvironment['channel'],
  setTimer: SetTimer,
): Disk {
  const stores = new Map([
    // RxDB's internal store, which is only read by id.
    ['_rxdb_internal', []],
    ...Object.entries(collections).map(([name, shape]) => [name, indexesOf(shape)] as const),
  ])
  return {
    storage:
      factory === undefined || ranges === undefined
        ? null
        : idbStorage({ factory, ranges, setTimer, channel, stores }),
    async memory() {
      const { getRxStorageMemory } = await import('rxdb/plugins/storage-memory')
      // RxDB shares in-memory data between storages; a Map of its own makes closing final.
      return { ...getRxStorageMemory(), collectionStates: new Map() }
    },
    async names() {
      if (factory?.databases === undefined) return null
      const found = await factory.databases()
      return found.flatMap(({ name }) => (name === undefined ? [] : [name]))
    },
    remove: (name) =>
      new Promise((resolve, reject) => {
        if (factory === undefined) return resolve()
        const request = factory.deleteDatabase(name)
        request.onsuccess = () => resolve()
        request.onerror = () => reject(request.error ?? new Error(name))
        // Another tab has it open: the browser deletes it when that tab closes it.
        request.onblocked = () => resolve()
      }),
  }
}
