import { type Entry, entry } from '#schema/disk/entry'
import { language } from '#schema/wire/shapes'
import * as v from 'valibot'

/** All that must survive whatever happens to the cache: entries, kept texts, and the desk beside them. A value, never changed in place. */
export interface Book {
  /** In the order of writing. */
  readonly entries: readonly Entry[]
  readonly texts: readonly KeptText[]
  readonly desk: Desk
}

export const keptText = v.object({ id: v.string(), owner: v.string(), key: v.string(), content: v.string(), at: v.number() })
export type KeptText = v.InferOutput<typeof keptText>

export const desk = v.object({
  /** The last place given. */
  place: v.number(),
  /** Who leads, by owner: a number that only grows; a mark with an older one is refused. */
  fences: v.record(v.string(), v.number()),
  /** Whose token, for whatever delivers: a tab, or the service worker, which cannot read local storage. */
  sessions: v.array(v.object({ owner: v.string(), username: v.string(), token: v.string() })),
  /** Whose session ended by itself (S4.06): what waits is shown until somebody signs in or out. */
  lapsed: v.string(),
  language,
  /** S3.20 session id of the visitor. */
  sessionId: v.string(),
  /** The server's names for what was made on the phone. */
  made: v.array(v.object({ owner: v.string(), kind: v.picklist(['conversation', 'listing']), from: v.string(), to: v.string() })),
  /** The newest answer echoed our key; a server that does not must be read back (API.md 19). */
  keysKept: v.boolean(),
  /** Server ids that answers named, so that reading back takes none for another entry's. */
  claimed: v.array(v.string()),
  /** Entries done lately: the same command sent again is no new one. */
  done: v.array(v.string()),
})
export type Desk = v.InferOutput<typeof desk>

const REMEMBERED = 300

export const emptyBook: Book = {
  entries: [],
  texts: [],
  desk: { place: 0, fences: {}, sessions: [], lapsed: '', language: 'fr', sessionId: '', made: [], keysKept: false, claimed: [], done: [] },
}

/** What the disk holds as a book; a row that cannot be read is left where it is, out of the way. */
export function readBook(rows: { readonly entries: readonly unknown[]; readonly texts: readonly unknown[]; readonly desk: unknown }): Book {
  const found = v.safeParse(desk, rows.desk)
  return {
    entries: rows.entries.flatMap((row) => parsed(entry, row)).toSorted((a, b) => a.place - b.place),
    texts: rows.texts.flatMap((row) => parsed(keptText, row)),
    desk: found.success ? found.output : emptyBook.desk,
  }
}

function parsed<T>(schema: v.GenericSchema<unknown, T>, row: unknown): T[] {
  const result = v.safeParse(schema, row)
  return result.success ? [result.output] : []
}

export function withDesk(book: Book, change: Partial<Desk>): Book {
  return { ...book, desk: { ...book.desk, ...change } }
}

/** Changes the entries for which `change` answers another one; null takes it away. */
export function withEntries(book: Book, change: (entry: Entry) => Entry | null): Book {
  const entries = book.entries.flatMap((one) => change(one) ?? [])
  return { ...book, entries }
}

/** Without all that is one person's. */
export function without(book: Book, owner: string): Book {
  const kept = <T extends { readonly owner: string }>(rows: readonly T[]): T[] => rows.filter((row) => row.owner !== owner)
  return withDesk({ ...book, entries: kept(book.entries), texts: kept(book.texts) }, { sessions: kept(book.desk.sessions), made: kept(book.desk.made) })
}

export function remembered(list: readonly string[], ...more: readonly string[]): string[] {
  return [...list.filter((one) => !more.includes(one)), ...more].slice(-REMEMBERED)
}

export function tokenOf(book: Book, owner: string): string | null {
  return book.desk.sessions.find((session) => session.owner === owner)?.token ?? null
}
