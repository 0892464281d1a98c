import { type Entry, entry } from '#schema/disk/entry'
import { type Members, members, text } from '#schema/tolerant'
import { language } from '#schema/wire/shapes'
import * as v from 'valibot'

/** Everything that must survive a loss of the cache. Immutable. */
export interface OutboxState {
  readonly entries: readonly Entry[]
  readonly texts: readonly KeptText[]
  readonly meta: OutboxMeta
  /** Rows that this version cannot parse: unchanged on disk, and shown to the user. */
  readonly unread: readonly Unread[]
}

export interface Transition<T> {
  readonly state: OutboxState
  readonly result: T
}

export interface Unread {
  readonly id: string
  /** Empty: a visitor, or unknown. */
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
export type KeptText = v.InferOutput<typeof keptText>

const texts = v.fallback(v.array(v.string()), [])

/** Each member has its own fallback, so that an invalid one does not discard the others. */
export const meta = v.object({
  sequence: v.fallback(v.number(), 0),
  /** Fencing number by owner, only increasing. Updates with an older number are rejected. */
  fences: v.fallback(v.record(v.string(), v.number()), {}),
  /** For tabs, and for the service worker, which cannot read local storage. */
  sessions: v.fallback(
    v.array(v.looseObject({ owner: v.string(), username: v.string(), token: v.string() })),
    [],
  ),
  /** Owner whose session expired: visible until somebody signs in or out [S4.06]. */
  lapsed: v.fallback(v.string(), ''),
  language: v.fallback(language, 'fr'),
  /** [S3.20] */
  sessionId: v.fallback(v.string(), ''),
  /** Server ids of objects that were created locally. */
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
  /** The last answer echoed our key. Otherwise a retry first looks for the result [API 19]. */
  keysKept: v.fallback(v.boolean(), false),
  /** Server ids that a lookup may not match to another entry. */
  claimed: texts,
  /** Ids of recently acknowledged entries: sent again, they are ignored. */
  done: texts,
  /**
   * Names of the database: its own, then of those merged into it. If a known one is missing, the
   * browser deleted the database.
   */
  born: texts,
  /** Tokens of signed-out users, still to be revoked on the server. */
  ended: texts,
})
export type OutboxMeta = v.InferOutput<typeof meta>

const REMEMBERED = 300

/** Problem code of a row that the user removed. */
export const REMOVED = 'removed'

export const emptyState: OutboxState = {
  entries: [],
  texts: [],
  meta: v.parse(meta, {}),
  unread: [],
}

/** Members that this version does not know stay in their rows and are written back. */
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

/** Earlier releases have two members under other names. */
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

export function entryOf({ entries }: OutboxState, id: string): Entry | undefined {
  return entries.find((entry) => entry.id === id)
}

/** `change` returns null to delete an entry. */
export function withEntries(
  state: OutboxState,
  change: (entry: Entry) => Entry | null,
): OutboxState {
  return { ...state, entries: state.entries.flatMap((entry) => change(entry) ?? []) }
}

export function withEntry(
  state: OutboxState,
  id: string,
  change: (entry: Entry) => Entry | null,
): OutboxState {
  return withEntries(state, (entry) => (entry.id === id ? change(entry) : entry))
}

export function without(state: OutboxState, owner: string): OutboxState {
  const kept = <T extends { readonly owner: string }>(rows: readonly T[]): T[] =>
    rows.filter((row) => row.owner !== owner)
  const { entries, texts, unread, meta } = state
  return {
    entries: kept(entries),
    texts: kept(texts),
    unread: kept(unread),
    meta: { ...meta, sessions: kept(meta.sessions), made: kept(meta.made) },
  }
}

/** The row is deleted once its optimistic documents are reverted. */
export function removed(entry: Entry): Entry {
  return {
    ...entry,
    state: 'acknowledged',
    answer: null,
    why: null,
    problem: { detail: '', code: REMOVED },
  }
}

export function remembered(list: readonly string[], ...more: readonly string[]): string[] {
  return [...list.filter((one) => !more.includes(one)), ...more].slice(-REMEMBERED)
}

export function tokenOf(state: OutboxState, owner: string): string | null {
  return state.meta.sessions.find((session) => session.owner === owner)?.token ?? null
}

export function textId(owner: string, key: string): string {
  return `${owner} ${key}`
}
