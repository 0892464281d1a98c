import { type Entry, entry } from '#schema/disk/entry'
import { type Members, members, text } from '#schema/tolerant'
import { language } from '#schema/wire/shapes'
import * as v from 'valibot'

/** The outbox state: everything that must survive a loss of the cache. Immutable. */
export interface OutboxState {
  readonly entries: readonly Entry[]
  readonly texts: readonly KeptText[]
  readonly meta: OutboxMeta
  /** Rows that this version cannot parse. They stay on disk unchanged and are shown to the user. */
  readonly unread: readonly Unread[]
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
  /** Tokens for every sender: tabs, and the service worker, which cannot read local storage. */
  sessions: v.fallback(
    v.array(v.looseObject({ owner: v.string(), username: v.string(), token: v.string() })),
    [],
  ),
  /**
   * Owner whose session expired [S4.06]: their entries stay visible until somebody signs in or out.
   */
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
  /**
   * The last answer echoed our idempotency key. Otherwise a retry must first look for the result on
   * the server [API 19].
   */
  keysKept: v.fallback(v.boolean(), false),
  /**
   * Server ids that were already matched to an entry, so that a lookup matches none of them twice.
   */
  claimed: texts,
  /** Ids of recently acknowledged entries: the same command sent again is ignored. */
  done: texts,
  /**
   * Names of the database: its own, then those of databases merged into it. If a known name is
   * missing, the browser deleted the database.
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

/**
 * Parses the stored rows. Members that this version does not know stay in their rows and are
 * written back.
 */
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

/** Entries and meta of earlier releases have two members under other names. */
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

/** Replaces entries by the result of `change`; null deletes an entry. */
export function withEntries(
  state: OutboxState,
  change: (entry: Entry) => Entry | null,
): OutboxState {
  return { ...state, entries: state.entries.flatMap((entry) => change(entry) ?? []) }
}

export function without(state: OutboxState, owner: string): OutboxState {
  const kept = <T extends { readonly owner: string }>(rows: readonly T[]): T[] =>
    rows.filter((row) => row.owner !== owner)
  return withMeta(
    {
      ...state,
      entries: kept(state.entries),
      texts: kept(state.texts),
      unread: kept(state.unread),
    },
    { sessions: kept(state.meta.sessions), made: kept(state.meta.made) },
  )
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
