import type { Entry } from '#schema/disk/entry'
import { groupBy } from '#schema/groupBy'

/** What stands in the way right now, from the network and the person's settings. */
export interface Conditions {
  readonly now: number
  readonly wifi: boolean
  /** How many entries of a command go in one call. */
  readonly together: (name: string) => number
}

export interface Schedule {
  /** Batches whose turn it is, the most important first; more than one entry only where they travel together. */
  readonly batches: readonly (readonly Entry[])[]
  /** When the next one wants a look, ms of the clock; null: nothing waits for time. */
  readonly wakeAt: number | null
}

/** No wait is longer; a `notBefore` further away comes from a clock that jumped. */
export const LONGEST_WAIT_MS = 3_600_000
const HEAVY = 20_000

/** A photo goes after all texts, and is not sent again before the server answers something small. */
export function isHeavy({ bytes }: Pick<Entry, 'bytes'>): boolean {
  return bytes > HEAVY
}

/**
 * Whose turn it is: of each lane the first entry that is not parked, when nothing before it is in flight.
 * Lanes run side by side: texts, then photos, then low lanes.
 */
export function schedule(entries: readonly Entry[], road: Conditions): Schedule {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const batches: Entry[][] = []
  let wakeAt: number | null = null
  for (const lane of groupBy(entries.filter(moves), ({ lane }) => lane).values()) {
    const [head] = lane
    if (!head || head.state === 'sending' || waitsFor(head, byId) || (head.wifiOnly && !road.wifi))
      continue
    if (due(head, road.now)) {
      const most = road.together(head.name)
      const company = lane.findIndex(
        (entry) => entry.name !== head.name || entry.state !== 'waiting',
      )
      batches.push(
        lane.slice(0, Math.max(1, Math.min(most, company === -1 ? lane.length : company))),
      )
    } else {
      wakeAt = Math.min(wakeAt ?? Infinity, head.notBefore)
    }
  }
  return {
    batches: batches.toSorted((a, b) => rank(a[0]) - rank(b[0]) || place(a[0]) - place(b[0])),
    wakeAt,
  }
}

/** Parked and finished entries do not block what was written after them. */
function moves(entry: Entry): boolean {
  return entry.state === 'waiting' || entry.state === 'sending'
}

function waitsFor(entry: Entry, byId: ReadonlyMap<string, Entry>): boolean {
  const first = entry.after === null ? undefined : byId.get(entry.after)
  return first !== undefined && first.state !== 'acknowledged'
}

function due(entry: Entry, now: number): boolean {
  return entry.notBefore <= now || entry.notBefore > now + LONGEST_WAIT_MS || isSetBack(entry, now)
}

/** The clock was set back since the wait began: how long it has lasted, nobody knows. */
function isSetBack({ spent, triedAt, bornAt }: Entry, now: number): boolean {
  return spent ? spent.at > now : triedAt === 0 && bornAt > now
}

function rank(entry: Entry | undefined): number {
  if (!entry) return 3
  return entry.low ? 2 : isHeavy(entry) ? 1 : 0
}

function place(entry: Entry | undefined): number {
  return entry?.place ?? 0
}
