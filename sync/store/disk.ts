import type { RxStorage } from 'rxdb/plugins/core'
import { collections } from '#schema/disk/documents'
import type { SetTimer } from '../within.ts'
import { idbStorage, type IdbEnvironment } from './storage.ts'

export type Storage = RxStorage<object, object>

/** Replaced in tests and the simulation. */
export interface Disk {
  /** null: this origin has no storage access. */
  readonly storage: Storage | null
  /** Loaded only after a failure. */
  memory(): Promise<Storage>
  /** All databases of the origin; null where not supported. */
  names(): Promise<readonly string[] | null>
  remove(name: string): Promise<void>
}

/** Without `factory` there is no access. `channel` sends writes to other tabs. */
export function browserDisk(
  factory: IDBFactory | undefined,
  ranges: typeof IDBKeyRange | undefined,
  channel: IdbEnvironment['channel'],
  setTimer: SetTimer,
): Disk {
  return {
    storage:
      factory && ranges ? idbStorage({ collections, factory, ranges, setTimer, channel }) : null,
    async memory() {
      const { getRxStorageMemory } = await import('rxdb/plugins/storage-memory')
      // RxDB shares in-memory data between storages; a Map of its own makes closing final.
      return { ...getRxStorageMemory(), collectionStates: new Map() }
    },
    async names() {
      if (factory?.databases === undefined) return null
      return (await factory.databases()).flatMap(({ name }) => name ?? [])
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
