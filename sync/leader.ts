import { members } from '#schema/tolerant'
import type { Channel, Outside } from './outside.ts'
import { Timer } from './within.ts'

/**
 * This tab leads until the returned function is called [SYNC 6]; the lock is kept until that
 * function resolves. `hold.over`: the lock was lost during this call.
 */
export type Lead = (hold: { readonly over: boolean }) => Promise<() => Promise<void>>

interface Hold {
  over: boolean
  readonly release: () => void
}

const BEAT_MS = 3000
/** A leader without a beat for so long is frozen. */
const STALE_MS = 10_000
const LOCK_RETRY_MS = 1000

/**
 * `beat`: the leader runs, and hands over to a visible tab if it is `hidden`. `front`: a visible tab
 * asks to lead. `anybody`: a tab that was hidden asks for such a tab.
 */
type LeaderMessage =
  | { readonly kind: 'beat'; readonly hidden: boolean }
  | { readonly kind: 'front' | 'anybody' }

/**
 * Leader election by a Web Lock per owner. The holder sends beats; a silent holder is frozen, and
 * its lock is stolen. A hidden holder hands over to a visible tab.
 */
export class Leader {
  readonly #outside: Outside
  readonly #name: string
  readonly #whileLeading: Lead
  readonly #channel: Channel
  #visible: boolean
  /** The current hold. A lost one may still be cleaning up while the next one begins. */
  #hold: Hold | null = null
  #lockRequest: AbortController | null = null
  /** Of the next beat, or until a silent leader is frozen. */
  readonly #timer: Timer
  #closed = false

  constructor(outside: Outside, owner: string, visible: boolean, lead: Lead) {
    this.#outside = outside
    this.#name = `lead:${owner}`
    this.#whileLeading = lead
    this.#timer = new Timer(outside)
    this.#visible = visible
    this.#channel = outside.channel(this.#name, (message) => this.#onMessage(message))
    this.#post(visible ? 'front' : 'beat')
    void this.#requestLock('wait')
    this.#stealIfSilent()
  }

  get leading(): boolean {
    return this.#hold !== null
  }

  visible(visible: boolean): void {
    if (visible === this.#visible || this.#closed) return
    this.#visible = visible
    this.#post(visible ? 'front' : 'anybody')
  }

  close(): void {
    this.#closed = true
    this.#timer.stop()
    this.#lockRequest?.abort()
    this.#hold?.release()
    this.#channel.close()
  }

  /** Stops leading; other waiting tabs get the lock first. */
  giveUp(): void {
    this.#hold?.release()
  }

  async #requestLock(how: 'wait' | 'steal'): Promise<void> {
    this.#lockRequest?.abort()
    const request = new AbortController()
    this.#lockRequest = request
    let wait = 0
    try {
      await this.#outside.lock(this.#name, how, (lost) => this.#lead(lost), request.signal)
    } catch {
      // The lock was stolen, or the disk failed at the start.
      wait = LOCK_RETRY_MS
    }
    // Shows that no lock request is pending.
    request.abort()
    if (!this.#closed && this.#lockRequest === request)
      this.#outside.setTimer(
        wait,
        () => !this.#closed && this.#lockRequest === request && void this.#requestLock('wait'),
      )
  }

  async #lead(lost: AbortSignal): Promise<void> {
    if (this.#closed) return
    let end: () => void = () => undefined
    const ended = new Promise<void>((resolve) => (end = resolve))
    const hold: Hold = {
      over: false,
      release: () => {
        hold.over = true
        end()
        if (this.#hold === hold) this.#hold = null
      },
    }
    this.#hold = hold
    lost.addEventListener('abort', hold.release)
    this.#timer.stop()
    let leave: (() => Promise<void>) | null = null
    try {
      this.#beat(hold)
      leave = await this.#whileLeading(hold)
      await ended
    } finally {
      hold.release()
      this.#stealIfSilent()
      await leave?.()
    }
  }

  #beat(hold: Hold): void {
    if (this.#hold !== hold || this.#closed) return
    this.#post('beat')
    this.#timer.start(BEAT_MS, () => this.#beat(hold))
  }

  /** Steals the lock when no beat arrives in time: its holder is frozen. */
  #stealIfSilent(): void {
    if (this.#hold || this.#closed) return
    this.#timer.start(STALE_MS, () => void this.#requestLock('steal'))
  }

  #onMessage(message: unknown): void {
    if (this.#closed) return
    const { kind, hidden } = members(message)
    if (kind === 'front' && !this.#visible) this.giveUp()
    if (kind === 'beat') this.#stealIfSilent()
    // The earlier message may have reached a frozen tab, or one that did not lead yet.
    if (kind === 'anybody' || (kind === 'beat' && hidden === true)) this.#askToLead()
  }

  /**
   * Only with a pending lock request: else the hidden tab would get its lock back at once, in a
   * loop.
   */
  #askToLead(): void {
    if (this.#visible && this.#lockRequest?.signal.aborted === false) this.#post('front')
  }

  #post(kind: LeaderMessage['kind']): void {
    this.#channel.post(
      (kind === 'beat' ? { kind, hidden: !this.#visible } : { kind }) satisfies LeaderMessage,
    )
  }
}
