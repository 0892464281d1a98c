import type { Traffic } from './network.ts'

/**
 * Limits for one visible device in an idle hour with a permanent fault. A healthy idle hour is
 * 50 KB [SYNC 8]; a failing call is retried every 2.5 minutes on average, at most every 5.
 */
export const CALLS_AN_HOUR = 150
/** Per waiting lane: full jitter over at most 5 minutes is 24 tries an hour, and more at first. */
export const CALLS_A_LANE = 40
/** Per visible tab: offline it probes at most every 15 s [S9.13]. */
export const PROBES_AN_HOUR = 320
export const DIALS_AN_HOUR = 320
export const IDLE_BYTES = 50_000
/** Headers and a small answer. */
export const BYTES_A_CALL = 1500
/** How often one payload may be sent in vain within an hour. */
export const SENDS_IN_VAIN = 5

/** After proof of a working network each lane retries within 2 s, plus a random spread [SYNC 8]. */
export const STILL_MS = 3000
/** Within this time after the network is back, everything is settled. */
export const LIVING_MS = 10 * 60_000
/** Until a message shows on a visible device: by socket, or by a poll every 5 minutes [S9.14]. */
export const HEARD_MS = 10_000
export const POLLED_MS = 320_000

export interface Waiting {
  readonly lanes: number
  /** Bytes of the waiting payloads, with the photos that the server forgot, each sent once. */
  readonly bytes: number
  readonly online: boolean
  readonly looks: number
}

/** Describes what exceeds the budget; empty: nothing does. */
export function overBudget({ calls, dials, bytes, byCall }: Traffic, waiting: Waiting): string {
  const most =
    (waiting.online ? CALLS_AN_HOUR : PROBES_AN_HOUR * waiting.looks) + waiting.lanes * CALLS_A_LANE
  const mostBytes = IDLE_BYTES + most * BYTES_A_CALL + waiting.bytes * (SENDS_IN_VAIN + 1)
  const busiest = [...byCall]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 3)
    .map(([name, times]) => `${times} ${name}`)
    .join(', ')
  if (calls > most) return `${calls} calls in an hour, ${most} at most: ${busiest}`
  if (dials > DIALS_AN_HOUR) return `${dials} dials in an hour, ${DIALS_AN_HOUR} at most`
  if (bytes > mostBytes) return `${bytes} bytes in an hour, ${mostBytes} at most: ${busiest}`
  return ''
}
