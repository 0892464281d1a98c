import { type Entry, isUnsent } from '#schema/disk/entry'
import type { Command } from '#schema/port/command'
import type { SendResult } from '#schema/port/outcome'
import { coalesced } from '../coalesce.ts'
import type { CommandRules, Tools } from '../noun.ts'
import { Timer, within } from '../within.ts'
import { accept, adopts, queued, ruleOf } from './accept.ts'
import { Delivering, type DeliveryContext } from './deliver.ts'
import { edit, type EditResult, remove } from './edit.ts'
import type { LateOutbox } from './late.ts'
import { StoredSessions } from './sessions.ts'
import { type OutboxState, textId, without } from './state.ts'
import { acknowledged, type Transition, retry, takeFence, withEntry } from './transitions.ts'
import { settle } from './settle.ts'
import { type Table, Unstorable } from './table.ts'

export interface OutboxParts extends Pick<
  DeliveryContext,
  'outside' | 'rules' | 'send' | 'usable' | 'wifi' | 'photo'
> {
  readonly table: Table
  /** For the user whose documents are open. */
  tools(): Tools
  /** What the tab shows of it, and its messages to other tabs. */
  readonly late: Pick<LateOutbox, 'entries' | 'texts' | 'unread' | 'changed' | 'ended'>
  /** Deletes data that can be fetched again. */
  makeRoom(): Promise<void>
}

const SETTLE_AGAIN_MS = 2000
const CHECK_MS = 60_000
/** Longest wait for requests in flight before another tab leads. */
const HAND_OVER_MS = 3000

/**
 * The outbox of this tab: accepts commands, delivers them while this tab leads, follows changes by
 * any tab, and runs user actions on entries.
 */
export class Outbox {
  readonly sessions = new StoredSessions(this)
  readonly #parts: OutboxParts
  readonly #deliveries = new Map<string, Delivering>()
  /** As last read or written by this tab: saves reading and parsing all rows at each step. */
  #state: OutboxState | null = null
  /** Number of the last change in the order of the disk, and of the last one in `#state`. */
  #changes = 0
  #known = 0
  readonly #settleTimer: Timer
  #closed = false

  constructor(parts: OutboxParts) {
    this.#parts = parts
    this.#settleTimer = new Timer(parts.outside)
  }

  /** Name of the database; empty: not read yet, or in memory only. */
  get born(): string {
    return this.#state?.meta.born[0] ?? ''
  }

  async send(command: Command): Promise<SendResult> {
    const sent = await accept(command, {
      table: { change: (work) => this.change(work, true), read: () => this.read() },
      rules: this.#parts.rules,
      tools: this.#parts.tools(),
    })
    // The cancelled command's documents are reverted.
    if (sent.kind === 'done') await this.settle()
    return sent
  }

