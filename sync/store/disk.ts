import type { RxStorage } from 'rxdb/plugins/core'
import { collections } from '#schema/disk/documents'
import { indexesOf } from './queries.ts'
import { IdbStorage, type IdbEnvironment } from './storage.ts'

export type Storage = RxStorage<object, object>

/** Where documents are kept. Tests and the simulation hand in another one. */
export interface Disk {
  /** null: this origin may not keep anything. */
  readonly storage: Storage | null
  /** What to use when the disk fails; loaded only then. */
  memory(): Promise<Storage>
  /** Names of all databases of the origin; null when the browser does not tell. */
  names(): Promise<readonly string[] | null>
  remove(name: string): Promise<void>
}

/** Of RxDB's own books, which are asked for by id alone. */
const RXDB_STORE = '_rxdb_internal'

/** The browser's disk; without `factory` it is denied. Tabs hear of each other's writes through `channel`. */
export function browserDisk(
  factory: IDBFactory | undefined,
  ranges: typeof IDBKeyRange | undefined,
  channel: IdbEnvironment['channel'],
): Disk {
  const stores = new Map<string, readonly (readonly string[])[]>([
    [RXDB_STORE, []],
    ...Object.entries(collections).map(
      ([name, shape]): [string, readonly (readonly string[])[]] => [name, indexesOf(shape)],
    ),
  ])
  return {
    storage:
      factory === undefined || ranges === undefined
        ? null
        : new IdbStorage({ factory, ranges, channel, stores }),
    async memory() {
      const { getRxStorageMemory } = await import('rxdb/plugins/storage-memory')
      // RxDB keeps what is in memory for all storages together; here leaving is leaving.
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
        // Another tab holds it open: the browser finishes when that one lets go.
        request.onblocked = () => resolve()
      }),
  }
}
