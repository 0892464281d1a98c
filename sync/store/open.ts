import {
  createRxDatabase,
  defaultCacheReplacementPolicyMonad,
  type RxCollection,
  type RxDatabase,
} from 'rxdb/plugins/core'
import { Subject } from 'rxjs'
import { collections, type CollectionName, type Documents } from '#schema/disk/documents'
import { OPEN_MS } from '#schema/limits'
import { Late, within, type SetTimer } from '../within.ts'
import { StoredCollection } from './collection.ts'
import { schemaOf } from './rows.ts'
import { idbStorage, type IdbEnvironment } from './storage.ts'

type Scope = (typeof collections)[CollectionName]['scope']

interface Opened {
  readonly database: RxDatabase<{ [C in CollectionName]: RxCollection<Documents[C]> }>
  /** At first use: RxDB allows 16 collections in one realm. */
  readonly added: { [C in CollectionName]?: Promise<StoredCollection<Documents[C]>> }
}

export type Disk = ReturnType<typeof browserDisk>

export interface StoreConfig {
  /** Prefix of database names. */
  readonly name: string
  /** Of the document shapes. A new one begins with an empty cache and deletes the old [SYNC 3]. */
  readonly version: number
  readonly disk: Disk
  setTimer: SetTimer
  outdated?(): void
  /** A database was given up: documents of unsent commands must be written again. */
  renewed?(): void
}

/** Failures further apart than this are unrelated. */
const REPAIRS_MS = 60_000
/** Per collection, with their documents, beside the watched ones. */
export const QUERIES_KEPT = 16
const cacheReplacementPolicy = defaultCacheReplacementPolicyMonad(QUERIES_KEPT, 0)

