import type { Language } from '../wire/shapes.ts'
import type { Command } from './command.ts'
import type { Outcome, SendResult } from './outcome.ts'
import type { Frame, Question } from './question.ts'
import type { Request, RequestAnswers, RequestName } from './request.ts'

/** From the page [S4.03], because a worker cannot read local or session storage. */
export interface SessionInput {
  readonly token: string | null
  readonly language: Language
  /** Session id of the visitor [S3.20]. */
  readonly sessionId: string
}

export type EngineEvent =
  | { readonly kind: 'frame'; readonly key: string; readonly frame: Frame }
  /**
   * The session of this token ended [S4.06]. Delete it and inform the user, unless somebody has
   * signed in since.
   */
  | { readonly kind: 'session-ended'; readonly token: string }
  /** Entries wait that this tab cannot send now: register a background sync. */
  | { readonly kind: 'background' }
  /** A newer version of the app ran on this device before: reload. */
  | { readonly kind: 'outdated' }
  /** The database answers again: restart the worker to use it. */
  | { readonly kind: 'restart' }
  /** Waiting entries of this owner in the database `born`, and the messages among them. */
  | {
      readonly kind: 'waits'
      readonly owner: string
      readonly born: string
      readonly count: number
      readonly messages: number
    }
  /** A new notification to show on screen [S3.14], merged and deduplicated. */
  | { readonly kind: 'notified'; readonly id: string }
  | { readonly kind: 'problem'; readonly code: string; readonly detail: string | null }

/** The only interface between page and engine. The frames of a question arrive with its `key`. */
export interface EnginePort {
  connect(emit: (event: EngineEvent) => void): Promise<void>
  watch(key: string, question: Question): Promise<void>
  unwatch(key: string): Promise<void>
  send(command: Command): Promise<SendResult>
  ask<N extends RequestName>(request: Request<N>): Promise<Outcome<RequestAnswers[N]>>
  setSession(input: SessionInput): Promise<void>
  /** Answers at once. The page's watchdog replaces a worker that does not. */
  ping(): Promise<void>
}
