import { type Entry, isUnsent } from '#schema/disk/entry'
import { groupBy } from '#schema/groupBy'

export interface Conditions {
  readonly now: number
  readonly wifi: boolean
  readonly maxBatch: (name: string) => number
}

export type Batch = readonly [Entry, ...Entry[]]

/** A later `notBefore` comes from a clock that jumped. */
export const LONGEST_WAIT_MS = 3_600_000
const HEAVY = 20_000

/** Sent after all texts; after a failure once a small request succeeded. */
export function isHeavy({ bytes }: Pick<Entry, 'bytes'>) {
  return bytes > HEAVY
}

/**
 * Of each lane the first, with like ones if its rule gathers them. Texts come first, then photos,
 * then low priority.
 */
export function schedule(entries: readonly Entry[], { now, wifi, maxBatch }: Conditions) {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const batches: Batch[] = []
  /** null: nothing waits for time. */
  let wakeAt: number | null = null
  for (const lane of groupBy(entries.filter(isUnsent), ({ lane }) => lane).values()) {
    const [head, ...others] = lane
    if (!head || head.state === 'sending' || waitsFor(head, byId)) continue
    if (head.wifiOnly && !wifi) continue
    if (due(head, now)) {
      const end = others.findIndex(({ name, state }) => name !== head.name || state !== 'waiting')
      const alike = end === -1 ? others : others.slice(0, end)
      batches.push([head, ...alike.slice(0, maxBatch(head.name) - 1)])
    } else {
      wakeAt = Math.min(wakeAt ?? Infinity, head.notBefore)
    }
  }
  return {
    batches: batches.toSorted(([a], [b]) => rank(a) - rank(b) || a.sequence - b.sequence),
    wakeAt,
  }
}

function waitsFor(entry: Entry, byId: ReadonlyMap<string, Entry>) {
  const first = byId.get(entry.after ?? '')
  return first !== undefined && first.state !== 'acknowledged'
}

function due(entry: Entry, now: number) {
  return entry.notBefore <= now || entry.notBefore > now + LONGEST_WAIT_MS || isSetBack(entry, now)
}

/** The rest of its wait is unknown. */
function isSetBack({ spent, triedAt, bornAt }: Entry, now: number) {
  return spent ? spent.at > now : triedAt === 0 && bornAt > now
}

function rank(entry: Entry) {
  return entry.low ? 2 : isHeavy(entry) ? 1 : 0
}
