import type { DatabaseProblem } from '#schema/port/outcome'
import { isFull } from '../full.ts'
import type { OutboxState, Transition } from './state.ts'

/** Each change is one strictly durable transaction over the whole state, in one order for all tabs. */
export interface Table {
  /** `work` must be synchronous. Resolves once the change is on disk. */
  change<T>(work: (state: OutboxState) => Transition<T>): Promise<T>
  read(): Promise<OutboxState>
  close(): void
}

/**
 * Nothing was read or written. full: storage is full, including the reserve · unloaded: the code is
 * not cached yet, and there is no network.
 */
export class Unstorable extends Error {
  readonly why: 'full' | 'unloaded' | DatabaseProblem

  constructor(why: Unstorable['why'], options?: ErrorOptions) {
    super(why, options)
    this.why = why
  }
}

/** Rejects with `Unstorable` when storage is full. */
export async function storing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isFull(error) ? new Unstorable('full', { cause: error }) : error
  }
}

/** The database exists, but is not accessible. */
export class Unopened extends Unstorable {
  declare readonly why: DatabaseProblem
}
