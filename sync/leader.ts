import type { Channel, Outside } from './outside.ts'

export interface LeaderCallbacks {
  /**
   * This tab leads until the returned function is called [SYNC 6]; the lock is kept until that
   * function resolves. `hold.over`: the lock was lost during this call.
   */
  lead(hold: { readonly over: boolean }): Promise<() => Promise<void>>
}

interface Hold {
  over: boolean
  readonly letGo: () => void
}

const BEAT_MS = 3000
const STALE_MS = 10_000
const AGAIN_MS = 1000

/** `hidden`: the leader's tab is hidden and would hand over to a visible one. */
type Word =
  | { readonly kind: 'beat'; readonly hidden: boolean }
  | { readonly kind: 'front' }
  | { readonly kind: 'anybody' }

/**
 * Leader election by a Web Lock per owner. The holder sends beats; a silent holder is frozen, and
 * its lock is stolen. A hidden holder hands over to a visible tab.
 */
export class Leader {
  readonly #outside: Outside
  readonly #name: string
  readonly #hears: LeaderCallbacks
  readonly #channel: Channel
  #visible: boolean
  /** The current hold. A lost one may still be cleaning up while the next one begins. */
  #hold: Hold | null = null
  #asking: AbortController | null = null
  #timer: (() => void) | null = null
  #closed = false

  constructor(outside: Outside, owner: string, visible: boolean, hears: LeaderCallbacks) {
    this.#outside = outside
    this.#name = `lead:${owner}`
    this.#hears = hears
    this.#visible = visible
    this.#channel = outside.channel(this.#name, (word) => this.#heard(word))
    this.#tell(visible ? 'front' : 'beat')
    void this.#ask('wait')
    this.#listen()
  }

  get leading(): boolean {
    return this.#hold !== null
  }

  visible(visible: boolean): void {
    if (visible === this.#visible || this.#closed) return
    this.#visible = visible
    this.#tell(visible ? 'front' : 'anybody')
  }

  close(): void {
    this.#closed = true
    this.#timer?.()
    this.#asking?.abort()
    this.#hold?.letGo()
    this.#channel.close()
  }

  /** Stops leading; other waiting tabs get the lock first. */
  giveUp(): void {
    this.#hold?.letGo()
  }

  async #ask(how: 'wait' | 'steal'): Promise<void> {
    this.#asking?.abort()
    const asking = new AbortController()
    this.#asking = asking
    let wait = 0
    try {
      await this.#outside.lock(this.#name, how, (lost) => this.#lead(lost), asking.signal)
    } catch {
      // The lock was stolen, or the disk failed at the start.
      wait = AGAIN_MS
    }
    // Shows that no lock request is pending.
    asking.abort()
    if (!this.#closed && this.#asking === asking)
      this.#outside.setTimer(
        wait,
        () => !this.#closed && this.#asking === asking && void this.#ask('wait'),
      )
  }

  async #lead(lost: AbortSignal): Promise<void> {
    if (this.#closed) return
    let end: () => void = () => undefined
    const ended = new Promise<void>((resolve) => (end = resolve))
    const hold: Hold = {
      over: false,
      letGo: () => {
        hold.over = true
        end()
        if (this.#hold === hold) this.#hold = null
      },
    }
    this.#hold = hold
    lost.addEventListener('abort', hold.letGo)
    this.#timer?.()
    let leave: (() => Promise<void>) | null = null
    try {
      this.#beat(hold)
      leave = await this.#hears.lead(hold)
      await ended
    } finally {
      hold.letGo()
      this.#listen()
      await leave?.()
    }
  }

  #beat(hold: Hold): void {
    if (this.#hold !== hold || this.#closed) return
    this.#tell('beat')
    this.#later(BEAT_MS, () => this.#beat(hold))
  }

  /** Steals the lock when no beat arrives in time: its holder is frozen. */
  #listen(): void {
    if (this.#hold || this.#closed) return
    this.#later(STALE_MS, () => void this.#ask('steal'))
  }

  #heard(word: unknown): void {
    if (this.#closed) return
    switch (kindOf(word)) {
      case 'beat':
        this.#listen()
        // The earlier message may have reached a frozen tab, or one that did not lead yet.
        if (Reflect.get(Object(word), 'hidden') === true) this.#claim()
        break
      case 'front':
        if (!this.#visible) this.giveUp()
        break
      case 'anybody':
        this.#claim()
        break
      case null:
        break
    }
  }

  /**
   * Only with a pending lock request: else the hidden tab would get its lock back at once, in a
   * loop.
   */
  #claim(): void {
    if (this.#visible && this.#asking?.signal.aborted === false) this.#tell('front')
  }

  #tell(kind: Word['kind']): void {
    this.#channel.post(
      (kind === 'beat' ? { kind, hidden: !this.#visible } : { kind }) satisfies Word,
    )
  }

  #later(ms: number, what: () => void): void {
    this.#timer?.()
    this.#timer = this.#outside.setTimer(ms, what)
  }
}

function kindOf(word: unknown): Word['kind'] | null {
  const kind: unknown = typeof word === 'object' && word !== null ? Reflect.get(word, 'kind') : null
  return kind === 'beat' || kind === 'front' || kind === 'anybody' ? kind : null
}
