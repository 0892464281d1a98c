import type { Entry } from '#schema/disk/entry'
import type { Command } from '#schema/port/command'
import { isAccepted, type SendResult } from '#schema/port/outcome'
import { BehaviorSubject } from 'rxjs'
import { coalesced } from '../coalesce.ts'
import type { CommandRules, Tools } from '../noun.ts'
import type { Channel, Outside } from '../outside.ts'
import { accept, ruleOf, textId } from './accept.ts'
import type { EditResult } from './edit.ts'
import { type OutboxState, type KeptText, type Unread, without, withEntries } from './state.ts'
import { type Transition, retry } from './transitions.ts'
import { settle } from './settle.ts'
import type { Table } from './table.ts'

export interface OutboxCallbacks {
  /** Entries may be due. */
  wake(): void
  /** Delete data that can be fetched again. */
  makeRoom(): Promise<void>
  ended(token: string): void
}

type OutboxMessage =
  | { readonly kind: 'changed' }
  | { readonly kind: 'ended'; readonly token: string }

const SETTLE_AGAIN_MS = 2000

/**
 * The outbox of this tab: accepts commands, follows changes by any tab, and runs user actions on
 * entries.
 */
export class Outbox {
  /** In the order of writing. */
  readonly entries = new BehaviorSubject<readonly Entry[]>([])
  /** By key. */
  readonly texts = new BehaviorSubject<ReadonlyMap<string, string>>(new Map())
  readonly unread = new BehaviorSubject<readonly Unread[]>([])
  /** Name of the database that was read last; empty: none yet, or in memory only. */
  born = ''
  readonly table: Table
  readonly #rules: CommandRules
  readonly #tools: () => Tools
  readonly #callbacks: OutboxCallbacks
  readonly #channel: Channel
  readonly #outside: Outside
  #settling: (() => void) | null = null
  #closed = false

  constructor(
    outside: Outside,
    table: Table,
    rules: CommandRules,
    tools: () => Tools,
    callbacks: OutboxCallbacks,
  ) {
    this.#outside = outside
    this.table = table
    this.#rules = rules
    this.#tools = tools
    this.#callbacks = callbacks
    this.#channel = outside.channel('outbox', (message) => this.#onMessage(message))
  }

  async send(command: Command): Promise<SendResult> {
    const sent = await accept(command, {
      table: this.table,
      rules: this.#rules,
      tools: this.#tools(),
      makeRoom: () => this.#callbacks.makeRoom(),
    })
    // The cancelled command must not wait any more, and its documents are reverted.
    if (sent.kind === 'done') await this.settle()
    else if (isAccepted(sent)) this.changed()
    return sent
  }

  /**
   * Steps 4 and 5 for these ids, or for all entries of the user. Retries soon when the disk fails.
   */
  async settle(ids?: readonly string[]): Promise<void> {
    try {
      await settle({ table: this.table, rules: this.#rules, tools: this.#tools() }, ids)
    } catch (error) {
      console.warn('outbox', error)
      if (!this.#closed)
        this.#settling ??= this.#outside.setTimer(SETTLE_AGAIN_MS, () => this.#settleAgain())
    }
    this.changed()
  }

  #settleAgain(): void {
    this.#settling = null
    if (!this.#closed) void this.settle()
  }

  async retry(id: string | null): Promise<void> {
    await this.#change((state) => ({ state: retry(state, this.#owner, id), result: null }))
    await this.settle(id === null ? undefined : [id])
  }

  /** Runs a user action on an own entry (edit.ts); returns null or an error code. */
  async amend(
    how: (state: OutboxState, owner: string, rules: CommandRules) => EditResult,
  ): Promise<string | null> {
    const refused = await this.#change((state) => how(state, this.#owner, this.#rules))
    if (refused === null) await this.settle()
    return refused
  }

  async wifi(id: string, wifiOnly: boolean): Promise<void> {
    const owner = this.#owner
    await this.#change((state) => ({
      state: withEntries(state, (entry) =>
        entry.id === id && entry.owner === owner ? { ...entry, wifiOnly } : entry,
      ),
      result: null,
    }))
  }

  /** Saves a draft text; an empty text is deleted. */
  async keepText(key: string, content: string, now: number): Promise<void> {
    const owner = this.#owner
    const id = textId(owner, key)
    await this.#change((state) => {
      const others = state.texts.filter((text) => text.id !== id)
      const texts: readonly KeptText[] =
        content === '' ? others : [...others, { id, owner, key, content, at: now }]
      return { state: { ...state, texts }, result: null }
    })
  }

  async erase(owner: string): Promise<void> {
    await this.#change((state) => ({ state: without(state, owner), result: null }))
  }

  /** The outbox state changed in this tab: notifies other tabs and refreshes this one. */
  changed(): void {
    this.#post({ kind: 'changed' })
    void this.refresh()
    this.#callbacks.wake()
  }

  ended(token: string): void {
    this.#post({ kind: 'ended', token })
    this.changed()
  }

  /** Reads again; concurrent calls share one read. */
  readonly refresh = coalesced(() => this.#read())

  close(): void {
    this.#closed = true
    this.#settling?.()
    this.#channel.close()
    this.table.close()
  }

  get #owner(): string {
    return this.#tools().currentUser().me
  }

  async #change<T>(work: (state: OutboxState) => Transition<T>): Promise<T> {
    const result = await this.table.change(work)
    this.changed()
    return result
  }

  async #read(): Promise<void> {
    try {
      const me = this.#owner
      const state = await this.table.read()
      if (this.#closed) return
      // The user changed during the read, so this result is of the previous user.
      if (me !== this.#owner) return void this.refresh()
      this.born = state.meta.born[0] ?? ''
      this.unread.next(state.unread.filter(({ owner }) => owner === me || owner === ''))
      this.entries.next(
        state.entries.filter((entry) => this.#isShown(entry, me, state.meta.lapsed)),
      )
      this.texts.next(
        new Map(
          state.texts.filter((text) => text.owner === me).map((text) => [text.key, text.content]),
        ),
      )
    } catch (error) {
      console.warn('outbox', error)
    }
  }

  /**
   * A visitor's entries that wait for sign-in are not shown as waiting. Entries of an expired
   * session stay visible.
   */
  #isShown(entry: Entry, me: string, lapsed: string): boolean {
    if (ruleOf(this.#rules, entry.name)?.silent === 'hidden') return false
    if (me !== '') return entry.owner === me
    return entry.owner === '' ? entry.state !== 'signed-out' : entry.owner === lapsed
  }

  #post(message: OutboxMessage): void {
    if (!this.#closed) this.#channel.post(message)
  }

  #onMessage(message: unknown): void {
    if (this.#closed || typeof message !== 'object' || message === null) return
    const kind: unknown = Reflect.get(message, 'kind')
    const token: unknown = Reflect.get(message, 'token')
    if (kind === 'ended' && typeof token === 'string') this.#callbacks.ended(token)
    if (kind === 'changed') {
      void this.refresh()
      this.#callbacks.wake()
    }
  }
}
