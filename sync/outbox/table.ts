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

/** The code could not be loaded: there is no network, and it is not cached yet. */
export class Unloaded extends Error {
  override readonly name = 'Unloaded'
}
