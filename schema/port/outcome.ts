import type { Problem } from '../wire/problem.ts'
import type { WaitReason } from '../disk/entry.ts'

/** All possible outcomes of a delivery or a request [SYNC 5]. */
export type Outcome<Answer = unknown> =
  | { readonly kind: 'done'; readonly answer: Answer }
  | {
      readonly kind: 'later'
      readonly why: WaitReason
      readonly retryAfterMs: number | null
      readonly reached: boolean
    }
  | { readonly kind: 'refused'; readonly status: number; readonly problem: Problem }
  | { readonly kind: 'signed-out'; readonly problem: Problem | null }

declare const row: unique symbol
/**
 * Id of a stored outbox row. Only the transaction that wrote the row creates one
 * (sync/outbox/accept.ts).
 */
export type QueuedId = string & { readonly [row]: true }

/** newer: a newer version of the app uses the database · hangs: the database does not answer. */
export type DatabaseProblem = 'newer' | 'hangs'

/**
 * queued: durably in the outbox · done: nothing to send, since it arrived before or cancelled an
 * unsent command · refused: invalid · unstorable: nothing was saved.
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
