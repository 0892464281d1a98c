import { type Entry, entry } from '#schema/disk/entry'
import { type Members, members, text } from '#schema/tolerant'
import { language } from '#schema/wire/shapes'
import * as v from 'valibot'

/** What must survive a loss of the cache. Immutable. */
export interface OutboxState {
  readonly entries: readonly Entry[]
  readonly texts: readonly v.InferOutput<typeof keptText>[]
  readonly meta: OutboxMeta
  /** This version cannot parse them: unchanged on disk, and shown. */
  readonly unread: readonly Unread[]
}

export interface Transition<T> {
  readonly state: OutboxState
  readonly result: T
}

export interface Unread {
  readonly id: string
  readonly owner: string
  readonly row: unknown
}

export const keptText = v.object({
  id: v.string(),
  owner: v.string(),
  key: v.string(),
  content: v.string(),
  at: v.number(),
})

const texts = v.fallback(v.array(v.string()), [])

/** An invalid member does not discard the others. */
export const meta = v.object({
  sequence: v.fallback(v.number(), 0),
  /** Only increasing. */
  fences: v.fallback(v.record(v.string(), v.number()), {}),
  sessions: v.fallback(
    v.array(
      v.looseObject({
        owner: v.string(),
        username: v.string(),
        token: v.string(),
        /** Somebody has signed in since. */
        replaced: v.optional(v.boolean()),
      }),
    ),
    [],
  ),
  /** Owner whose session expired: visible until somebody signs in or out [S4.06]. */
  lapsed: v.fallback(v.string(), ''),
  language: v.fallback(language, 'fr'),
  /** [S3.20] */
  sessionId: v.fallback(v.string(), ''),
  made: v.fallback(
    v.array(
      v.looseObject({
        owner: v.string(),
        kind: v.picklist(['conversation', 'listing']),
        from: v.string(),
        to: v.string(),
      }),
    ),
    [],
  ),
  /** The last answer echoed our key. Else a retry looks for an earlier result first [API 19]. */
  keysKept: v.fallback(v.boolean(), false),
  /** Server ids that no other entry may match. */
  claimed: texts,
  /** Acknowledged lately: a command with such an id is ignored. */
  done: texts,
  /**
   * Names of the database and of those merged into it. If one is missing, the browser deleted it.
   */
  born: texts,
  ended: texts,
})
type OutboxMeta = v.InferOutput<typeof meta>

const REMEMBERED = 300

export const emptyState: OutboxState = {
  entries: [],
  texts: [],
  meta: v.parse(meta, {}),
  unread: [],
}

/** Unknown members stay in their rows and are written back. */
export function readState(rows: {
  readonly entries: readonly unknown[]
  readonly texts: readonly unknown[]
  readonly meta: unknown
}): OutboxState {
  const unread: Unread[] = []
  const read = <T extends object>(
    schema: v.GenericSchema<unknown, T>,
    all: readonly unknown[],
  ): T[] =>
    all.flatMap((row) => {
      const { success, output } = v.safeParse(schema, row)
      if (success) return [{ ...members(row), ...output }]
      const { id, owner } = members(row)
      unread.push({ id: text(id) ?? '', owner: text(owner) ?? '', row })
      return []
    })
  const { id: _key, ...stored } = currentNames(rows.meta)
  return {
    entries: read(entry, rows.entries.map(currentNames)).toSorted(
      (a, b) => a.sequence - b.sequence,
    ),
    texts: read(keptText, rows.texts),
    meta: { ...stored, ...v.parse(meta, stored) },
    unread,
  }
}

/** Earlier releases had two other names. */
export function currentNames(row: unknown): Members {
  const { doubt, place, ...others } = members(row)
  return {
    ...(doubt === undefined ? {} : { uncertain: doubt }),
    ...(place === undefined ? {} : { sequence: place }),
    ...others,
  }
}

export function withMeta(state: OutboxState, change: Partial<OutboxMeta>): OutboxState {
  return { ...state, meta: { ...state.meta, ...change } }
}

export function entryOf({ entries }: OutboxState, id: string) {
  return entries.find((entry) => entry.id === id)
}

type Change = (entry: Entry) => Partial<Entry> | null

/** A change of null deletes the entry. */
export function withEntries(
  state: OutboxState,
  isSelected: (entry: Entry) => boolean,
  change: Change,
): OutboxState {
  const changed = (entry: Entry) => {
    if (!isSelected(entry)) return entry
    const members = change(entry)
    return members === null ? [] : { ...entry, ...members }
  }
  return { ...state, entries: state.entries.flatMap(changed) }
}

export function withEntry(state: OutboxState, id: string, change: Change) {
  return withEntries(state, (entry) => entry.id === id, change)
}

export function without(state: OutboxState, owner: string) {
  const kept = <T extends { readonly owner: string }>(rows: readonly T[]) =>
    rows.filter((row) => row.owner !== owner)
  const { entries, texts, unread, meta } = state
  return {
    entries: kept(entries),
    texts: kept(texts),
    unread: kept(unread),
    meta: { ...meta, sessions: kept(meta.sessions), made: kept(meta.made) },
  }
}

/** Removed by its user, or cancelled by a later entry, until its documents are reverted. */
export const removed = {
  state: 'acknowledged',
  answer: null,
  why: null,
  problem: { detail: '', code: 'removed' },
} as const

export function remembered(list: readonly string[], ...more: readonly string[]) {
  return [...list.filter((one) => !more.includes(one)), ...more].slice(-REMEMBERED)
}

export const sessionOf = ({ meta }: OutboxState, owner: string) =>
  meta.sessions.find((one) => one.owner === owner)

export const tokenOf = (state: OutboxState, owner: string) => sessionOf(state, owner)?.token ?? null

export function textId(owner: string, key: string) {
  return `${owner} ${key}`
}
