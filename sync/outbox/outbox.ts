import { type Entry, isUnsent } from '#schema/disk/entry'
import type { Command } from '#schema/port/command'
import type { SendResult } from '#schema/port/outcome'
import { coalesced } from '../turns.ts'
import type { Tools } from '../noun.ts'
import { Timer, within } from '../within.ts'
import { accept, queued, ruleOf } from './accept.ts'
import { createDelivering, type Delivering, type DeliveryContext } from './deliver.ts'
import { edit, type EditResult, remove } from './edit.ts'
import type { LateOutbox } from './late.ts'
import { storedSessions } from './sessions.ts'
import { type OutboxState, textId, type Transition, withEntry, without } from './state.ts'
import { acknowledged, retry, takeFence } from './transitions.ts'
import { settle as settleEntries } from './settle.ts'
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

export type Outbox = ReturnType<typeof createOutbox>

/**
 * The outbox of this tab: accepts commands, delivers them while this tab leads, follows changes by
 * any tab, and runs user actions on entries.
 */
export function createOutbox(parts: OutboxParts) {
  const { outside, rules, table, late } = parts
  const deliveries = new Map<string, Delivering>()
  const settleTimer = new Timer(outside)
  /** As last read or written by this tab: saves reading and parsing all rows at each step. */
  let known: OutboxState | null = null
  /** Number of the last change in the order of the disk, and of the last one in `known`. */
  let changes = 0
  let knownChanges = 0
  let isClosed = false

  const me = (): string => parts.tools().currentUser().me

  /** The only way to write. `roomy`: frees space and tries once more when storage is full. */
  async function change<T>(work: (state: OutboxState) => Transition<T>, roomy = false): Promise<T> {
    try {
      const { before, state, result, order } = await table.change((before) => {
        const done = work(before)
        const order = ++changes
        return { state: done.state, result: { ...done, before, order } }
      })
      take(state, order)
      if (state !== before) {
        if (!isClosed) late.changed()
        wake()
      }
      return result
    } catch (error) {
      if (!roomy || !(error instanceof Unstorable) || error.why !== 'full') throw error
      await parts.makeRoom()
      return change(work)
    }
  }

  async function update(
    changed: (state: OutboxState) => OutboxState,
    roomy = false,
  ): Promise<void> {
    await change((state) => ({ state: changed(state), result: null }), roomy)
  }

  /** Reads again what other tabs wrote. */
  async function read(): Promise<OutboxState> {
    const before = changes
    const state = await table.read()
    // A change of this tab meanwhile: it may be missing here.
    if (before !== changes) return read()
    take(state, before)
    return state
  }

  /** Shows the entries of the current user. Answers may come in another order than the changes. */
  function take(state: OutboxState, order: number): void {
    if (isClosed || order < knownChanges) return
    knownChanges = order
    known = state
    const user = me()
    late.unread.next(state.unread.filter(({ owner }) => owner === user || owner === ''))
    late.entries.next(state.entries.filter((entry) => isShown(entry, user, state.meta.lapsed)))
    late.texts.next(
      new Map(
        state.texts.filter((text) => text.owner === user).map((text) => [text.key, text.content]),
      ),
    )
  }

  /** What a visitor saved for a later sign-in does not wait. An expired session's entries do. */
  function isShown(entry: Entry, user: string, lapsed: string): boolean {
    if (ruleOf(rules, entry.name)?.silent === 'hidden') return false
    if (user !== '') return entry.owner === user
    return entry.owner === '' ? entry.state !== 'signed-out' : entry.owner === lapsed
  }

  function wake(): void {
    for (const delivery of deliveries.values()) void delivery.wake()
  }

  /** Reads again, and sends what is due. */
  const refresh = coalesced(async () => {
    try {
      await read()
      wake()
    } catch (error) {
      console.warn('outbox', error)
    }
  })

  /** Steps 4 and 5 for these ids, or for all entries of the user. Retries when the disk fails. */
  async function settle(ids?: readonly string[]): Promise<void> {
    try {
      const state = (ids && known) ?? (await read())
      await settleEntries({ table: { change, read }, rules, tools: parts.tools() }, state, ids)
    } catch (error) {
      console.warn('outbox', error)
      if (!isClosed && !settleTimer.isRunning)
        settleTimer.start(SETTLE_AGAIN_MS, () => void settle())
    }
  }

  async function amend(how: (state: OutboxState) => EditResult): Promise<string | null> {
    const refused = await change(how)
    if (refused === null) await settle()
    return refused
  }

  return {
    change,
    sessions: storedSessions({ update, read }, rules),
    read,
    refresh,
    settle,
    wake,

    /** Name of the database; empty: not read yet, or in memory only. */
    get born(): string {
      return known?.meta.born[0] ?? ''
    },

    async send(command: Command): Promise<SendResult> {
      const sent = await accept(command, {
        table: { change: (work) => change(work, true), read },
        rules,
        tools: parts.tools(),
      })
      // The cancelled command's documents are reverted.
      if (sent.kind === 'done') await settle()
      return sent
    },

    /** Delivers an owner's entries until the returned function is called [SYNC 6]. */
    async lead(
      owner: string,
      hold: { readonly over: boolean },
      leadershipLost: () => void,
    ): Promise<() => Promise<void>> {
      const fence = await change((state) =>
        hold.over ? { state, result: null } : takeFence(state, owner),
      )
      // The lock was lost while the disk was slow: another tab, or a newer hold of this one, leads
      // now.
      if (hold.over || fence === null) return () => Promise.resolve()
      const delivery = createDelivering(
        {
          ...parts,
          table: { change },
          known: () => known,
          settle,
          ended: (token) => late.ended(token),
          leadershipLost,
        },
        owner,
        fence,
      )
      deliveries.set(owner, delivery)
      // Completes entries that the previous leader acknowledged but did not settle.
      void settle()
      void delivery.wake()
      const timer = new Timer(outside)
      // A tab that dies right after it wrote an entry tells nobody of it.
      const check = (): void =>
        timer.start(CHECK_MS, () => {
          check()
          void refresh()
        })
      check()
      return async () => {
        timer.stop()
        if (deliveries.get(owner) === delivery) deliveries.delete(owner)
        // The next leader would send again what is in flight, and this copy may arrive after it.
        await within(outside.setTimer, HAND_OVER_MS, delivery.stop()).catch(() => undefined)
      }
    },

    delivers: (owner: string): boolean => deliveries.has(owner),

    /** Our server answered: waiting entries retry soon. */
    async serverAnswered(): Promise<void> {
      for (const delivery of deliveries.values()) await delivery.serverAnswered()
    },

    /** The server has this entry: an event or a list shows what its lost answer would have shown. */
    async echoed(id: string, body: unknown): Promise<void> {
      const isAwaited = (entry: Entry): boolean => entry.id === id && isUnsent(entry)
      if (!late.entries.value.some(isAwaited)) return
      const arrived = await change((state) => {
        const entry = state.entries.find(isAwaited)
        const command = entry && queued(entry)
        const step = command && ruleOf(rules, entry.name)?.deliver(command)
        const progress = step?.answer(body)
        return step && progress && 'answer' in progress
          ? { state: acknowledged(state, id, body, progress, step), result: true }
          : { state, result: false }
      })
      if (arrived) await settle([id])
    },

    async retry(id: string | null): Promise<void> {
      await update((state) => retry(state, me(), id))
      await settle(id === null ? undefined : [id])
    },

    /** Returns null or an error code. */
    edit: (id: string, content: string): Promise<string | null> =>
      amend((state) => edit(state, me(), id, content, rules)),

    remove: (id: string): Promise<string | null> =>
      amend((state) => remove(state, me(), id, rules)),

    wifi(id: string, wifiOnly: boolean): Promise<void> {
      const owner = me()
      return update((state) =>
        withEntry(state, id, (entry) => (entry.owner === owner ? { ...entry, wifiOnly } : entry)),
      )
    },

    /** Saves a draft text; an empty text is deleted. */
    keepText(key: string, content: string): Promise<void> {
      const owner = me()
      const id = textId(owner, key)
      return update((state) => {
        const others = state.texts.filter((text) => text.id !== id)
        const kept = { id, owner, key, content, at: outside.now() }
        return { ...state, texts: content === '' ? others : [...others, kept] }
      })
    },

    erase: (owner: string): Promise<void> => update((state) => without(state, owner)),

    close(): void {
      isClosed = true
      settleTimer.stop()
      table.close()
    },
  }
}
