import type { DatabaseProblem } from '#schema/port/outcome'
import type { MeterDisk } from '../network/meter.ts'
import type { Outside } from '../outside.ts'
import { type DatabaseCallbacks, type OpenedDb, Unstorable } from './table.ts'

export interface DeviceDb {
  exists(): Promise<boolean>
  /** Rejects if its code cannot be loaded; may be called again. */
  open(): Promise<OpenedDb>
  /** null: a visitor's first page has none; `create` makes it. */
  meter(create?: boolean): Promise<MeterDisk | null>
  close(): void
  readonly memoryOnly?: boolean
  /** The database exists, but these are empty substitutes for it. */
  readonly held?: DatabaseProblem
}

interface DeviceDbCallbacks extends DatabaseCallbacks {
  found?(): void
}

interface Needs extends Pick<Outside, 'setTimer' | 'freeSpace'> {
  readonly factory: IDBFactory | undefined
}

/**
 * Waits for something to keep: a visitor loads no Dexie. Rejects where IndexedDB is denied, and as
 * `openDatabase` does.
 */
export async function openDeviceDb(
  name: string,
  needs: Needs,
  callbacks: DeviceDbCallbacks = {},
): Promise<DeviceDb> {
  const { factory } = needs
  if (!factory) throw new Error('nothing may be kept here')
  let opening: Promise<OpenedDb> | null = null
  const begin = async () => {
    try {
      const { openDatabase } = await import('./database.ts').catch((cause: unknown) => {
        throw new Unstorable('unloaded', { cause })
      })
      return await openDatabase(name, { ...needs, factory }, callbacks)
    } catch (error) {
      opening = null
      throw error
    }
  }
  const open = () => (opening ??= begin())
  const names = async () => (await factory.databases()).map((one) => one.name)
  const exists = async () => opening !== null || (await names()).includes(`${name}-phone`)
  const atStart = await names()
  if (atStart.includes(`${name}-phone`)) {
    callbacks.found?.()
    await open()
  }
  return {
    exists,
    open,
    close: () => void opening?.then(({ table }) => table.close()).catch(() => undefined),
    async meter(create = false) {
      const isNeeded = create || atStart.length > 0 || (await exists())
      return isNeeded ? (await open()).meter : null
    },
  }
}
