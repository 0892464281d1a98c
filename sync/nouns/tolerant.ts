import { amount, each, idOf, members, text } from '#schema/tolerant'

export * from '#schema/tolerant'

/** Equality as JSON; for results of the same parser. */
export function deepEqual<T>(a: T, b: T): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

export interface Page<T> {
  readonly rows: readonly T[]
  readonly count: number | null
  readonly next: string | null
  readonly cursor: string | null
  readonly removed: readonly string[]
  readonly missing: readonly string[]
}

/** `results`, `items`, or a bare array; null: not a list. */
export function rowsOf(body: unknown): readonly unknown[] | null {
  const object = members(body)
  const rows = Array.isArray(body) ? body : (object['results'] ?? object['items'])
  return Array.isArray(rows) ? rows : null
}

/** undefined: no such row; null: not a list. */
export function findRow(body: unknown, isIt: (row: unknown) => boolean): unknown {
  const rows = rowsOf(body)
  return rows && rows.find((row) => isIt(row))
}

/** Unreadable rows are left out; null: not a list. */
export function page<T>(body: unknown, read: (row: unknown) => T | null): Page<T> | null {
  const rows = rowsOf(body)
  const object = members(body)
  return (
    rows && {
      rows: each(rows, read),
      count: amount(object['count']),
      next: text(object['next']),
      cursor: text(object['cursor']),
      removed: each(object['removed'], text),
      missing: each(object['missing'], text),
    }
  )
}

/** Maximum difference between the times of two copies of one text or listing [API 19]. */
export const SAME_MS = 10 * 60_000
/** The answer of a call that answers nothing, such as a deletion. */
export const noAnswer = (body: unknown): Answered | null =>
  body === null ? { answer: true } : null
/** The answer of a call that creates something. */
export const createdAnswer = (body: unknown): Answered | null =>
  idOf(members(body)['id']) === null ? null : { answer: true }
interface Answered {
  readonly answer: true
}
/** What is to be deleted is not there any more. */
export const alreadyGone = (_problem: unknown, status: number): 'done' | null =>
  status === 404 ? 'done' : null

/** For texts to send: the server rejects lone surrogates and NUL [API 1.1]. */
export function clean(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '')
}
