import { type DraftPhoto, draftPhoto, listingDraft } from '#schema/disk/draft'
import { parsed } from '#schema/parsed'
import { Dexie, type ObservabilitySet } from 'dexie'
import * as v from 'valibot'
import type { DraftStore } from '../noun.ts'
import type { Database, DatabaseNeeds, Transact } from './connection.ts'
import { isFull } from '../full.ts'
import { storing, withRoom } from './table.ts'

/** Where the browser cannot store Blobs (Safari's private windows). */
const bytesOfPhoto = v.object({ bytes: v.instance(ArrayBuffer), type: v.string() })

/** At first use the database of earlier releases moves here. */
export function openDrafts(
  transact: Transact,
  earlier: string,
  { factory, freeSpace }: Pick<DatabaseNeeds, 'factory' | 'freeSpace'>,
): () => Promise<DraftStore> {
  const stored = <T>(work: () => Promise<T>) => withRoom(freeSpace, () => storing(work))
  const store = draftsIn(transact, stored)
  let moving: Promise<void> | null = null
  return async () => {
    moving ??= stored(() => move(transact, earlier, factory))
    try {
      await moving
    } catch (error) {
      moving = null
      throw error
    }
    return store
  }
}

/**
 * Row by row: a full device has no room for all twice. What a tab of the earlier release wrote
 * meanwhile is newer.
 */
async function move(transact: Transact, name: string, factory: IDBFactory) {
  const exists = async () => (await factory.databases()).some((one) => one.name === name)
  if (!(await exists())) return
  const earlier = new Dexie(name, { indexedDB: factory })
  try {
    await earlier.open()
    // Photos first: a draft never misses one.
    for (const store of ['photos', 'drafts'] as const) {
      const old = earlier.table<unknown, string>(store)
      for (const id of await old.toCollection().primaryKeys()) {
        const row = await old.get(id)
        await transact('rw', [store], async (database) => {
          const rows = database.table<unknown, string>(store)
          if (row !== undefined && timeOf(row) >= timeOf(await rows.get(id))) await rows.put(row)
        })
        await old.delete(id)
      }
    }
  } catch (error) {
    earlier.close()
    // If it is gone, another tab has moved it.
    if (await exists()) throw error
  }
  // A frozen tab may hold the empty database.
  void earlier.delete().catch(() => undefined)
}

function timeOf(row: unknown) {
  return typeof row === 'object' && row !== null && 'at' in row ? Number(row.at) : 0
}

function draftsIn(
  transact: Transact,
  stored: <T>(work: () => Promise<T>) => Promise<T>,
): DraftStore {
  const both = ['drafts', 'photos'] as const
  const read = <T>(work: (database: Database) => PromiseLike<T>) => transact('r', both, work)
  const write = <T>(work: (database: Database) => PromiseLike<T>) => transact('rw', both, work)
  /** An older write that waited for free space is skipped. */
  const latest = new Map<string, symbol>()
  const writeDraft = (id: string, work: (database: Database) => PromiseLike<unknown>) => {
    const own = Symbol()
    latest.set(id, own)
    return stored(async () => void (latest.get(id) === own && (await write(work))))
  }
  const remove = (id: string) =>
    writeDraft(id, async ({ drafts, photos }) => {
      await drafts.delete(id)
      await photos.where('draft').equals(id).delete()
    })
  return {
    list: async (owner) =>
      (await read(({ drafts }) => drafts.where({ owner }).toArray()))
        .filter((row) => v.is(listingDraft, row))
        .toSorted((a, b) => b.at - a.at),
    // `liveQuery` forgets what it reads while the transaction waits for its turn.
    onChange(changed) {
      const listener = (parts: ObservabilitySet) => {
        if (Object.keys(parts).some((part) => part.includes('/drafts/'))) changed()
      }
      Dexie.on('storagemutated', listener)
      return () => Dexie.on.storagemutated.unsubscribe(listener)
    },
    ownerOf: async (id) => (await read(({ drafts }) => drafts.get(id)))?.owner ?? null,
    save: (draft) => writeDraft(draft.id, ({ drafts }) => drafts.put(draft)),
    remove,
    savePhoto: (photo) =>
      stored(async () => {
        const put = (row: DraftPhoto) => write(({ photos }) => photos.put(row))
        try {
          await put(photo)
        } catch (error) {
          if (isFull(error) || !(photo.file instanceof Blob)) throw error
          const { type } = photo.file
          await put({ ...photo, file: { bytes: await photo.file.arrayBuffer(), type } })
        }
      }),
    async photo(id) {
      const found = parsed(draftPhoto, await read(({ photos }) => photos.get(id)))
      return found && fileOf(found.file)
    },
    removePhoto: (id) => stored(() => write(({ photos }) => photos.delete(id))),
    async removeAllOf(owner) {
      const own = await read(({ drafts }) => drafts.where({ owner }).primaryKeys())
      await Promise.all(own.map(remove))
      await stored(() =>
        write(({ photos }) => photos.filter((photo) => photo.owner === owner).delete()),
      )
    },
  }
}

function fileOf(file: unknown): unknown {
  return v.is(bytesOfPhoto, file) ? new Blob([file.bytes], { type: file.type }) : file
}
