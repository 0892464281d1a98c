import type { Problem } from '../wire/problem.ts'
import type { WaitReason } from '../disk/entry.ts'

/** What becomes of a delivery or a request, and nothing else (SYNC.md 5). */
export type Outcome<Answer = unknown> =
  | { readonly kind: 'done'; readonly answer: Answer }
  | { readonly kind: 'later'; readonly why: WaitReason; readonly retryAfterMs: number | null; readonly reached: boolean }
  | { readonly kind: 'refused'; readonly status: number; readonly problem: Problem }
  | { readonly kind: 'signed-out'; readonly problem: Problem | null }

/** The port's answer to a command: durably queued, wrong from the start, or not storable. */
export type Sent =
  | { readonly kind: 'queued'; readonly id: string }
  | { readonly kind: 'refused'; readonly code: string; readonly field: string | null }
  | { readonly kind: 'unstorable'; readonly why: 'full' | 'denied' | 'broken' }
