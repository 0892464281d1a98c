import type { Language } from '../wire/shapes.ts'
import type { Command } from './command.ts'
import type { Outcome, SendResult } from './outcome.ts'
import type { Frame, Question } from './question.ts'
import type { Request, RequestAnswers, RequestName } from './request.ts'

/** Who is in front of the phone. The token comes from local or session storage [S4.03], which a worker cannot read. */
export interface SessionInput {
  readonly token: string | null
  readonly language: Language
  /** [S3.20] session id of the visitor. */
  readonly sessionId: string
}

/** What the engine tells the page without being asked. */
export type EngineEvent =
  | { readonly kind: 'frame'; readonly key: string; readonly frame: Frame }
  /** The session of this token ended [S4.06]: forget it and say so, unless somebody has signed in since. */
  | { readonly kind: 'session-ended'; readonly token: string }
  /** Something waits that this tab cannot send now: the browser may deliver it with every tab closed. */
  | { readonly kind: 'background' }
  /** A newer version of the app was here before this one started: reload. */
  | { readonly kind: 'outdated' }
  /** The database, which had not answered, does: another worker finds everything. */
  | { readonly kind: 'restart' }
  /** How many entries of this owner wait in the database called `born`, and how many of them are messages. */
  | {
      readonly kind: 'waits'
      readonly owner: string
      readonly born: string
      readonly count: number
      readonly messages: number
    }
  /** Something came in that deserves a word on screen [S3.14], already merged and deduplicated. */
  | { readonly kind: 'notified'; readonly id: string }
  | { readonly kind: 'problem'; readonly code: string; readonly detail: string | null }

/**
 * The only door between page and engine: watch a question, send a command, ask a request, enter or leave.
 * `key` is the page's name for a watched question; frames come as notes under it.
 */
export interface EnginePort {
  connect(tell: (note: EngineEvent) => void): Promise<void>
  watch(key: string, question: Question): Promise<void>
  unwatch(key: string): Promise<void>
  send(command: Command): Promise<SendResult>
  ask<N extends RequestName>(request: Request<N>): Promise<Outcome<RequestAnswers[N]>>
  setSession(entrance: SessionInput): Promise<void>
  /** Answers at once; the page's watchdog replaces a worker that does not. */
  ping(): Promise<void>
}
