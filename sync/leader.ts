import type { Channel, Outside } from './outside.ts'

export interface LeaderHears {
  /** This one leads now, until `leave` (SYNC.md 6). */
  lead(): Promise<() => void>
}

const BEAT_MS = 3000
const STALE_MS = 10_000
const AGAIN_MS = 1000

type Word = { readonly kind: 'beat' } | { readonly kind: 'front' } | { readonly kind: 'anybody' }

/**
 * One tab works for an owner: the one that holds the lock. It says so every few seconds; a holder that is silent is frozen,
 * and the lock is taken from it. Hidden, it hands over to a tab that is in front.
 */
export class Leader {
  readonly #outside: Outside
  readonly #name: string
  readonly #hears: LeaderHears
  readonly #channel: Channel
  #visible: boolean
  #leading = false
  #letGo: (() => void) | null = null
  #asking: AbortController | null = null
  #timer: (() => void) | null = null
  #closed = false

  constructor(outside: Outside, owner: string, visible: boolean, hears: LeaderHears) {
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
    return this.#leading
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
    this.#letGo?.()
    this.#channel.close()
  }

  /** Stops leading now; asks again only after those who wait. */
  giveUp(): void {
    this.#letGo?.()
  }

  async #ask(how: 'wait' | 'steal'): Promise<void> {
    this.#asking?.abort()
    const asking = new AbortController()
    this.#asking = asking
    let wait = 0
    try {
      await this.#outside.lock(this.#name, how, (lost) => this.#hold(lost), asking.signal)
    } catch {
      // Stolen, or the disk would not let it lead.
      wait = AGAIN_MS
    }
    if (!this.#closed && this.#asking === asking) this.#outside.later(wait, () => !this.#closed && this.#asking === asking && void this.#ask('wait'))
  }

  async #hold(lost: AbortSignal): Promise<void> {
    if (this.#closed) return
    this.#leading = true
    this.#timer?.()
    const over = new Promise<void>((resolve) => {
      this.#letGo = resolve
      lost.addEventListener('abort', () => resolve())
    })
    let leave: (() => void) | null = null
    try {
      this.#beat()
      leave = await this.#hears.lead()
      if (!lost.aborted) await over
    } finally {
      this.#leading = false
      this.#letGo = null
      leave?.()
      this.#listen()
    }
  }

  #beat(): void {
    if (!this.#leading || this.#closed) return
    this.#tell('beat')
    this.#later(BEAT_MS, () => this.#beat())
  }

  /** Waits for the next beat; none means that the holder is frozen. */
  #listen(): void {
    if (this.#leading || this.#closed) return
    this.#later(STALE_MS, () => void this.#ask('steal'))
  }

  #heard(word: unknown): void {
    if (this.#closed) return
    switch (kindOf(word)) {
      case 'beat':
        this.#listen()
        break
      case 'front':
        if (this.#leading && !this.#visible) this.giveUp()
        break
      case 'anybody':
        if (this.#visible) this.#tell('front')
        break
      case null:
        break
    }
  }

  #tell(kind: Word['kind']): void {
    this.#channel.tell({ kind } satisfies Word)
  }

  #later(ms: number, what: () => void): void {
    this.#timer?.()
    this.#timer = this.#outside.later(ms, what)
  }
}

function kindOf(word: unknown): Word['kind'] | null {
  const kind: unknown = typeof word === 'object' && word !== null ? Reflect.get(word, 'kind') : null
  return kind === 'beat' || kind === 'front' || kind === 'anybody' ? kind : null
}
