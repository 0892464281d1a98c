import type { Polled, Stream } from './inbox/stream.ts'
import { Leader } from './leader.ts'
import type { NetworkClient } from './network/networkClient.ts'
import type { CommandRules } from './noun.ts'
import type { DeliveryContext, Delivering } from './outbox/deliver.ts'
import { Delivery } from './outbox/delivery.ts'
import { loaded, photoGone, probeOf } from './outbox/load.ts'
import { takeFence } from './outbox/transitions.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { Outside } from './outside.ts'
import { within } from './within.ts'

export interface DutyDependencies {
  readonly outside: Outside
  readonly rules: CommandRules
  readonly outbox: Outbox
  readonly line: NetworkClient
  stream(): Stream | null
  delivering(): Promise<typeof Delivering>
  wifi(): boolean
  photo(id: string): Promise<unknown>
  signedOut(token: string): void
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

/** Longest wait for requests in flight before another tab leads. */
const HAND_OVER_MS = 3000
const CHECK_OUTBOX_MS = 60_000

/**
 * Work that only one tab does: delivers the entries of its user and of visitors, and has the event
 * stream [SYNC 6].
 */
export class LeaderDuties {
  readonly #dependencies: DutyDependencies
  readonly #leaders = new Map<string, Leader>()
  readonly #deliveries = new Map<string, Delivery>()
  #owner = ''
  #visibility: TabVisibility = { visible: true, away: false, messages: false, saveData: false }

  constructor(dependencies: DutyDependencies) {
    this.#dependencies = dependencies
  }

  get leading(): boolean {
    return this.#leaders.get(this.#owner)?.leading === true
  }

  /** Competes to lead for this user, and for visitors. */
  enter(owner: string): void {
    this.#owner = owner
    for (const one of new Set([owner, ''])) {
      this.#leaders.set(
        one,
        new Leader(this.#dependencies.outside, one, this.#visibility.visible, {
          lead: (hold) => this.#lead(one, hold),
        }),
      )
    }
  }

  /** Stops leading, before another account is entered. */
  leave(): void {
    for (const leader of this.#leaders.values()) leader.close()
    this.#leaders.clear()
    this.#updateStream()
  }

  setVisibility(visibility: TabVisibility): void {
    this.#visibility = visibility
    for (const leader of this.#leaders.values()) leader.visible(visibility.visible)
    this.#updateStream()
    this.#dependencies.stream()?.say({ type: 'presence', visible: visibility.visible })
    if (visibility.visible) this.#dependencies.stream()?.hurry()
  }

  wake(): void {
    this.#updateStream()
    for (const delivery of this.#deliveries.values()) void delivery.wake()
  }

  online(): void {
    this.#dependencies.stream()?.hurry()
    this.wake()
  }

  /** Our server answered: waiting entries retry soon. */
  async serverAnswered(): Promise<void> {
    for (const delivery of this.#deliveries.values()) await delivery.serverAnswered()
  }

  async #lead(owner: string, hold: { readonly over: boolean }): Promise<() => Promise<void>> {
    const { outbox, outside } = this.#dependencies
    const fence = await outbox.table.change((state) =>
      hold.over ? { state, result: null } : takeFence(state, owner),
    )
    // The lock was lost while the disk was slow: another tab, or a newer hold of this one, leads
    // now.
    if (hold.over || fence === null) return () => Promise.resolve()
    const delivery = new Delivery(this.#context(owner), owner, fence, () =>
      this.#dependencies.delivering(),
    )
    this.#deliveries.set(owner, delivery)
    // Completes entries that the previous leader acknowledged but did not settle.
    void outbox.settle()
    this.wake()
    // A tab that dies right after it wrote an entry tells nobody of it.
    let cancel: () => void = () => undefined
    const checkOutbox = (): void => {
      cancel = outside.setTimer(CHECK_OUTBOX_MS, checkOutbox)
      void delivery.wake()
    }
    checkOutbox()
    return async () => {
      cancel()
      if (this.#deliveries.get(owner) === delivery) this.#deliveries.delete(owner)
      this.#updateStream()
      // The next leader would send again what is in flight, and this copy may arrive after it.
      await within(outside.setTimer, HAND_OVER_MS, delivery.stop()).catch(() => undefined)
    }
  }

  #context(owner: string): DeliveryContext {
    const { outside, rules, outbox, line } = this.#dependencies
    return {
      outside,
      table: outbox.table,
      rules,
      send: async (delivery, key, token, state, onBytesSent) => {
        const sent = await loaded(delivery, key, token, state, (id) => this.#dependencies.photo(id))
        return sent === null ? photoGone : line.send({ ...sent, onBytesSent })
      },
      probe: (token, state, onBytesSent) => line.send({ ...probeOf(token, state), onBytesSent }),
      usable: () => line.usable,
      wifi: () => this.#dependencies.wifi(),
      outboxChanged: () => outbox.changed(),
      entriesEnded: (ids) => outbox.settle(ids),
      signedOut: (_owner, token) => this.#dependencies.signedOut(token),
      leadershipLost: () => this.#leaders.get(owner)?.giveUp(),
    }
  }

  #updateStream(): void {
    const { line } = this.#dependencies
    const leads = this.#owner !== '' && this.#deliveries.has(this.#owner) && this.leading
    const { away, saveData } = this.#visibility
    line.setFacts({ leader: this.leading })
    this.#dependencies
      .stream()
      ?.want(leads && line.usable && !away, pollsOf(this.#visibility), saveData)
  }
}

/** An open conversation is always polled; the rest not with data saver [SYNC 8]. */
function pollsOf({ visible, messages, saveData }: TabVisibility): Polled | null {
  if (!visible) return null
  return messages ? 'conversations' : saveData ? null : 'everything'
}
