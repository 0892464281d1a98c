import type { DraftPhoto, ListingDraft } from '#schema/disk/draft'
import type { DatabaseProblem } from '#schema/port/outcome'
import { BehaviorSubject, map } from 'rxjs'
import type { Bytes } from '../network/meter.ts'
import type { DraftStore } from '../noun.ts'
import { type OutboxState, emptyState } from './state.ts'
import type { DeviceDb } from './deviceDb.ts'
import { Unopened } from './table.ts'

/**
 * In-memory storage for this tab only, where the browser allows no storage. `held`: the database
 * exists but is not accessible, so reads are allowed and new data is rejected.
 */
export function memoryDeviceDb(held?: DatabaseProblem): DeviceDb {
  let state: OutboxState = emptyState
  const seen = new Map<string, readonly string[]>()
  const days = new Map<string, Bytes>()
  const drafts = memoryDrafts()
  return {
    table: {
      change: (work) =>
        Promise.resolve().then(() => {
          const done = work(state)
          if (
            held &&
            (done.state.entries.length > state.entries.length ||
              done.state.texts.length > state.texts.length)
          )
            throw new Unopened(held)
          state = done.state
          return done.result
        }),
      read: () => Promise.resolve(state),
      close: () => undefined,
    },
    seen: {
      read: (owner) => Promise.resolve(seen.get(owner) ?? []),
      add: (owner, ids) => put(seen, owner, [...(seen.get(owner) ?? []), ...ids]),
      trim: (owner, kept) => put(seen, owner, (seen.get(owner) ?? []).slice(-kept)),
    },
    meter: {
      add: (day, sent, received) =>
        put(days, day, {
          sent: (days.get(day)?.sent ?? 0) + sent,
          received: (days.get(day)?.received ?? 0) + received,
        }),
      read: (from, to) =>
        Promise.resolve(
          [...days].flatMap(([day, bytes]) => (from <= day && day <= to ? [bytes] : [])),
        ),
    },
    drafts: () => (held ? Promise.reject(new Unopened(held)) : Promise.resolve(drafts)),
    ...(held ? { held } : { memoryOnly: true }),
  }
}

function memoryDrafts(): DraftStore {
  const photos = new Map<string, DraftPhoto>()
  const drafts = new BehaviorSubject<ReadonlyMap<string, ListingDraft>>(new Map())
  const without = (which: (draft: ListingDraft) => boolean): void => {
    drafts.next(new Map([...drafts.value].filter(([, draft]) => !which(draft))))
  }
  const forget = (which: (photo: DraftPhoto) => boolean): Promise<void> => {
    for (const photo of photos.values()) if (which(photo)) photos.delete(photo.id)
    return Promise.resolve()
  }
  return {
    observe: (owner) =>
      drafts.pipe(
        map((all) =>
          [...all.values()]
            .filter((draft) => draft.owner === owner)
            .toSorted((a, b) => b.at - a.at),
        ),
      ),
    ownerOf: (id) => Promise.resolve(drafts.value.get(id)?.owner ?? null),
    save: (draft) => Promise.resolve(drafts.next(new Map([...drafts.value, [draft.id, draft]]))),
    remove(id) {
      without((draft) => draft.id === id)
      return forget((photo) => photo.draft === id)
    },
    savePhoto: (photo) => put(photos, photo.id, photo),
    photo: (id) => Promise.resolve(photos.get(id)?.file ?? null),
    removePhoto: (id) => forget((photo) => photo.id === id),
    removeAllOf(owner) {
      without((draft) => draft.owner === owner)
      return forget((photo) => photo.owner === owner)
    },
  }
}

function put<T>(map: Map<string, T>, key: string, value: T): Promise<void> {
  map.set(key, value)
  return Promise.resolve()
}
