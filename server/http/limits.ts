import { createHash } from 'node:crypto'
import { networkOf } from './address.ts'
import type { Caller } from './caller.ts'
import { refuseUntil } from './refusal.ts'
import type { Code } from './texts.ts'

/** At most `count` in any `seconds`; `code` where it is not the row's. */
export interface Window {
  readonly count: number
  readonly seconds: number
  readonly code?: Code
}

/** A row of API.md 1.6. Calls that name the same row share one counter. */
export interface LimitRow {
  readonly name: string
  readonly user?: readonly Window[]
  readonly visitor?: readonly Window[]
  readonly code?: Code
}

interface Slot {
  readonly key: string
  readonly window: Window
}

interface Taken {
  readonly wait: number
  readonly full: Slot | null
  /** Gives what was taken back: the call turned out not to count. */
  undo(): Promise<void>
}

/** Counts in sliding windows, in memory or for all processes together. */
export interface Limiter {
  /** Takes one from every slot and gives 0, or takes nothing and gives the seconds to wait and the slot that is full. */
  take(slots: readonly Slot[], now: number): Promise<Taken>
  close?(): void
}

export interface Who {
  readonly caller: Caller | null
  readonly address: string
  readonly visitorSession: string | null
}

/** All calls count here as well. */
export const ALL: LimitRow = { name: 'all', user: [{ count: 600, seconds: 60 }], visitor: [{ count: 300, seconds: 60 }] }

/** Codes that `RATE_LIMITS=off` does not lift (API.md 16). */
const ALWAYS = new Set<Code>(['cooldown', 'report_rate_limited'])
const WIDER = 10

/** Counts a call against a row and answers how to take that back; throws 429 with the row's code when one of its windows is full. */
export function countRow(limiter: Limiter, row: LimitRow, who: Who, now: Date, on: boolean): Promise<() => Promise<void>> {
  return countSlots(limiter, slotsOf(row, who), row.code ?? 'rate_limited', now, on)
}

/** Counts against a name, such as an account's as it was typed; names are not widened. */
export async function countName(limiter: Limiter, row: string, name: string, windows: readonly Window[], now: Date, on: boolean): Promise<void> {
  const key = createHash('sha256').update(name).digest('base64url').slice(0, 22)
  await countSlots(limiter, windows.map((window) => ({ key: `${row}:n:${key}:${window.seconds}`, window })), 'rate_limited', now, on)
}

async function countSlots(limiter: Limiter, slots: readonly Slot[], code: Code, now: Date, on: boolean): Promise<() => Promise<void>> {
  const live = slots.filter(({ window }) => on || ALWAYS.has(window.code ?? code))
  if (live.length === 0) return nothing
  const { wait, full, undo } = await limiter.take(live, now.getTime())
  if (full !== null) throw refuseUntil(full.window.code ?? code, wait)
  return undo
}

const nothing = async (): Promise<void> => undefined

function slotsOf(row: LimitRow, { caller, address, visitorSession }: Who): Slot[] {
  if (caller !== null && row.user !== undefined) return row.user.map((window) => ({ key: `${row.name}:u:${caller.id}:${window.seconds}`, window }))
  const network = networkOf(address)
  return (row.visitor ?? []).flatMap((window) => [
    { key: `${row.name}:v:${network}:${visitorSession ?? ''}:${window.seconds}`, window },
    { key: `${row.name}:a:${network}:${window.seconds}`, window: { ...window, count: window.count * WIDER } },
  ])
}

/** Windows of one process: the times of what was let through. */
export function memoryLimiter(): Limiter {
  const times = new Map<string, { seen: number[]; until: number }>()
  let sweepAt = 0
  return {
    async take(slots, now) {
      if (now >= sweepAt) {
        for (const [key, entry] of times) if (entry.until <= now) times.delete(key)
        sweepAt = now + 60_000
      }
      for (const slot of slots) {
        const since = now - slot.window.seconds * 1000
        const entry = times.get(slot.key)
        if (entry === undefined) continue
        entry.seen = entry.seen.filter((time) => time > since && time <= now)
        const first = entry.seen.at(-slot.window.count)
        if (entry.seen.length >= slot.window.count && first !== undefined) return { wait: (first - since) / 1000, full: slot, undo: nothing }
      }
      for (const { key, window } of slots) {
        const entry = times.get(key) ?? { seen: [], until: 0 }
        entry.seen.push(now)
        entry.until = now + window.seconds * 1000
        times.set(key, entry)
      }
      return {
        wait: 0,
        full: null,
        async undo() {
          for (const { key } of slots) {
            const seen = times.get(key)?.seen ?? []
            const at = seen.lastIndexOf(now)
            if (at >= 0) seen.splice(at, 1)
          }
        },
      }
    },
  }
}
