import type { Preferences } from '#schema/wire/notification'
import type { Group } from '../../live/fact.ts'
import { isQuiet, quietEnds } from '../notification/preferences.ts'

export interface Pending {
  readonly eventId: string
  readonly group: Group
  readonly events: number
  readonly runAt: Date
  readonly quiet: boolean
  readonly stale: boolean
  readonly read: boolean
}

/** `events`: how many it stands for. */
type Counted = Pick<Pending, 'eventId' | 'events'>

export interface Decisions {
  readonly send: readonly Counted[]
  readonly summary: Counted | null
  readonly wait: readonly (Counted & Pick<Pending, 'runAt' | 'quiet'>)[]
  readonly drop: readonly string[]
  readonly sentAt: readonly number[]
}

const WINDOW_MS = 10 * 60_000
const WINDOW_PUSHES = 10

/** One person's, in the order of their events [API 12.2, API 13.2]. */
export function decide(
  pending: readonly Pending[],
  preferences: Preferences,
  sentBefore: readonly number[],
  now: Date,
): Decisions {
  const at = now.getTime()
  const sentAt = sentBefore.filter((time) => time > at - WINDOW_MS && time <= at)
  const silent = isQuiet(preferences.quiet_hours, now)
  const dropped = pending.filter((one) => one.stale || one.read || !preferences[one.group].push)
  const alive = pending.filter((one) => !dropped.includes(one))
  if (silent)
    return {
      ...nothing(sentAt),
      wait: alive.map((one) => ({
        ...one,
        quiet: true,
        runAt: quietEnds(preferences.quiet_hours, now),
      })),
      drop: ids(dropped),
    }

  const [kept, fresh] = [alive.filter((one) => one.quiet), alive.filter((one) => !one.quiet)]
  const summary = oneFor(kept)
  if (summary !== null) sentAt.push(at)
  const throttled = throttle(fresh, sentAt, at)
  return { ...throttled, summary, drop: [...ids(dropped), ...ids(kept), ...throttled.drop], sentAt }
}

/** Above ten in ten minutes, one represents all later ones [D114]. */
function throttle(
  fresh: readonly Pending[],
  sentAt: number[],
  at: number,
): Omit<Decisions, 'summary' | 'sentAt'> {
  const send: Counted[] = []
  let held = fresh.filter((one) => one.runAt.getTime() > at)
  for (const one of fresh.filter((candidate) => !held.includes(candidate))) {
    if (held.length > 0 || sentAt.length >= WINDOW_PUSHES) held = [...held, one]
    else {
      send.push(one)
      sentAt.push(at)
    }
  }
  const newest = oneFor(held)
  if (newest === null) return { send, wait: [], drop: ids(fresh) }
  const until =
    held.find((one) => one.runAt.getTime() > at)?.runAt ??
    new Date((sentAt.at(-1) ?? at) + WINDOW_MS)
  return {
    send,
    wait: [{ ...newest, runAt: until, quiet: false }],
    drop: ids(fresh).filter((id) => id !== newest.eventId),
  }
}

function oneFor(pending: readonly Pending[]) {
  const newest = pending.at(-1)
  return newest === undefined
    ? null
    : { eventId: newest.eventId, events: pending.reduce((sum, one) => sum + one.events, 0) }
}

const ids = (pending: readonly Pending[]): string[] => pending.map((one) => one.eventId)
const nothing = (sentAt: readonly number[]): Decisions => ({
  send: [],
  summary: null,
  wait: [],
  drop: [],
  sentAt,
})
