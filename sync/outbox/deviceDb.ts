import type { DatabaseProblem } from '#schema/port/outcome'
import type { SeenDisk } from '../inbox/seen.ts'
import type { MeterDisk } from '../network/meter.ts'
import type { DraftStore } from '../noun.ts'
import type { Outside } from '../outside.ts'
import { type Table, Unstorable } from './table.ts'

export interface OpenedDb {
  readonly table: Table
  readonly seen: SeenDisk
  readonly meter: MeterDisk
  /** Rejects when a migration fails: the next call tries again. */
  drafts(): Promise<DraftStore>
}

/**
 * User data, apart from the cache, which the user may clear. Its outbox is read through `tableOn`
 * (firstWrite.ts).
 */
export interface DeviceDb extends Omit<OpenedDb, 'table'> {
  exists(): Promise<boolean>
  /** Creates it. Rejects if its code cannot be loaded; the next call tries again. */
  open(): Promise<OpenedDb>
  close(): void
  /** Data is lost with this tab (memory.ts). */
  readonly memoryOnly?: boolean
  /** It exists but is not accessible: these stores are empty substitutes. */
  readonly held?: DatabaseProblem
}

export interface DeviceDbCallbacks {
  /** It exists, and is being opened. */
  found?(): void
  /** A newer version of the app upgrades it: this one can no longer use it. */
  newer?(): void
  /**
   * The browser closed it, for example when site data was cleared. It is opened again, maybe empty.
   */
  reopened?(): void
  /**
   * A new worker must open it: opening timed out and has succeeded now, or a transaction did not
   * end. Without this such a transaction rejects with `Late`.
   */
  restart?(): void
}

interface Needs extends Pick<Outside, 'setTimer' | 'freeSpace'> {
  readonly factory: IDBFactory | undefined
}

/**
 * Waits until something must be kept, so that a visitor does not load Dexie. Rejects where
 * IndexedDB is denied; with `Unopened` when a newer version uses it or it does not answer.
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
  const isFirstPage = atStart.length === 0
  if (atStart.includes(`${name}-phone`)) {
    callbacks.found?.()
    await open()
  }
  let counted: Parameters<MeterDisk['add']>[] = []
  const store = async () => {
    const { meter } = await open()
    const all = counted
    counted = []
    for (const one of all) await meter.add(...one)
    return meter
  }
  return {
    exists,
    open,
    close: () => void opening?.then(({ table }) => table.close()).catch(() => undefined),
    seen: {
      read: async (owner) => (await open()).seen.read(owner),
      add: async (owner, ids) => (await open()).seen.add(owner, ids),
      trim: async (owner, kept) => (await open()).seen.trim(owner, kept),
    },
    meter: {
      async add(...one) {
        counted.push(one)
        if (!isFirstPage || (await exists())) await store()
      },
      read: async (from, to) => (await store()).read(from, to),
    },
    drafts: async () => (await open()).drafts(),
  }
}
