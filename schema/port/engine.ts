import type { Language } from '../wire/shapes.ts'
import type { Command } from './command.ts'
import type { Outcome, SendResult } from './outcome.ts'
import type { Frame, Question } from './question.ts'
import type { Request, RequestAnswers, RequestName } from './request.ts'

/** From the page [S4.03]: a worker cannot read local or session storage. */
export type SessionInput = Readonly<{
  token: string | null
  language: Language
  /** The visitor's [S3.20]. */
  sessionId: string
  /** Does not end with the browser. */
  lasting?: boolean
}>

export type EngineEvent = Readonly<
  | { kind: 'frame'; key: string; frame: Frame }
  /** Delete the token and inform the user [S4.06], unless somebody has signed in since. */
  | { kind: 'session-ended'; token: string }
  /** Entries wait that this tab cannot send now: register a background sync. */
  | { kind: 'background' }
  /** A newer version of the app ran on this device: reload. */
  | { kind: 'outdated' }
  /** The database answers again: restart the worker. */
  | { kind: 'restart' }
  /** Waiting entries of this owner in the database `born`; `messages` of them. */
  | {
      kind: 'waits'
      owner: string
      born: string
      count: number
      messages: number
    }
  /** Show it on screen [S3.14]: new, merged and deduplicated. */
  | { kind: 'notified'; id: string }
  /** Paths of scripts that the worker has just loaded. */
  | { kind: 'loaded'; files: readonly string[] }
  | { kind: 'problem'; code: string; detail: string | null }
>

export interface EnginePort {
  connect(emit: (event: EngineEvent) => void): Promise<void>
  watch(key: string, question: Question): Promise<void>
  unwatch(key: string): Promise<void>
  send(command: Command): Promise<SendResult>
  ask<N extends RequestName>(request: Request<N>): Promise<Outcome<RequestAnswers[N]>>
  setSession(input: SessionInput): Promise<void>
  /** Answers at once, or the page replaces the worker. */
  ping(): Promise<void>
}
