import type { Call } from '#schema/wire/call'
import { amount, each, idOf, members, text } from '#schema/tolerant'

export { parsed } from '#schema/parsed'
export * from '#schema/tolerant'

/** Of results of the same parser. */
export function deepEqual<T>(a: T, b: T) {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

export type Page<T> = Readonly<{
  rows: readonly T[]
  count: number | null
  countIsExact: boolean
  next: string | null
  cursor: string | null
  missing: readonly string[]
}>

/** `results`, `items`, or a bare array; null: not a list. */
export function rowsOf(body: unknown): readonly unknown[] | null {
  const { results, items } = members(body)
  const rows = Array.isArray(body) ? body : (results ?? items)
  return Array.isArray(rows) ? rows : null
}

/** undefined: no such row; null: not a list. */
export function findRow(body: unknown, isIt: (row: unknown) => boolean) {
  const rows = rowsOf(body)
  return rows && rows.find((row) => isIt(row))
}

export function page<T>(body: unknown, read: (row: unknown) => T | null): Page<T> | null {
  const rows = rowsOf(body)
  const { count, count_is_exact, next, cursor, missing } = members(body)
  return (
    rows && {
      rows: each(rows, read),
      count: amount(count),
      countIsExact: count_is_exact !== false,
      next: text(next),
      cursor: text(cursor),
      missing: each(missing, text),
    }
  )
}

/** Between the times of two copies of one text or listing [API 19]. */
export const SAME_MS = 10 * 60_000

/** null: not an answer of our server. */
export function answerOf<A>(read: (body: unknown) => A | null) {
  return (body: unknown) => {
    const answer = read(body)
    return answer === null ? null : { answer }
  }
}
export function answeredIf(isOurs: (body: unknown) => boolean) {
  return (body: unknown) => (isOurs(body) ? ({ answer: true } as const) : null)
}
export const noAnswer = answeredIf((body) => body === null)
export const createdAnswer = answeredIf((body) => idOf(members(body)['id']) !== null)

export function deletion(call: Call, id: string) {
  return {
    call,
    params: { id },
    answer: noAnswer,
    refused: (_problem: unknown, status: number) => (status === 404 ? ('done' as const) : null),
  }
}

export function given<T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> }
export function given(object: object) {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}
