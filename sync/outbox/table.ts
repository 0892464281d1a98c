import type { DatabaseProblem } from '#schema/port/outcome'
import type { OutboxState } from './state.ts'

/** Where the book is kept. Every change is one transaction over the whole book, strictly durable, seen by all tabs in one order. */
export interface Table {
  /** `work` is run on the book as it is, without waiting for anything; resolves once the change is on disk. */
  change<T>(
    work: (book: OutboxState) => { readonly book: OutboxState; readonly result: T },
  ): Promise<T>
  read(): Promise<OutboxState>
  close(): void
}

/** The phone has no room for even the reserve; nothing was written. */
export class Full extends Error {
  override readonly name = 'Full'
}

/** The database was not to be had: nothing of it was read or written. */
export class Unopened extends Error {
  readonly why: DatabaseProblem

  constructor(why: DatabaseProblem) {
    super(why)
    this.why = why
  }
}

export type Write<T> =
  | { readonly kind: 'put'; readonly id: string; readonly row: T }
  | { readonly kind: 'delete'; readonly id: string }

/** What turns one list of rows into the other; a row that is the same value was not changed. */
export function difference<T extends { readonly id: string }>(
  before: readonly T[],
  after: readonly T[],
): readonly Write<T>[] {
  const old = new Map(before.map((row) => [row.id, row]))
  const kept = new Set(after.map((row) => row.id))
  return [
    ...after
      .filter((row) => old.get(row.id) !== row)
      .map((row) => ({ kind: 'put', id: row.id, row }) as const),
    ...before
      .filter((row) => !kept.has(row.id))
      .map((row) => ({ kind: 'delete', id: row.id }) as const),
  ]
}
