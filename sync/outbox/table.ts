import { BehaviorSubject } from 'rxjs'
import type { Entry } from '#schema/disk/entry'
import type { DatabaseProblem } from '#schema/port/outcome'
import { isFull } from '../full.ts'
import type { OutboxState, Transition, Unread } from './state.ts'

/**
 * Each change is one strictly durable transaction, in one order for all tabs. A tab gets its answers
 * in that order too.
 */
export interface Table {
  /** `work` must be synchronous. */
  change<T>(work: (state: OutboxState) => Transition<T>): Promise<T>
  read(): Promise<OutboxState>
  close(): void
}

/** Of the current user; empty before the outbox is loaded. */
export class ShownOutbox {
  readonly entries = new BehaviorSubject<readonly Entry[]>([])
  readonly texts = new BehaviorSubject<ReadonlyMap<string, string>>(new Map())
  readonly unread = new BehaviorSubject<readonly Unread[]>([])
}

/**
 * Nothing was read or written. full: also the reserve · unloaded: the code is not cached, and there
 * is no network.
 */
export class Unstorable extends Error {
  readonly why: 'full' | 'unloaded' | DatabaseProblem

  constructor(why: Unstorable['why'], options?: ErrorOptions) {
    super(why, options)
    this.why = why
  }
}

export async function storing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isFull(error) ? new Unstorable('full', { cause: error }) : error
  }
}

/** It exists, but is not accessible. */
export class Unopened extends Unstorable {
  declare readonly why: DatabaseProblem
}
