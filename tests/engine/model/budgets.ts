import type { Traffic } from './air.ts'

/**
 * What one phone in front may cost the network and its owner in an hour in which nobody does anything and something fails
 * all the time. An idle hour is 50 KB [SYNC 8]; what fails is asked again at most every 5 minutes on average 2.5.
 */
export const CALLS_AN_HOUR = 150
/** Of each lane that waits: full jitter over at most 5 minutes is 24 tries an hour, and some more at its beginning. */
export const CALLS_A_LANE = 40
/** Of each tab in front: without network it asks for it every 15 s at most [S9.13]. */
export const PROBES_AN_HOUR = 320
export const DIALS_AN_HOUR = 320
export const IDLE_BYTES = 50_000
/** Headers, and a small answer. */
export const BYTES_A_CALL = 1500
/** So often what waits may be sent in vain within an hour, before it arrives. */
export const SENDS_IN_VAIN = 5

/** After proof of a working network each lane tries within 2 s, and the spread of all phones [SYNC 8]. */
export const STILL_MS = 3000
/** When the network is back, the phone needs no more. */
export const LIVING_MS = 10 * 60_000
/** Of a message to a phone in front: by its socket, or by asking at most every 5 minutes [S9.14]. */
export const HEARD_MS = 10_000
export const POLLED_MS = 320_000

export interface Waiting {
  readonly lanes: number
  /** What waits, once sent. */
  readonly bytes: number
  readonly online: boolean
  /** Tabs in front. */
  readonly looks: number
}

/** What was over the budget; empty: nothing. */
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
