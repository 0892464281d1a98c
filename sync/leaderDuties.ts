import type { Polled, Stream } from './inbox/stream.ts'
import { Leader } from './leader.ts'
import type { NetworkClient } from './network/networkClient.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { Outside } from './outside.ts'

interface Parts {
  readonly outside: Outside
  readonly outbox: Outbox
  readonly line: NetworkClient
  stream(): Stream | null
}

export interface TabVisibility {
  readonly visible: boolean
  /** Hidden for longer than a short switch to another app. */
  readonly away: boolean
  /** The messages screen is in front: only conversations are polled [S4.11]. */
  readonly messages: boolean
  /** Data saver of the browser or the app. */
  readonly saveData: boolean
}

/**
 * Decides which tab delivers the entries of its user and of visitors, and has the event stream
 * [SYNC 6].
 */
export class LeaderDuties {
  readonly #parts: Parts
  readonly #leaders = new Map<string, Leader>()
  #owner = ''
  #visibility: TabVisibility = { visible: true, away: false, messages: false, saveData: false }

  constructor(parts: Parts) {
    this.#parts = parts
  }

  get leading(): boolean {
    return this.#leaders.get(this.#owner)?.leading === true
  }

  /** Competes to lead for this user, and for visitors. */
  enter(owner: string): void {
    this.#owner = owner
    for (const one of new Set([owner, ''])) {
      const { outside, outbox } = this.#parts
      const leader = new Leader(outside, one, this.#visibility.visible, async (hold) => {
        const leave = await outbox.lead(one, hold, () => this.#leaders.get(one)?.giveUp())
        this.updateStream()
        return () => {
          const left = leave()
          this.updateStream()
          return left
        }
      })
      this.#leaders.set(one, leader)
    }
  }

  /** Stops leading, before another account is entered. */
  leave(): void {
    for (const leader of this.#leaders.values()) leader.close()
    this.#leaders.clear()
    this.updateStream()
  }

  setVisibility(visibility: TabVisibility): void {
    this.#visibility = visibility
    for (const leader of this.#leaders.values()) leader.visible(visibility.visible)
    this.updateStream()
    this.#parts.stream()?.send({ type: 'presence', visible: visibility.visible })
    if (visibility.visible) this.#parts.stream()?.connectNow()
  }

  updateStream(): void {
    const { line, outbox } = this.#parts
    const { away, saveData } = this.#visibility
    line.setFacts({ leader: this.leading })
    const leads = this.#owner !== '' && this.leading && outbox.delivers(this.#owner)
    this.#parts.stream()?.want(leads && line.usable && !away, pollsOf(this.#visibility), saveData)
  }
}

/** An open conversation is always polled; the rest not with data saver [SYNC 8]. */
function pollsOf({ visible, messages, saveData }: TabVisibility): Polled | null {
  if (!visible) return null
  return messages ? 'conversations' : saveData ? null : 'everything'
}
