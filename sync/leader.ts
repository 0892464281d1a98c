import type { Channel, Outside } from './outside.ts'

export interface LeaderCallbacks {
  /** This one leads now, until `leave` [SYNC 6]; `hold.over` says that it was lost while it began. */
  lead(hold: { readonly over: boolean }): Promise<() => void>
}

/** One time of holding the lock. */
interface Hold {
  over: boolean
  readonly letGo: () => void
}

const BEAT_MS = 3000
const STALE_MS = 10_000
const AGAIN_MS = 1000

/** `hidden`: its tab is, and would hand over to one that is in front. */
type Word =
  | { readonly kind: 'beat'; readonly hidden: boolean }
  | { readonly kind: 'front' }
  | { readonly kind: 'anybody' }

/**
 * One tab works for an owner: the one that holds the lock. It says so every few seconds; a holder that is silent is frozen,
 * and the lock is taken from it. Hidden, it hands over to a tab that is in front.
 */
export class Leader {
  readonly #outside: Outside
  readonly #name: string
  readonly #hears: LeaderCallbacks
  readonly #channel: Channel
  #visible: boolean
  /** The hold that leads now: one that was lost may still be at its last steps while the next one begins. */
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

  /** Stops leading now; asks again only after those who wait. */
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
      // Stolen, or the disk would not let it lead.
      wait = AGAIN_MS
    }
    // Says that no request stands.
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
    let leave: (() => void) | null = null
    try {
      this.#beat(hold)
      leave = await this.#hears.lead(hold)
      await ended
    } finally {
      hold.letGo()
      leave?.()
      this.#listen()
    }
  }

  #beat(hold: Hold): void {
    if (this.#hold !== hold || this.#closed) return
    this.#tell('beat')
    this.#later(BEAT_MS, () => this.#beat(hold))
  }

  /** Waits for the next beat; none means that the holder is frozen. */
  #listen(): void {
    if (this.#hold || this.#closed) return
    this.#later(STALE_MS, () => void this.#ask('steal'))
  }

  #heard(word: unknown): void {
    if (this.#closed) return
    switch (kindOf(word)) {
      case 'beat':
        this.#listen()
        // What was said at the change may have met a frozen tab, or one that did not lead yet.
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

  /** Without a standing request the hidden one would take its lock back at once, and be asked again. */
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