/** One for all accounts, one of the current account. A broken one is renewed, at last in memory. */
export async function openDatabases(config: StoreConfig, firstOwner: string) {
  const { disk, setTimer } = config
  const prefix = `${config.name}-${config.version}-`
  const opened: { [S in Scope]: Promise<Opened> | null } = { shared: null, personal: null }
  const memory = new Map<string, ReturnType<Disk['memory']>>()
  const renewed = new Subject<void>()
  let owner = firstOwner
  /** Incremented at each account switch: work of one account must not write to the next. */
  let epoch = 0
  let memoryOnly = disk.storage === null
  /** A newer version of the app has databases here: nothing is touched. */
  let outdated = false
  let repairs = 0
  let mending: Promise<void> | null = null

  const inTime = <T>(work: Promise<T>) => within(setTimer, OPEN_MS, work)
  const nameOf = (scope: Scope, of = owner) => prefix + (scope === 'shared' ? scope : `of-${of}`)
  /** Of a database; not a number: not of this app. */
  const versionOf = (name: string) => {
    const [, app, version] = /^([a-z]+)-(\d+)-(?:shared$|of-)/.exec(name) ?? []
    return app === config.name ? Number(version) : Number.NaN
  }

  const add = <C extends CollectionName>({ database, added }: Opened, name: C) => {
    const begin = async () => {
      const schema = schemaOf(collections[name])
      await database.addCollections({ [name]: { schema, cacheReplacementPolicy } })
      return new StoredCollection<Documents[C]>(name, database.collections[name], setTimer)
    }
    const adding = added[name] ?? begin()
    Object.assign(added, { [name]: adding })
    return adding
  }

  const create = async (name: string, scope: Scope) => {
    if (memoryOnly && !memory.has(name)) memory.set(name, disk.memory())
    const storage = (await memory.get(name)) ?? disk.storage
    if (storage === null) throw new Error('Nothing may be kept here')
    // The storage tells other tabs. A restarted worker may open it before the old one is closed.
    const how = { name, storage, multiInstance: false, closeDuplicates: true }
    const one: Opened = { database: await createRxDatabase(how), added: {} }
    // RxDB writes at the first collection: storage that is denied is noticed here.
    await add(one, scope === 'shared' ? 'lists' : 'ownLists')
    return one
  }

  const setAside = (scope: Scope) => {
    if (scope === 'shared') memoryOnly = true
    memory.set(nameOf(scope), disk.memory())
  }

  const open = async (scope: Scope) => {
    const name = nameOf(scope)
    const opening = create(name, scope)
    try {
      return await inTime(opening)
    } catch (error) {
      void opening.then(({ database }) => database.close()).catch(() => undefined)
      // A browser may never answer the opening of one database while the others work.
      if (!(error instanceof Late) || name !== nameOf(scope)) throw error
      setAside(scope)
      return create(name, scope)
    }
  }

  const database = (scope: Scope) => (opened[scope] ??= open(scope))
  const present = async (scope: Scope) => opened[scope]?.catch(() => null)

  const closeOne = async (scope: Scope) => {
    const opening = opened[scope]
    opened[scope] = null
    await opening?.then((one) => one.database.close()).catch(() => undefined)
  }

  const close = async () => {
    await Promise.all([closeOne('shared'), closeOne('personal')])
  }

  /** Waits for a slow list of databases: what is to be removed must go. */
  const remove = async (which: (name: string) => boolean) => {
    const names = await disk.names().catch(() => [])
    const gone = names.filter(which)
    await Promise.all(gone.map((name) => inTime(disk.remove(name)).catch(() => undefined)))
  }

  const reset = async () => {
    await close()
    await remove((name) => name.startsWith(prefix))
  }

  const useMemory = () => {
    void close()
    memoryOnly = true
  }

  const check = async () => {
    if (memoryOnly) return
    const opens = async () => (await database('shared').catch(() => null)) !== null
    const opening = opens()
    const names = await inTime(disk.names()).catch(() => [])
    outdated = names.some((name) => versionOf(name) > config.version)
    const isOpen = await opening
    if (!isOpen || outdated) await reset()
    if (outdated) config.outdated?.()
    if (outdated || !(isOpen || (await opens()))) useMemory()
    else void remove((name) => versionOf(name) < config.version)
  }

  const givenUp = () => {
    renewed.next()
    config.renewed?.()
  }

  /** Opens again, then creates anew, then uses memory. */
  const repair = async () => {
    const before = repairs++
    setTimer(REPAIRS_MS, () => repairs--)
    await inTime(close()).catch(() => undefined)
    if (before === 1) await reset()
    if (before < 2) await check()
    else useMemory()
    givenUp()
  }

  await check()
  return {
    renewed,
    close,
    state: () => ({ memoryOnly, outdated, epoch }),

    async collection<C extends CollectionName>(name: C) {
      return add(await database(collections[name].scope), name)
    },

    async used() {
      const all = { ...(await present('shared'))?.added, ...(await present('personal'))?.added }
      const settled = await Promise.allSettled(Object.values(all))
      return settled.flatMap((one) => ('value' in one ? one.value : []))
    },

    /** Empty: a visitor. */
    async enter(next: string) {
      if (next === owner) return
      owner = next
      epoch++
      await closeOne('personal')
      renewed.next()
    },

    async forget(gone: string) {
      const name = nameOf('personal', gone)
      if (gone === owner) {
        epoch++
        await closeOne('personal')
      }
      memory.delete(name)
      await remove((one) => one === name)
      renewed.next()
    },

    /** [S2.48] */
    async clear() {
      epoch++
      memory.clear()
      await reset()
      await check()
      renewed.next()
    },

    async mend(name: CollectionName, failed: object | null, why: unknown) {
      const { scope } = collections[name]
      const current = await (await present(scope))?.added[name]?.catch(() => null)
      if (failed !== null && failed !== current) return
      if (why instanceof Late) {
        // In WebKit a database may run no transaction until the browser restarts (decision 116).
        void closeOne(scope)
        setAside(scope)
        return givenUp()
      }
      await (mending ??= repair().finally(() => (mending = null)))
    },
  }
}

/** Without `factory` the origin has no storage. `channel` sends writes to other tabs. */
export function browserDisk(
  factory: IDBFactory | undefined,
  ranges: typeof IDBKeyRange | undefined,
  channel: IdbEnvironment['channel'],
  setTimer: SetTimer,
) {
  return {
    storage:
      factory && ranges ? idbStorage({ collections, factory, ranges, setTimer, channel }) : null,

    /** Loaded only after a failure. */
    async memory() {
      const { getRxStorageMemory } = await import('rxdb/plugins/storage-memory')
      // RxDB shares in-memory data between storages; a Map of its own makes closing final.
      return { ...getRxStorageMemory(), collectionStates: new Map() }
    },

    async names() {
      if (factory?.databases === undefined) return []
      return (await factory.databases()).flatMap(({ name }) => name ?? [])
    },

    /** Of one that another tab has open, the browser does it when that tab closes it. */
    async remove(name: string) {
      const request = factory?.deleteDatabase(name)
      if (request === undefined) return
      await new Promise((resolve) => {
        request.onsuccess = request.onerror = request.onblocked = resolve
      })
    },
  }
}