  /** Delivers an owner's entries until the returned function is called [SYNC 6]. */
  async lead(
    owner: string,
    hold: { readonly over: boolean },
    leadershipLost: () => void,
  ): Promise<() => Promise<void>> {
    const { outside, late } = this.#parts
    const fence = await this.change((state) =>
      hold.over ? { state, result: null } : takeFence(state, owner),
    )
    // The lock was lost while the disk was slow: another tab, or a newer hold of this one, leads
    // now.
    if (hold.over || fence === null) return () => Promise.resolve()
    const delivery = new Delivering(
      {
        ...this.#parts,
        table: this,
        known: () => this.#state,
        settle: (ids) => this.settle(ids),
        ended: (token) => late.ended(token),
        leadershipLost,
      },
      owner,
      fence,
    )
    this.#deliveries.set(owner, delivery)
    // Completes entries that the previous leader acknowledged but did not settle.
    void this.settle()
    void delivery.wake()
    const timer = new Timer(outside)
    // A tab that dies right after it wrote an entry tells nobody of it.
    const check = (): void =>
      timer.start(CHECK_MS, () => {
        check()
        void this.refresh()
      })
    check()
    return async () => {
      timer.stop()
      if (this.#deliveries.get(owner) === delivery) this.#deliveries.delete(owner)
      // The next leader would send again what is in flight, and this copy may arrive after it.
      await within(outside.setTimer, HAND_OVER_MS, delivery.stop()).catch(() => undefined)
    }
  }

  delivers(owner: string): boolean {
    return this.#deliveries.has(owner)
  }

  wake(): void {
    for (const delivery of this.#deliveries.values()) void delivery.wake()
  }

  /** Our server answered: waiting entries retry soon. */
  async serverAnswered(): Promise<void> {
    for (const delivery of this.#deliveries.values()) await delivery.serverAnswered()
  }

  /**
   * Steps 4 and 5 for these ids, or for all entries of the user. Retries soon when the disk fails.
   */
  async settle(ids?: readonly string[]): Promise<void> {
    const { rules } = this.#parts
    try {
      const state = (ids && this.#state) ?? (await this.read())
      await settle({ table: this, rules, tools: this.#parts.tools() }, state, ids)
    } catch (error) {
      console.warn('outbox', error)
      if (!this.#closed && !this.#settleTimer.isRunning)
        this.#settleTimer.start(SETTLE_AGAIN_MS, () => void this.settle())
    }
  }

  /** The server has this entry: an event or a list shows what its lost answer would have shown. */
  async echoed(id: string, body: unknown): Promise<void> {
    const isAwaited = (entry: Entry): boolean => entry.id === id && isUnsent(entry)
    if (!this.#parts.late.entries.value.some(isAwaited)) return
    const arrived = await this.change((state) => {
      const entry = state.entries.find(isAwaited)
      const command = entry && queued(entry)
      const step = command && ruleOf(this.#parts.rules, entry.name)?.deliver(command)
      const progress = step?.answer(body)
      return step && progress && 'answer' in progress
        ? { state: acknowledged(state, id, body, progress, step), result: true }
        : { state, result: false }
    })
    if (arrived) await this.settle([id])
  }

  async retry(id: string | null): Promise<void> {
    await this.update((state) => retry(state, this.#owner, id))
    await this.settle(id === null ? undefined : [id])
  }

  /** Returns null or an error code. */
  edit(id: string, content: string): Promise<string | null> {
    return this.#amend((state, owner, rules) => edit(state, owner, id, content, rules))
  }

  remove(id: string): Promise<string | null> {
    return this.#amend((state, owner, rules) => remove(state, owner, id, rules))
  }

  async #amend(
    how: (state: OutboxState, owner: string, rules: CommandRules) => EditResult,
  ): Promise<string | null> {
    const refused = await this.change((state) => how(state, this.#owner, this.#parts.rules))
    if (refused === null) await this.settle()
    return refused
  }

  async wifi(id: string, wifiOnly: boolean): Promise<void> {
    const owner = this.#owner
    await this.update((state) =>
      withEntry(state, id, (entry) => (entry.owner === owner ? { ...entry, wifiOnly } : entry)),
    )
  }

  /** Saves a draft text; an empty text is deleted. */
  async keepText(key: string, content: string, at: number): Promise<void> {
    const owner = this.#owner
    const id = textId(owner, key)
    await this.update((state) => {
      const others = state.texts.filter((text) => text.id !== id)
      return {
        ...state,
        texts: content === '' ? others : [...others, { id, owner, key, content, at }],
      }
    })
  }

  async erase(owner: string): Promise<void> {
    await this.update((state) => without(state, owner))
  }

  /** The only way to write. `roomy`: frees space and tries once more when storage is full. */
  async change<T>(work: (state: OutboxState) => Transition<T>, roomy = false): Promise<T> {
    try {
      const { before, state, result, order } = await this.#parts.table.change((before) => {
        const done = work(before)
        const order = ++this.#changes
        return { state: done.state, result: { ...done, before, order } }
      })
      this.#take(state, order)
      if (state !== before) {
        if (!this.#closed) this.#parts.late.changed()
        this.wake()
      }
      return result
    } catch (error) {
      if (!roomy || !(error instanceof Unstorable) || error.why !== 'full') throw error
      await this.#parts.makeRoom()
      return this.change(work)
    }
  }

  async update(change: (state: OutboxState) => OutboxState, roomy = false): Promise<void> {
    await this.change((state) => ({ state: change(state), result: null }), roomy)
  }

  /** Whether the user who signs in sends this entry of a visitor. */
  adopts(entry: Entry): boolean {
    return adopts(this.#parts.rules, entry)
  }

  /** Reads again what other tabs wrote. */
  async read(): Promise<OutboxState> {
    const before = this.#changes
    const state = await this.#parts.table.read()
    // A change of this tab meanwhile: it may be missing here.
    if (before !== this.#changes) return this.read()
    this.#take(state, before)
    return state
  }

  /** Reads again, shows the entries of the current user, and sends what is due. */
  readonly refresh = coalesced(async () => {
    try {
      await this.read()
      this.wake()
    } catch (error) {
      console.warn('outbox', error)
    }
  })

  close(): void {
    this.#closed = true
    this.#settleTimer.stop()
    this.#parts.table.close()
  }

  get #owner(): string {
    return this.#parts.tools().currentUser().me
  }

  /** Answers may come in another order than the changes were made. */
  #take(state: OutboxState, order: number): void {
    if (this.#closed || order < this.#known) return
    this.#known = order
    this.#state = state
    const me = this.#owner
    const { late } = this.#parts
    late.unread.next(state.unread.filter(({ owner }) => owner === me || owner === ''))
    late.entries.next(state.entries.filter((entry) => this.#isShown(entry, me, state.meta.lapsed)))
    late.texts.next(
      new Map(
        state.texts.filter((text) => text.owner === me).map((text) => [text.key, text.content]),
      ),
    )
  }

  /**
   * A visitor's entries that wait for sign-in are not shown as waiting. Entries of an expired
   * session stay visible.
   */
  #isShown(entry: Entry, me: string, lapsed: string): boolean {
    if (ruleOf(this.#parts.rules, entry.name)?.silent === 'hidden') return false
    if (me !== '') return entry.owner === me
    return entry.owner === '' ? entry.state !== 'signed-out' : entry.owner === lapsed
  }
}
