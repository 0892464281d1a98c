import * as v from 'valibot'
import { uuid } from '../wire/shapes.ts'
import { problem } from '../wire/problem.ts'

/**
 * sending: bytes may have left · acknowledged: done on the server, documents not updated yet ·
 * refused: until the user decides · signed-out: until its owner signs in again.
 */
const entryState = v.picklist(['waiting', 'sending', 'acknowledged', 'refused', 'signed-out'])
type EntryState = v.InferOutput<typeof entryState>

/** null: not tried yet. */
const waitReason = v.picklist([
  'offline',
  'captive',
  'weak',
  'server',
  'limit',
  'behind',
  'wifi',
  'storage',
])
export type WaitReason = v.InferOutput<typeof waitReason>

const payload = v.record(v.string(), v.unknown())

/** Its id is the idempotency key: created once, at the tap, and never changed. */
export const entry = v.object({
  id: uuid,
  sequence: v.number(),
  /** Empty for visitors. */
  owner: v.string(),
  lane: v.string(),
  /** Views and measurements are sent last and may be dropped when old. */
  low: v.boolean(),
  name: v.string(),
  payload,
  state: entryState,
  /** An unknown reason of another version is read as null. */
  why: v.fallback(v.nullable(waitReason), null),
  problem: v.nullable(problem),
  /** Stored until the documents contain it and no dependent entry uses it. */
  answer: v.unknown(),
  after: v.nullable(v.string()),
  bornAt: v.number(),
  /** ms; 0: never tried. */
  triedAt: v.number(),
  /** A try ended without an answer: the server may have executed it. */
  uncertain: v.boolean(),
  /**
   * Earlier payloads with an unknown outcome, newest first: the server may have one of them under
   * the same key.
   */
  tried: v.optional(v.array(v.object({ payload: payload, at: v.number() })), []),
  /** Tries that reached the server. */
  tries: v.number(),
  notBefore: v.number(),
  /** The server's Retry-After as a time in ms. */
  retryAt: v.optional(v.number()),
  /** Cost of failed tries since the user was last asked. */
  spent: v.optional(
    v.object({
      /** Bytes of the day that began at `since` (ms). */
      bytes: v.number(),
      since: v.number(),
      /** `ms`: duration of trying. `at`: the last failed try, in ms. */
      ms: v.number(),
      at: v.number(),
      hours: v.number(),
    }),
  ),
  /** Number of the leader that set `sending`: updates of an older leader are rejected. */
  fence: v.number(),
  /** Estimate. */
  bytes: v.number(),
  wifiOnly: v.boolean(),
})
export type Entry = v.InferOutput<typeof entry>

export function countsOf(entries: readonly Entry[]) {
  const count = (wanted: EntryState) => entries.filter(({ state }) => state === wanted).length
  return {
    waiting: count('waiting'),
    sending: count('sending'),
    refused: count('refused'),
    signedOut: count('signed-out'),
  }
}
export type EntryCounts = Readonly<ReturnType<typeof countsOf>>

export function isUnsent({ state }: Pick<Entry, 'state'>) {
  return state === 'waiting' || state === 'sending'
}

/** Removed by its user; its documents are not reverted yet. */
export function isRemoved({ state, problem }: Pick<Entry, 'state' | 'problem'>) {
  return state === 'acknowledged' && problem !== null
}
