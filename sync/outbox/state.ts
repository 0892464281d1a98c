import { type Entry, entry } from '#schema/disk/entry'
import { language } from '#schema/wire/shapes'
import * as v from 'valibot'

/** All that must survive whatever happens to the cache: entries, kept texts, and the meta beside them. A value, never changed in place. */
export interface OutboxState {
  /** In the order of writing. */
  readonly entries: readonly Entry[]
  readonly texts: readonly KeptText[]
  readonly meta: OutboxMeta
  /** Rows that this version cannot read: they stay on disk as they are, and in sight. */
  readonly unread: readonly Unread[]
}

export interface Unread {
  readonly id: string
  /** Empty: a visitor, or nobody knows. */
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

/** Each member stands alone: one that is missing or of another version falls back, and the others keep what they say. */
export const meta = v.object({
  /** The last place given. */
  place: v.fallback(v.number(), 0),
  /** Who leads, by owner: a number that only grows; a mark with an older one is refused. */
  fences: v.fallback(v.record(v.string(), v.number()), {}),
  /** Whose token, for whatever delivers: a tab, or the service worker, which cannot read local storage. */
  sessions: v.fallback(
    v.array(v.looseObject({ owner: v.string(), username: v.string(), token: v.string() })),
    [],
  ),
  /** Whose session ended by itself [S4.06]: what waits is shown until somebody signs in or out. */
  lapsed: v.fallback(v.string(), ''),
  language: v.fallback(language, 'fr'),
  /** [S3.20] session id of the visitor. */
  sessionId: v.fallback(v.string(), ''),
  /** The server's names for what was made on the phone. */
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
  /** The newest answer echoed our key; a server that does not must be read back [API 19]. */
  keysKept: v.fallback(v.boolean(), false),
  /** Server ids that answers named, so that reading back takes none for another entry's. */
  claimed: v.fallback(v.array(v.string()), []),
  /** Entries that the server has, lately: the same command sent again is no new one. */
  done: v.fallback(v.array(v.string()), []),
  /** Names of the database: its own, made with it, then those of others that were put into it. Other ones mean that the browser wiped it. */
  born: v.fallback(v.array(v.string()), []),
  /** Tokens of people who signed out, still to be ended on the server. */
  ended: v.fallback(v.array(v.string()), []),
})
export type OutboxMeta = v.InferOutput<typeof meta>

const REMEMBERED = 300

/** A row that a person removed waits under this code until the documents have forgotten it. */
export const REMOVED = 'removed'

export const emptyState: OutboxState = {
  entries: [],
  texts: [],
  meta: v.parse(meta, {}),
  unread: [],
}

/** What the disk holds as a book. Members that this version does not know stay in their rows, and are written back with them. */
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
      unread.push({ id: textOf(members(row)['id']), owner: textOf(members(row)['owner']), row })
      return []
    })
  const { id: _key, ...said } = members(rows.meta)
  return {
    entries: read(entry, rows.entries).toSorted((a, b) => a.place - b.place),
    texts: read(keptText, rows.texts),
    meta: { ...said, ...v.parse(meta, said) },
    unread,
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function members(row: unknown): Readonly<Record<string, unknown>> {
  return typeof row === 'object' && row !== null ? { ...row } : {}
}

export function withMeta(book: OutboxState, change: Partial<OutboxMeta>): OutboxState {
  return { ...book, meta: { ...book.meta, ...change } }
}

/** Changes the entries for which `change` answers another one; null takes it away. */
export function withEntries(
  book: OutboxState,
  change: (entry: Entry) => Entry | null,
): OutboxState {
  const entries = book.entries.flatMap((one) => change(one) ?? [])
  return { ...book, entries }
}

/** Without all that is one person's. */
export function without(book: OutboxState, owner: string): OutboxState {
  const kept = <T extends { readonly owner: string }>(rows: readonly T[]): T[] =>
    rows.filter((row) => row.owner !== owner)
  return withMeta(
    { ...book, entries: kept(book.entries), texts: kept(book.texts), unread: kept(book.unread) },
    { sessions: kept(book.meta.sessions), made: kept(book.meta.made) },
  )
}

export function isRemoved({ state, problem }: Pick<Entry, 'state' | 'problem'>): boolean {
  return state === 'acknowledged' && problem?.code === REMOVED
}

/** It is put away once the documents have forgotten it. */
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

export function tokenOf(book: OutboxState, owner: string): string | null {
  return book.meta.sessions.find((session) => session.owner === owner)?.token ?? null
}
