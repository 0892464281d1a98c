import type { RxStorage } from 'rxdb/plugins/core'
import { FastDexie } from './fast.ts'

export type Storage = RxStorage<unknown, unknown>

/** Where documents are kept. Tests and the simulation hand in another one. */
export interface Disk {
  /** null: this origin may not keep anything. */
  readonly storage: Storage | null
  /** What to use when the disk fails; loaded only then. */
  memory(): Promise<Storage>
  /** Names of all databases of the origin; null when the browser does not tell. */
  names(): Promise<readonly string[] | null>
  remove(name: string): Promise<void>
  /** Tabs hear of each other's writes. */
  readonly shared: boolean
}

/** The browser's disk; `factory` is undefined where it is denied. */
export function browserDisk(factory: IDBFactory | undefined, ranges: typeof IDBKeyRange | undefined): Disk {
  return {
    storage:
      factory === undefined || ranges === undefined
        ? null
        : new FastDexie({ indexedDB: factory, chromeTransactionDurability: 'relaxed' }, ranges),
    memory: async () => (await import('rxdb/plugins/storage-memory')).getRxStorageMemory(),
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
        // Another tab holds it open: the browser finishes when that one lets go.
        request.onblocked = () => resolve()
      }),
    shared: true,
  }
}
