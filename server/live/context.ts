import type { Conversation } from '#schema/wire/conversation'
import type { Message } from '#schema/wire/message'
import type { Db } from '../db/tables.ts'
import type { Services } from '../route/index.ts'

export type LiveServices = Pick<
  Services,
  'config' | 'database' | 'clock' | 'limiter' | 'log' | 'publicUrl'
> & { readonly metrics: { gauge(name: string, help: string, read: () => number): void } }

/** The noun `conversation` implements it. */
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
  /** null: nobody; undefined: `person` is no participant. */
  peer(db: Db, person: string, conversation: string): Promise<string | null | undefined>
}

export function signal<T>() {
  const listeners = new Set<(value: T) => void>()
  return {
    emit(value: T) {
      for (const listener of listeners) listener(value)
    },
    on(listener: (value: T) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** By a commit of this process. Their sockets close with `code`. */
export interface EndedSessions {
  readonly sessions: readonly string[]
  readonly code: 4401 | 4403
}
export const sessionsEnded = signal<EndedSessions>()
