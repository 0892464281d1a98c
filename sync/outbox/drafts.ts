import { draftPhoto, listingDraft } from '#schema/disk/draft'
import { parsed } from '#schema/parsed'
import { Dexie, liveQuery } from 'dexie'
import * as v from 'valibot'
import type { DraftStore } from '../noun.ts'
import type { Database, DatabaseNeeds, Open } from './database.ts'
import { isFull } from '../full.ts'
import { storing } from './table.ts'

/** Stored instead of a Blob where the browser cannot store Blobs (Safari's private windows). */
const bytesOfPhoto = v.object({ bytes: v.instance(ArrayBuffer), type: v.string() })

/**
 * Listing drafts and photos. At first use the database of earlier releases is moved here.
 * `freeSpace` is called before a write fails.
 */
export function openDrafts(
  open: Open,
  earlier: string,
  { factory, freeSpace }: Pick<DatabaseNeeds, 'factory' | 'freeSpace'>,
): () => Promise<DraftStore> {
  const store = draftsIn(open, freeSpace)
  let moving: Promise<void> | null = null
  return async () => {
    moving ??= stored(() => move(open, earlier, factory), freeSpace)
    try {
      await moving
    } catch (error) {
      // The next call continues.
      moving = null
      throw error
    }
    return store
  }
}

/**
 * Moves row by row, since a full device has no room for all of them twice. A crash repeats one row
 * at most; a tab of the earlier release that wrote meanwhile has the newer draft.
 */
async function move(open: Open, name: string, factory: IDBFactory): Promise<void> {
  const exists = async (): Promise<boolean> =>
    (await factory.databases()).some((one) => one.name === name)
  if (!(await exists())) return
  const earlier = new Dexie(name, { indexedDB: factory })
  try {
    await earlier.open()
    const database = await open()
    // Photos first: a draft never misses one.
    for (const store of ['photos', 'drafts']) {
      const old = earlier.table<unknown, string>(store)
      const rows = database.table<unknown, string>(store)
      for (const id of await old.toCollection().primaryKeys()) {
        const row = await old.get(id)
        await database.transaction('rw', rows, async () => {
          if (row !== undefined && timeOf(row) >= timeOf(await rows.get(id))) await rows.put(row)
        })
        await old.delete(id)
      }
    }
  } catch (error) {
    earlier.close()
    // Another tab was faster.
    if (await exists()) throw error
  }
  // Not awaited: a frozen tab of the earlier release may hold the empty database.
  void earlier.delete().catch(() => undefined)
}

function timeOf(row: unknown): number {
  return typeof row === 'object' && row !== null && 'at' in row ? Number(row.at) : 0
}

async function stored(work: () => Promise<unknown>, makeRoom: () => Promise<void>): Promise<void> {
  await work().catch(async (error: unknown) => {
    if (!isFull(error)) throw error
    await makeRoom()
    return storing(work)
  })
}

function draftsIn(open: Open, makeRoom: () => Promise<void>): DraftStore {
  /** The latest write per draft: an older write that waited for free space is skipped. */
  const latest = new Map<string, symbol>()
  const write = (id: string, work: (database: Database) => Promise<unknown>): Promise<void> => {
    const own = Symbol()
    latest.set(id, own)
    return stored(async () => (latest.get(id) === own ? work(await open()) : undefined), makeRoom)
  }
  const remove = (id: string): Promise<void> =>
    write(id, (database) =>
      database.transaction('rw', database.drafts, database.photos, async () => {
        await database.drafts.delete(id)
        await database.photos.where('draft').equals(id).delete()
      }),
    )
  return {
    observe: (owner) =>
      liveQuery(async () =>
        (await (await open()).drafts.where('owner').equals(owner).toArray())
          .filter((row) => v.is(listingDraft, row))
          .toSorted((a, b) => b.at - a.at),
      ),
    ownerOf: async (id) => (await (await open()).drafts.get(id))?.owner ?? null,
    save: (draft) => write(draft.id, ({ drafts }) => drafts.put(draft)),
    remove,
    savePhoto: (photo) =>
      stored(async () => {
        const { photos } = await open()
        try {
          await photos.put(photo)
        } catch (error) {
          if (isFull(error) || !(photo.file instanceof Blob)) throw error
          const { type } = photo.file
          await photos.put({ ...photo, file: { bytes: await photo.file.arrayBuffer(), type } })
        }
      }, makeRoom),
    async photo(id) {
      const found = parsed(draftPhoto, await (await open()).photos.get(id))
      return found && fileOf(found.file)
    },
    removePhoto: (id) => stored(async () => (await open()).photos.delete(id), makeRoom),
    async removeAllOf(owner) {
      const { drafts, photos } = await open()
      await Promise.all((await drafts.where('owner').equals(owner).primaryKeys()).map(remove))
      await stored(() => photos.filter((photo) => photo.owner === owner).delete(), makeRoom)
    },
  }
}

/** The photo as it was saved, whichever way it is stored. */
function fileOf(file: unknown): unknown {
  return v.is(bytesOfPhoto, file) ? new Blob([file.bytes], { type: file.type }) : file
}
