import type { Problem } from '../wire/problem.ts'
import type { WaitReason } from '../disk/entry.ts'

/** What becomes of a delivery or a request, and nothing else [SYNC 5]. */
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
/** The id of a row that is in the outbox: only the transaction that wrote it makes one (sync/outbox/accept.ts). */
export type QueuedId = string & { readonly [row]: true }

/** Why nothing can be kept now. newer: a newer version of the app has the database · hangs: the database does not answer. */
export type DatabaseProblem = 'newer' | 'hangs'

/**
 * The port's answer to a command. queued: a row of the outbox stands for it, durably · done: nothing has to be sent, because it
 * arrived before or took back what had not left · refused: wrong from the start · unstorable: nothing was kept.
 */
export type SendResult =
  | { readonly kind: 'queued'; readonly id: QueuedId }
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly code: string; readonly field: string | null }
  | { readonly kind: 'unstorable'; readonly why: 'full' | 'broken' | DatabaseProblem }

export type SendFailure = Exclude<SendResult, { readonly kind: 'queued' | 'done' }>

/** Whoever sent it has nothing more to do. */
export function isAccepted(sent: SendResult): sent is Exclude<SendResult, SendFailure> {
  return sent.kind === 'queued' || sent.kind === 'done'
}
