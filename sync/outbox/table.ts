import type { DatabaseProblem } from '#schema/port/outcome'
import type { OutboxState } from './state.ts'

/**
 * Storage of the outbox state. Each change is one strictly durable transaction over all of it, in
 * one order for all tabs.
 */
export interface Table {
  /** `work` must be synchronous. Resolves once the change is on disk. */
  change<T>(
    work: (state: OutboxState) => { readonly state: OutboxState; readonly result: T },
  ): Promise<T>
  read(): Promise<OutboxState>
  close(): void
}

/** Storage is full, including the reserve; nothing was written. */
export class Full extends Error {
  override readonly name = 'Full'
}

/** Nothing was read or written. */
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

/** The writes that turn `before` into `after`. A row with the same identity is unchanged. */
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
