import type { Entry } from '#schema/disk/entry'
import { BehaviorSubject } from 'rxjs'
import { members } from '#schema/tolerant'
import type { Channel, Outside } from '../outside.ts'
import { Timer } from '../within.ts'
import type { Outbox } from './outbox.ts'
import type { Unread } from './state.ts'
import { Unstorable } from './table.ts'

export interface LateParts {
  readonly outside: Outside
  /** Whether the device has a database of user data. */
  exists(): Promise<boolean>
  /** Loads the code, and makes the outbox over the shown values. */
  make(): Promise<Outbox>
  /** Called once, before the first write. */
  made(outbox: Outbox): Promise<void>
  ended(token: string): void
}

type OutboxMessage =
  | { readonly kind: 'changed' }
  | { readonly kind: 'ended'; readonly token: string }

const LOOK_MS = 60_000

/**
 * The outbox of this tab, empty until its code is loaded: by the first write, by a session, or where
 * the device has a database. So a visitor who writes nothing loads neither code nor database.
 */
export class LateOutbox {
  /** The current user's, in the order of writing. */
  readonly entries = new BehaviorSubject<readonly Entry[]>([])
  /** By key. */
  readonly texts = new BehaviorSubject<ReadonlyMap<string, string>>(new Map())
  readonly unread = new BehaviorSubject<readonly Unread[]>([])
  readonly #parts: LateParts
  readonly #channel: Channel
  readonly #lookTimer: Timer
  #now: Outbox | null = null
  #loading: Promise<Outbox> | null = null
  #closed = false

  constructor(parts: LateParts) {
    this.#parts = parts
    this.#lookTimer = new Timer(parts.outside)
    this.#channel = parts.outside.channel('outbox', (message) => this.#onMessage(message))
  }

  /** null: not loaded, so nothing is in it. */
  get now(): Outbox | null {
    return this.#now
  }

  /** In the order of the calls. Rejects while offline, if not cached; the next call tries again. */
  load(): Promise<Outbox> {
    return (this.#loading ??= this.#load())
  }

  /** Loads it where the device has a database; null: there is none, or it cannot be loaded now. */
  async find(): Promise<Outbox | null> {
    if (this.#now || this.#closed) return this.#now
    // A tab that dies right after it created the database tells nobody of it.
    if (!this.#lookTimer.isRunning) this.#lookTimer.start(LOOK_MS, () => void this.find())
    try {
      return (await this.#parts.exists()) ? await this.load() : null
    } catch (error) {
      console.warn('outbox', error)
      return null
    }
  }

  /** The server rejected this token: every tab ends its session. */
  ended(token: string): void {
    this.#post({ kind: 'ended', token })
    this.#parts.ended(token)
  }

  /** Tells the other tabs. */
  changed(): void {
    this.#post({ kind: 'changed' })
  }

  close(): void {
    this.#closed = true
    this.#lookTimer.stop()
    this.#channel.close()
    this.#now?.close()
  }

  async #load(): Promise<Outbox> {
    try {
      const outbox = await this.#parts.make()
      if (this.#closed) {
        outbox.close()
        throw new Error('closed')
      }
      this.#now = outbox
      this.#lookTimer.stop()
      await this.#parts.made(outbox)
      return outbox
    } catch (cause) {
      this.#loading = null
      throw new Unstorable('unloaded', { cause })
    }
  }

  #post(message: OutboxMessage): void {
    if (!this.#closed) this.#channel.post(message)
  }

  #onMessage(message: unknown): void {
    if (this.#closed) return
    const { kind, token } = members(message)
    if (kind === 'ended' && typeof token === 'string') this.#parts.ended(token)
    if (kind === 'changed') void (this.#now ? this.#now.refresh() : this.find())
  }
}
