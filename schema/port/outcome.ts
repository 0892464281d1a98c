import type { Problem } from '../wire/problem.ts'
import type { WaitReason } from '../disk/entry.ts'

export interface Later {
  readonly kind: 'later'
  readonly why: WaitReason
  /** The server got the request. */
  readonly reached: boolean
  readonly retryAfterMs: number | null
}

export interface Refused {
  readonly kind: 'refused'
  readonly status: number
  readonly problem: Problem
}

/** [SYNC 5] */
export type Outcome<Answer = unknown> =
  | { readonly kind: 'done'; readonly answer: Answer }
  | Later
  | Refused
  | { readonly kind: 'signed-out'; readonly problem: Problem | null }

export function later(
  why: WaitReason,
  reached: boolean,
  retryAfterMs: number | null = null,
): Later {
  return { kind: 'later', why, reached, retryAfterMs }
}

/** A refusal without an answer of the server. */
export function refused(code: string, status = 0): Refused {
  return { kind: 'refused', status, problem: { detail: '', code } }
}

declare const row: unique symbol
/** Only the transaction that stores the row creates one (sync/outbox/accept.ts). */
export type QueuedId = string & { readonly [row]: true }

/** newer: a newer version of the app uses the database · hangs: it does not answer. */
export type DatabaseProblem = 'newer' | 'hangs'

/**
 * queued: durably in the outbox · done: arrived before, or cancelled an unsent command · refused:
 * invalid · unstorable: nothing was saved.
 */
export type SendResult =
  | { readonly kind: 'queued'; readonly id: QueuedId }
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly code: string; readonly field: string | null }
  /** unloaded: the code that saves is not on the device yet, and there is no network. */
  | { readonly kind: 'unstorable'; readonly why: 'full' | 'broken' | 'unloaded' | DatabaseProblem }

export type SendFailure = Exclude<SendResult, { readonly kind: 'queued' | 'done' }>

export function isAccepted(sent: SendResult): sent is Exclude<SendResult, SendFailure> {
  return sent.kind === 'queued' || sent.kind === 'done'
}
