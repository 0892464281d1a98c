import type { Config } from '../config.ts'
import { networkOf } from './clientAddress.ts'
import type { Caller } from './caller.ts'
import { refuseUntil } from './refusal.ts'
import type { Code } from './texts.ts'
import { shortHash } from './token.ts'

export type Window = Readonly<{
  count: number
  seconds: number
  code?: Code
}>

/** [API 1.6]. Calls that name the same row share one counter. */
export type LimitRow = Readonly<{
  name: string
  user?: readonly Window[]
  visitor?: readonly Window[]
  /** Per network, for all its callers. */
  network?: readonly Window[]
  /** A network's visitors together may make this many times the calls of one visitor. */
  wide?: number
  /** Counter of a network's visitors, if several rows share it. Default: `name`. */
  crowd?: string
  code?: Code
}>

interface Slot {
  readonly key: string
  readonly window: Window
}

interface Taken {
  readonly wait: number
  readonly full: Slot | null
  /** The call does not count after all. */
  undo(): Promise<void>
}

export interface Limiter {
  /** One from every slot, or none: `wait` in seconds, `full` the slot without room. */
  take(slots: readonly Slot[], now: number): Promise<Taken>
  close?(): void
}

export type Who = Readonly<{
  caller: Caller | null
  address: string
  visitorSession: string | null
}>

/** Every call, besides its own row. */
export const ALL: LimitRow = {
  name: 'all',
  user: [{ count: 600, seconds: 60 }],
  visitor: [{ count: 300, seconds: 60 }],
}

/** [A2] A mobile operator puts a town behind one address: room for 2,000 people at once. */
export const TOWN = 200
export const SUGGEST: LimitRow = {
  name: 'suggest',
  user: [{ count: 120, seconds: 60 }],
  visitor: [{ count: 120, seconds: 60 }],
  wide: TOWN,
}
/** The visitors of one network share the limit of a town. */
export const READS: LimitRow = { ...ALL, wide: TOWN, crowd: 'reads' }
/** [A3] Tokens that match no session. */
export const BAD_TOKENS: LimitRow = { name: 'bad-token', network: [{ count: 600, seconds: 60 }] }

/** Codes that `RATE_LIMITS=off` does not lift [API 16]. */
const ALWAYS = new Set<Code>(['cooldown', 'report_rate_limited'])
/** Of `wide`, where a row has none. */
const WIDER = 10

interface Counting {
  readonly limiter: Limiter
  readonly config: Pick<Config, 'rateLimits'>
}

export const countRow = (services: Counting, row: LimitRow, who: Who, now: Date) =>
  countSlots(services, slotsOf(row, who), row.code ?? 'rate_limited', now)

/** Such as an account name as it was typed. */
export async function countName(
  services: Counting,
  row: string,
  name: string,
  windows: readonly Window[],
  now: Date,
) {
  const slots = windows.map((window) => slotOf(row, 'n', shortHash(name), window))
  await countSlots(services, slots, 'rate_limited', now)
}

const slotOf = (row: string, kind: string, who: string, window: Window) => ({
  key: `${row}:${kind}:${who}:${window.seconds}`,
  window,
})

async function countSlots(
  { limiter, config }: Counting,
  slots: readonly Slot[],
  code: Code,
  now: Date,
) {
  const live = slots.filter(({ window }) => config.rateLimits || ALWAYS.has(window.code ?? code))
  if (live.length === 0) return nothing
  const { wait, full, undo } = await limiter.take(live, now.getTime())
  if (full !== null) throw refuseUntil(full.window.code ?? code, wait)
  return undo
}

const nothing = async () => undefined

function slotsOf(row: LimitRow, { caller, address, visitorSession }: Who) {
  const network = networkOf(address)
  const ofNetwork = (row.network ?? []).map((window) => slotOf(row.name, 'n', network, window))
  if (caller !== null && row.user !== undefined)
    return [...row.user.map((window) => slotOf(row.name, 'u', caller.id, window)), ...ofNetwork]
  const visitors = (row.visitor ?? []).flatMap((window) => {
    const wide = { ...window, count: window.count * (row.wide ?? WIDER) }
    return [
      slotOf(row.name, 'v', `${network}:${visitorSession ?? ''}`, window),
      slotOf(row.crowd ?? row.name, 'a', network, wide),
    ]
  })
  return [...visitors, ...ofNetwork]
}

/** A clock that goes back further was reset: entries in its future are dropped. */
export const SET_BACK_MS = 3_600_000
const COMPACT_FROM = 256

/** Sorted; entries before `head` have expired. */
interface Times {
  seen: number[]
  head: number
  until: number
}

export function memoryLimiter(): Limiter {
  const times = new Map<string, Times>()
  let sweepAt = 0
  const sweep = (now: number) => {
    if (now < sweepAt && sweepAt - now <= 60_000) return
    for (const [key, entry] of times) if (entry.until <= now) times.delete(key)
    sweepAt = now + 60_000
  }
  return {
    async take(slots, now) {
      sweep(now)
      const taking = slots.map((slot) => {
        const entry: Times = times.get(slot.key) ?? { seen: [], head: 0, until: 0 }
        return { slot, entry }
      })
      const newest = Math.max(now, ...taking.map(({ entry }) => entry.seen.at(-1) ?? 0))
      const at = newest - now > SET_BACK_MS ? now : newest
      for (const { slot, entry } of taking) {
        const since = at - slot.window.seconds * 1000
        slide(entry, since, at)
        const first =
          entry.seen.length - entry.head >= slot.window.count
            ? entry.seen.at(-slot.window.count)
            : undefined
        if (first !== undefined) return { wait: (first - since) / 1000, full: slot, undo: nothing }
      }
      for (const { slot, entry } of taking) {
        entry.seen.push(at)
        entry.until = at + slot.window.seconds * 1000
        times.set(slot.key, entry)
      }
      return {
        wait: 0,
        full: null,
        async undo() {
          for (const { entry } of taking) {
            const { seen, head } = entry
            const place = seen.lastIndexOf(at)
            if (place >= head) seen.splice(place, 1)
          }
        },
      }
    },
  }
}

function slide(entry: Times, since: number, at: number) {
  const { seen } = entry
  if ((seen.at(-1) ?? 0) > at) {
    entry.seen = seen.slice(entry.head).filter((time) => time <= at)
    entry.head = 0
    return
  }
  while (entry.head < seen.length && (seen[entry.head] ?? 0) <= since) entry.head += 1
  if (entry.head < COMPACT_FROM || entry.head < seen.length / 2) return
  entry.seen = seen.slice(entry.head)
  entry.head = 0
}
