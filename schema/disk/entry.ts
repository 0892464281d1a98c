import * as v from 'valibot'
import { problem } from '../wire/problem.ts'

/**
 * waiting: to be sent · sending: the first byte may have left · acknowledged: the server has it, the phone's documents follow ·
 * refused: parked where the person sees it · signed-out: waits for the same person to sign in.
 */
export const entryState = v.picklist([
  'waiting',
  'sending',
  'acknowledged',
  'refused',
  'signed-out',
])
export type EntryState = v.InferOutput<typeof entryState>

/** Why an entry still waits; `null`: its turn simply has not come. */
export const waitReason = v.picklist([
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

/** A row of the outbox. Its id is the idempotency key, made at the tap and never made again. */
export const entry = v.object({
  id: v.pipe(v.string(), v.uuid()),
  /** Order of writing on this phone. */
  place: v.number(),
  /** The account that wrote it; empty for visitors. */
  owner: v.string(),
  lane: v.string(),
  /** Low lanes (views, measurements) go last and may be dropped when they are old. */
  low: v.boolean(),
  /** The command's name. */
  name: v.string(),
  payload: v.record(v.string(), v.unknown()),
  state: entryState,
  /** A reason of another version is none. */
  why: v.fallback(v.nullable(waitReason), null),
  problem: v.nullable(problem),
  /** The server's answer, kept until the documents hold it and nothing behind needs it. */
  answer: v.unknown(),
  /** An entry that must be acknowledged first. */
  after: v.nullable(v.string()),
  bornAt: v.number(),
  /** Of the first try, ms; 0: never tried. */
  triedAt: v.number(),
  /** A try ended without a word of the server: it may have been done. */
  doubt: v.boolean(),
  /** What it said before it was changed in doubt, the newest first: one of these may be on the server, under the same key. */
  tried: v.optional(
    v.array(v.object({ payload: v.record(v.string(), v.unknown()), at: v.number() })),
    [],
  ),
  /** Tries that reached the server. */
  tries: v.number(),
  notBefore: v.number(),
  /** Until then the server asked not to be called (Retry-After), ms; absent or 0: it did not. */
  retryAt: v.optional(v.number()),
  /** What tries in vain cost since the person was last asked; absent: nothing yet. */
  spent: v.optional(
    v.object({
      /** Of the day that began at `since`, ms. */
      bytes: v.number(),
      since: v.number(),
      /** Time of trying, ms; `at`: of the last failed try. */
      ms: v.number(),
      at: v.number(),
      /** After so many hours of trying the person is asked. */
      hours: v.number(),
    }),
  ),
  /** Of the leader that marked it `sending`: a late writer's mark is refused. */
  fence: v.number(),
  /** What sending it will cost, in bytes. */
  bytes: v.number(),
  wifiOnly: v.boolean(),
})
export type Entry = v.InferOutput<typeof entry>
