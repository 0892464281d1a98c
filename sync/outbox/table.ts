import { BehaviorSubject } from 'rxjs'
import type { Entry } from '#schema/disk/entry'
import type { DatabaseProblem } from '#schema/port/outcome'
import { isFull } from '../full.ts'
import type { SeenDisk } from '../inbox/seen.ts'
import type { MeterDisk } from '../network/meter.ts'
import type { DraftStore } from '../noun.ts'
import type { OutboxState, Transition, Unread } from './state.ts'

/**
 * Each change is one strictly durable transaction, in one order for all tabs; answers come in that
 * order too.
 */
export interface Table {
  /** `work` must be synchronous. */
  change<T>(work: (state: OutboxState) => Transition<T>): Promise<T>
  read(): Promise<OutboxState>
  close(): void
}

export interface OpenedDb {
  readonly table: Table
  readonly seen: SeenDisk
  readonly meter: MeterDisk
  /** Rejects when a migration fails: the next call tries again. */
  drafts(): Promise<DraftStore>
}

export interface DatabaseCallbacks {
  /** A newer version of the app upgrades it. */
  newer?(): void
  /** The browser closed it, for example to clear site data. It is opened again, maybe empty. */
  reopened?(): void
  /**
   * A new worker must open it: opening has succeeded late, or a transaction did not end. Without
   * this such a transaction rejects with `Late`.
   */
  restart?(): void
}

export class ShownOutbox {
  readonly entries = new BehaviorSubject<readonly Entry[]>([])
  readonly texts = new BehaviorSubject<ReadonlyMap<string, string>>(new Map())
  readonly unread = new BehaviorSubject<readonly Unread[]>([])
}

/**
 * Nothing was stored. `full`: not even the reserve has room. `unloaded`: the code is not cached,
 * and there is no network.
 */
export class Unstorable extends Error {
  readonly why: 'full' | 'unloaded' | DatabaseProblem

  constructor(why: Unstorable['why'], options?: ErrorOptions) {
    super(why, options)
    this.why = why
  }
}

export async function storing<T>(work: () => Promise<T>) {
  try {
    return await work()
  } catch (error) {
    throw isFull(error) ? new Unstorable('full', { cause: error }) : error
  }
}

export async function withRoom<T>(makeRoom: () => Promise<void>, work: () => Promise<T>) {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Unstorable) || error.why !== 'full') throw error
    await makeRoom()
    return work()
  }
}

export class Unopened extends Unstorable {
  declare readonly why: DatabaseProblem
}
