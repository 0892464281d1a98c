import type { Problem } from '../wire/problem.ts'
import type { WaitReason } from '../disk/entry.ts'

export type Later = Readonly<{
  kind: 'later'
  why: WaitReason
  reached: boolean
  retryAfterMs: number | null
}>

export type Refused = Readonly<{
  kind: 'refused'
  status: number
  problem: Problem
}>

/** [SYNC 5] */
export type Outcome<Answer = unknown> = Readonly<
  | { kind: 'done'; answer: Answer }
  | Later
  | Refused
  | { kind: 'signed-out'; problem: Problem | null }
>

export function later(
  why: WaitReason,
  reached: boolean,
  retryAfterMs: number | null = null,
): Later {
  return { kind: 'later', why, reached, retryAfterMs }
}

export function refused(code: string, status = 0): Refused {
  return { kind: 'refused', status, problem: { detail: '', code } }
}

declare const row: unique symbol
/** Only the transaction that stores the row creates one (sync/outbox/accept.ts). */
export type QueuedId = string & { readonly [row]: true }

/** newer: a newer app uses the database · hangs: it does not answer. */
export type DatabaseProblem = 'newer' | 'hangs'

/**
 * queued: durably in the outbox · done: arrived before, or cancelled an unsent command · refused:
 * invalid · unstorable: nothing was saved.
 */
export type SendResult = Readonly<
  | { kind: 'queued'; id: QueuedId }
  | { kind: 'done' }
  | { kind: 'refused'; code: string; field: string | null }
  /** unloaded: the code that saves is not on the device yet, and there is no network. */
  | { kind: 'unstorable'; why: 'full' | 'broken' | 'unloaded' | DatabaseProblem }
>

type SendFailure = Exclude<SendResult, { kind: 'queued' | 'done' }>

export function isAccepted(sent: SendResult): sent is Exclude<SendResult, SendFailure> {
  return sent.kind === 'queued' || sent.kind === 'done'
}
