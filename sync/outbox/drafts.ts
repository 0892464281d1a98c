import { type DraftPhoto, draftPhoto, type ListingDraft, listingDraft } from '#schema/disk/draft'
import { Dexie, liveQuery, type Table } from 'dexie'
import { from, type Observable } from 'rxjs'
import * as v from 'valibot'
import type { DraftStore } from '../noun.ts'
import { bytesOf, fileOf } from './photo.ts'
import { Full } from './table.ts'

/**
 * Listing drafts and photos, migrated by Dexie versions. A database of its own, because Dexie loads
 * with the wizard.
 */
class DraftDatabase extends Dexie {
  declare readonly drafts: Table<ListingDraft, string>
  declare readonly photos: Table<DraftPhoto, string>

  constructor(name: string) {
    super(name, { chromeTransactionDurability: 'strict' })
    this.version(1).stores({ drafts: 'id, owner', photos: 'id, draft' })
  }
}

let opened: DraftStore | null = null

/** Opens the database once. `makeRoom` frees storage before a write fails with `Full`. */
export function openDrafts(name: string, makeRoom: () => Promise<void>): DraftStore {
  opened ??= draftsIn(name, makeRoom)
  return opened
}

function draftsIn(name: string, makeRoom: () => Promise<void>): DraftStore {
  const database = new DraftDatabase(name)
  const stored = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work().catch(async (error: unknown) => {
        if (!isFull(error)) throw error
        await makeRoom()
        return work()
      })
    } catch (error) {
      throw isFull(error) ? new Full('the device is full', { cause: error }) : error
    }
  }
  /** The latest write per draft: an older write that waited for free space is skipped. */
  const latest = new Map<string, symbol>()
  const write = (id: string, work: () => Promise<unknown>): Promise<void> => {
    const own = Symbol()
    latest.set(id, own)
    return stored(async () => (latest.get(id) === own ? work() : undefined))
  }
  const remove = (id: string): Promise<void> =>
    write(id, () =>
      database.transaction('rw', database.drafts, database.photos, async () => {
        await database.drafts.delete(id)
        await database.photos.where('draft').equals(id).delete()
      }),
    )
  return {
    observe: (owner) =>
      live(async () =>
        (await database.drafts.where('owner').equals(owner).toArray())
          .filter((row) => v.is(listingDraft, row))
          .toSorted((a, b) => b.at - a.at),
      ),
    ownerOf: async (id) => (await database.drafts.get(id))?.owner ?? null,
    save: (draft) => write(draft.id, () => database.drafts.put(draft)),
    remove,
    savePhoto: (photo) =>
      stored(async () => {
        try {
          await database.photos.put(photo)
        } catch (error) {
          if (isFull(error) || !(photo.file instanceof Blob)) throw error
          await database.photos.put({ ...photo, file: await bytesOf(photo.file) })
        }
      }),
    async photo(id) {
      const found = v.safeParse(draftPhoto, await database.photos.get(id))
      return found.success ? fileOf(found.output.file) : null
    },
    removePhoto: (id) => stored(() => database.photos.delete(id)),
    async removeAllOf(owner) {
      await Promise.all(
        (await database.drafts.where('owner').equals(owner).primaryKeys()).map(remove),
      )
      await stored(() => database.photos.filter((photo) => photo.owner === owner).delete())
    },
  }
}

function live<T>(ask: () => Promise<T>): Observable<T> {
  // Dexie's live query implements the same Observable protocol.
  return from(liveQuery(ask))
}

function isFull(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error.name === 'QuotaExceededError' ||
      (error.name === 'AbortError' && String(error).includes('Quota')))
  )
}
