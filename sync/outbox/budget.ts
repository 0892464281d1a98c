import type { Entry } from '#schema/disk/entry'
import {
  DAY_MS,
  RETRY_DAY_BYTES,
  RETRY_FIRST_HOURS,
  RETRY_HOURS,
  RETRY_TIMES_SIZE,
} from '#schema/limits'
import type { OutboxState } from './state.ts'
import { park } from './transitions.ts'

/** Failed tries cost: above a limit the user is asked (decision 096). */

type Spent = NonNullable<Entry['spent']>

const HOUR_MS = 3_600_000

/** A gap counts as one hour at most: the device may have been off, or its clock may have jumped. */
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

/** Extra doublings of the wait: 1.5 for each copy that was sent in vain, 5 at most. */
export function costStep({ bytes }: Pick<Entry, 'bytes'>, spent: Spent) {
  return Math.min(5, Math.floor((1.5 * spent.bytes) / Math.max(1, bytes)))
}

export function overspent(
  entry: Entry,
  spent: Spent,
  lastBytes: number,
): 'retry_data' | 'retry_time' | null {
  if (entry.low) return null
  if (spent.bytes + lastBytes > RETRY_TIMES_SIZE * entry.bytes + RETRY_DAY_BYTES)
    return 'retry_data'
  return spent.ms >= spent.hours * HOUR_MS ? 'retry_time' : null
}

export function paused(state: OutboxState, id: string, code: string, spent: Spent) {
  const next: Spent = { bytes: 0, since: 0, ms: 0, at: spent.at, hours: RETRY_HOURS }
  // The outcome of the last try stays unknown.
  return park(state, id, { detail: '', code }, () => ({ spent: next }))
}
