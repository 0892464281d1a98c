import type { DatabaseProblem } from '#schema/port/outcome'
import type { SeenDisk } from '../inbox/seen.ts'
import type { MeterDisk } from '../network/meter.ts'
import type { DraftStore } from '../noun.ts'
import type { Outside } from '../outside.ts'
import { remembering } from './remembering.ts'
import { emptyState, type OutboxState } from './state.ts'
import type { Table } from './table.ts'

/**
 * The local database of user data. It is apart from the cache, so clearing the cache cannot delete
 * it, and it has migrations (database.ts).
 */
export interface DeviceDb {
  readonly table: Table
  readonly seen: SeenDisk
  readonly meter: MeterDisk
  /** Rejects when the code cannot be loaded, or a migration fails: the next call tries again. */
  drafts(): Promise<DraftStore>
  /** Nothing can be stored: data is lost with this tab (memory.ts). */
  readonly memoryOnly?: true
  /** The database exists but is not accessible: these stores are empty substitutes. */
  readonly held?: DatabaseProblem
}

export interface DeviceDbCallbacks {
  /** A newer version of the app upgrades the database: this one can no longer use it. */
  newer?(): void
  /**
   * The browser closed it, for example when the user cleared site data. It is opened again,
   * possibly empty.
   */
  reopened?(): void
  /** Opening timed out earlier, and has succeeded now. */
  late?(): void
}

interface Needs extends Pick<Outside, 'setTimer' | 'newId' | 'freeSpace'> {
  readonly factory: IDBFactory | undefined
}

/**
 * Opens the device database. Where it does not exist yet, data is in memory until something must be
 * kept, so that a visitor does not load Dexie. Rejects where IndexedDB is denied. Rejects with
 * `Unopened` when a newer version uses the database or it does not answer.
 */
export async function openDeviceDb(
  name: string,
  needs: Needs,
  callbacks: DeviceDbCallbacks = {},
): Promise<DeviceDb> {
  const { factory, newId } = needs
  if (!factory) throw new Error('nothing may be kept here')
  let opening: Promise<DeviceDb> | null = null
  const begin = async (): Promise<DeviceDb> => {
    try {
      const { openDatabase } = await import('./database.ts')
      return await openDatabase(name, { ...needs, factory }, callbacks)
    } catch (error) {
      // Offline the chunk may be missing: the next call tries again.
      opening = null
      throw error
    }
  }
  const open = (): Promise<DeviceDb> => (opening ??= begin())
  const names = async (): Promise<readonly unknown[]> =>
    (await factory.databases()).map((one) => one.name)
  const exists = async (): Promise<boolean> =>
    opening !== null || (await names()).includes(`${name}-phone`)
  const atStart = await names()
  const isFirstPage = atStart.length === 0
  if (atStart.includes(`${name}-phone`)) {
    const { table, ...others } = await open()
    return { ...others, table: remembering(table, newId) }
  }
  let memory = emptyState
  const table: Table = {
    async change(work) {
      // Another tab may have created the database meanwhile, or another call of this one.
      if (!(await exists()) && opening === null) {
        const { state, result } = work(memory)
        if (!mustBeKept(state)) {
          memory = state
          return result
        }
      }
      return (await open()).table.change(work)
    },
    read: async () => ((await exists()) ? (await open()).table.read() : memory),
    close: () => void opening?.then((database) => database.table.close()).catch(() => undefined),
  }
  let counted: Parameters<MeterDisk['add']>[] = []
  const store = async (): Promise<MeterDisk> => {
    const { meter } = await open()
    const all = counted
    counted = []
    for (const one of all) await meter.add(...one)
    return meter
  }
  return {
    table: remembering(table, newId),
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

/** A visitor's views, language and leadership may be lost with the page. */
function mustBeKept({ entries, texts, meta }: OutboxState): boolean {
  return (
    entries.some(({ low }) => !low) ||
    [texts, meta.sessions, meta.ended, meta.made].some((rows) => rows.length > 0)
  )
}
