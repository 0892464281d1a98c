import type { Logger } from 'pino'
import type { Conversation } from '#schema/wire/conversation'
import type { Message } from '#schema/wire/message'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/open.ts'
import type { Db } from '../db/tables.ts'
import type { Limiter } from '../route/limits.ts'
import { signal } from './signal.ts'

export interface LiveServices {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  readonly limiter: Limiter
  readonly log: Logger
  readonly metrics: { gauge(name: string, help: string, read: () => number): void }
  readonly publicUrl: string
}

/** What the sockets read of conversations; the noun `conversation` implements it. */
export interface ConversationReads {
  conversations(
    db: Db,
    seen: readonly { reader: string; conversation: string }[],
    now: Date,
  ): Promise<(reader: string, conversation: string) => Conversation | undefined>
  messages(
    db: Db,
    places: readonly { reader: string; conversation: string; seq: number }[],
  ): Promise<(reader: string, conversation: string, seq: number) => Message | undefined>
  /**
   * Who sees that `person` types: null for nobody, undefined when `person` is not a participant.
   */
  peer(db: Db, person: string, conversation: string): Promise<string | null | undefined>
}

/** Sessions that a commit of this process ended. Their sockets close with `code`. */
export interface EndedSessions {
  readonly sessions: readonly string[]
  readonly code: 4401 | 4403
}
export const sessionsEnded = signal<EndedSessions>()
