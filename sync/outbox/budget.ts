import type { Entry } from '#schema/disk/entry'
import {
  DAY_MS,
  RETRY_DAY_BYTES,
  RETRY_FIRST_HOURS,
  RETRY_HOURS,
  RETRY_TIMES_SIZE,
} from '#schema/limits'
import type { AnyRule } from '../noun.ts'
import { type OutboxState, withEntries } from './state.ts'
import { canPark, withBehind } from './transitions.ts'

/** What an entry may cost in vain before its person is asked (decision 096). */

export type Spent = NonNullable<Entry['spent']>

const HOUR_MS = 3_600_000

/** After one more try in vain, which moved so many bytes. Time without tries counts for an hour at most: the phone was off, or its clock jumped. */
export function charged({ spent }: Pick<Entry, 'spent'>, bytes: number, now: number): Spent {
  if (spent === undefined) return { bytes, since: now, ms: 0, at: now, hours: RETRY_FIRST_HOURS }
  const gap = Math.min(HOUR_MS, Math.max(0, now - spent.at))
  const age = now - spent.since
  const today = age >= 0 && age < DAY_MS
  return {
    bytes: (today ? spent.bytes : 0) + bytes,
    since: today ? spent.since : now,
    ms: spent.ms + gap,
    at: now,
    hours: spent.hours,
  }
}

/** How far the wait after a try in vain starts up its growing span: 0 while little of the entry's size was lost, 5 (about a minute) from four copies on. */
export function costStep({ bytes }: Pick<Entry, 'bytes'>, spent: Spent): number {
  return Math.min(5, Math.floor((1.5 * spent.bytes) / Math.max(1, bytes)))
}

/** Why the person must be asked before the next try, which costs as much as the last one; null: it may go on. */
export function overspent(
  entry: Entry,
  spent: Spent,
  lastBytes: number,
  rule: AnyRule,
): 'retry_data' | 'retry_time' | null {
  if (entry.low || rule.silent || rule.hidden) return null
  if (spent.bytes + lastBytes > RETRY_TIMES_SIZE * entry.bytes + RETRY_DAY_BYTES)
    return 'retry_data'
  return spent.ms >= spent.hours * HOUR_MS ? 'retry_time' : null
}

/** Parks it, with what waits for it, until the person decides; a person's "go on" finds a new budget. */
export function paused(book: OutboxState, id: string, code: string, spent: Spent): OutboxState {
  const parked = withBehind(book, id, canPark)
  const next: Spent = { bytes: 0, since: 0, ms: 0, at: spent.at, hours: RETRY_HOURS }
  return withEntries(book, (entry) => {
    if (!parked.has(entry.id)) return entry
    const problem = { detail: '', code }
    // What it cost is over, and whether it arrived is as unknown as before.
    return entry.id === id
      ? { ...entry, state: 'refused', why: null, problem, spent: next }
      : { ...entry, state: 'refused', why: 'behind', problem }
  })
}
