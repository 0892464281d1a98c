import { type Entry, isUnsent } from '#schema/disk/entry'
import type { Command } from '#schema/port/command'
import type { SessionInput } from '#schema/port/engine'
import { coalesced } from '../turns.ts'
import type { Person, Tools } from '../noun.ts'
import { Timer, within } from '../within.ts'
import { accept, adopting, knownEntry, ruleOf } from './accept.ts'
import { createDelivering, type Delivering, type DeliveryContext } from './deliver.ts'
import { edit, type EditResult, remove } from './edit.ts'
import {
  type OutboxState,
  textId,
  tokenOf,
  type Transition,
  withEntries,
  withMeta,
  without,
} from './state.ts'
import {
  acknowledged,
  isOfThisVisit,
  resume,
  retry,
  signedOut,
  takeFence,
  withoutSession,
} from './transitions.ts'
import { settle as settleEntries } from './settle.ts'
import { type ShownOutbox, type Table, withRoom } from './table.ts'

interface OutboxParts extends Pick<
  DeliveryContext,
  'outside' | 'rules' | 'send' | 'usable' | 'wifi' | 'photo' | 'ended'
> {
  readonly table: Table
  readonly shown: ShownOutbox
  tools(): Tools
  input(): SessionInput | null
  changed(): void
  makeRoom(): Promise<void>
}

const SETTLE_AGAIN_MS = 2000
/** For requests in flight, before another tab leads. */
const HAND_OVER_MS = 3000

export type Outbox = ReturnType<typeof createOutbox>

export function createOutbox(parts: OutboxParts) {
  const { outside, rules, table, shown } = parts
  const deliveries = new Map<string, Delivering>()
  const settleTimer = new Timer(outside)
  /** Else each step would read and parse all rows. */
  let known: OutboxState | null = null
  let isClosed = false

  const me = () => parts.tools().currentUser().me

  /** The only way to write. */
  async function change<T>(work: (state: OutboxState) => Transition<T>): Promise<T> {
    const { before, state, result } = await table.change((before) => {
      const { state, result } = work(before)
      const whole = state === before ? state : informed(state)
      return { state: whole, result: { before, state: whole, result } }
    })
    take(state)
    if (state !== before) {
      parts.changed()
      wake()
    }
    return result
  }

  /** For the service worker, which cannot read local storage. */
  function informed(state: OutboxState) {
    const { language, sessionId } = parts.input() ?? state.meta
    const isKnown = state.meta.language === language && state.meta.sessionId === sessionId
    return isKnown ? state : withMeta(state, { language, sessionId })
  }

  const changeWithRoom: Table['change'] = (work) => withRoom(parts.makeRoom, () => change(work))

  async function update(changed: (state: OutboxState) => OutboxState, roomy = false) {
    const how = roomy ? changeWithRoom : change
    await how((state) => ({ state: changed(state), result: null }))
  }

  async function read() {
    const state = await table.read()
    take(state)
    return state
  }

  function take(state: OutboxState) {
    if (isClosed) return
    known = state
    const user = me()
    shown.unread.next(state.unread.filter(({ owner }) => owner === user || owner === ''))
    shown.entries.next(state.entries.filter((entry) => isShown(entry, user, state.meta.lapsed)))
    shown.texts.next(
      new Map(
        state.texts
          .filter((text) => text.owner === user && isOfThisVisit(text, outside.now()))
          .map((text) => [text.key, text.content]),
      ),
    )
  }

  /** Hides what a visitor saved for a later sign-in; shows the entries of an expired session. */
  function isShown(entry: Entry, user: string, lapsed: string) {
    if (ruleOf(rules, entry.name)?.silent === 'hidden') return false
    if (user !== '') return entry.owner === user
    return entry.owner === '' ? entry.state !== 'signed-out' : entry.owner === lapsed
  }

  function wake() {
    for (const delivery of deliveries.values()) void delivery.wake()
  }

  const refresh = coalesced(async () => {
    try {
      await read()
      wake()
    } catch (error) {
      console.warn('outbox', error)
    }
  })

  /** Tries again after an error. Without `ids`: for all entries. */
  async function settle(ids?: readonly string[]) {
    try {
      const state = (ids && known) ?? (await read())
      await settleEntries({ table: { change, read }, rules, tools: parts.tools() }, state, ids)
    } catch (error) {
      console.warn('outbox', error)
      if (!isClosed && !settleTimer.isRunning)
        settleTimer.start(SETTLE_AGAIN_MS, () => void settle())
    }
  }

  async function amend(how: (state: OutboxState) => EditResult) {
    const refused = await change(how)
    if (refused === null) await settle()
    return refused
  }

  return {
    change,
    read,
    refresh,
    settle,
    wake,

    /** Empty: not read yet, or in memory only. */
    get born() {
      return known?.meta.born[0] ?? ''
    },

    send: (command: Command) =>
      accept(
        command,
        { table: { change: changeWithRoom, read }, rules, tools: parts.tools() },
        settle,
      ),

    /** Delivers until the returned function is called [SYNC 6]. */
    async lead(
      owner: string,
      hold: { readonly over: boolean },
      leadershipLost: () => void,
    ): Promise<() => Promise<void>> {
      const fence = await change((state) =>
        hold.over ? { state, result: null } : takeFence(state, owner),
      )
      // The lock was lost while the disk was slow.
      if (hold.over || fence === null) return () => Promise.resolve()
      const delivery = createDelivering(
        {
          ...parts,
          table: { change },
          known: () => known,
          settle,
          leadershipLost,
        },
        owner,
        fence,
      )
      deliveries.set(owner, delivery)
      void settle()
      void delivery.wake()
      return async () => {
        if (deliveries.get(owner) === delivery) deliveries.delete(owner)
        // Else the next leader sends requests in flight again, maybe before these arrive.
        await within(outside.setTimer, HAND_OVER_MS, delivery.stop()).catch(() => undefined)
      }
    },

    sessions: {
      async ownerOf(token: string) {
        const { meta } = await read()
        const stored = meta.sessions.find((one) => one.token === token)
        return stored ? { id: stored.owner, username: stored.username } : null
      },

      remember: (token: string, person: Person) =>
        update((state) => withSession(state, token, person), true),

      expire: (token: string) =>
        update((state) => {
          const owner = state.meta.sessions.find((session) => session.token === token)?.owner
          return owner === undefined ? state : signedOut(state, owner, token)
        }),

      signOut: (token: string, owner: string) =>
        update((state) => {
          const ended = [...state.meta.ended.filter((one) => one !== token), token]
          return withMeta(withoutSession(state, owner, token), { ended, lapsed: '' })
        }, true),

      /** `unstored`: the token's owner, if not stored yet. */
      resume: (owner: string, token: string, unstored: Person | undefined) =>
        update((state) => {
          const known = unstored ? withSession(state, token, unstored) : state
          // Signed out in another tab, while this one was frozen.
          if (tokenOf(known, owner) === null) return state
          const resumed = resume(known, owner, adopting(rules), outside.now())
          // Else each start waits for the disk.
          return known.meta.lapsed === '' ? resumed : withMeta(resumed, { lapsed: '' })
        }, true),

      toRevoke: async () => (await read()).meta.ended,

      revoked: (token: string) =>
        update((state) => {
          const ended = state.meta.ended.filter((one) => one !== token)
          return ended.length < state.meta.ended.length ? withMeta(state, { ended }) : state
        }),
    },

    delivers: (owner: string) => deliveries.has(owner),

    async serverAnswered() {
      for (const delivery of deliveries.values()) await delivery.serverAnswered()
    },

    /** The answer was lost, but the object is in an event or a list. */
    async echoed(id: string, body: unknown) {
      const isAwaited = (entry: Entry) => entry.id === id && isUnsent(entry)
      if (!shown.entries.value.some(isAwaited)) return
      const arrived = await change((state) => {
        const entry = state.entries.find(isAwaited)
        const found = entry && knownEntry(rules, entry)
        const step = found?.rule.deliver(found.command)
        const progress = step?.answer(body)
        return step && progress && 'answer' in progress
          ? { state: acknowledged(state, id, body, progress, step), result: true }
          : { state, result: false }
      })
      if (arrived) await settle([id])
    },

    async retry(id: string | null) {
      await update((state) => retry(state, me(), id))
      await settle(id === null ? undefined : [id])
    },

    edit: (id: string, content: string) => amend((state) => edit(state, me(), id, content, rules)),

    remove: (id: string) => amend((state) => remove(state, me(), id, rules)),

    wifi(id: string, wifiOnly: boolean) {
      const owner = me()
      return update((state) =>
        withEntries(
          state,
          (entry) => entry.id === id && entry.owner === owner,
          () => ({ wifiOnly }),
        ),
      )
    },

    keepText(key: string, content: string) {
      const owner = me()
      const id = textId(owner, key)
      return update((state) => {
        const others = state.texts.filter((text) => text.id !== id)
        const kept = { id, owner, key, content, at: outside.now() }
        return { ...state, texts: content === '' ? others : [...others, kept] }
      })
    },

    inform: () => update(informed),

    erase: (owner: string) => update((state) => without(state, owner)),

    close() {
      isClosed = true
      settleTimer.stop()
      table.close()
    },
  }
}

function withSession(state: OutboxState, token: string, { id: owner, username }: Person) {
  const others = state.meta.sessions.flatMap((one) =>
    one.token === token || one.owner === owner ? [] : { ...one, replaced: true },
  )
  return withMeta(state, { sessions: [...others, { owner, username, token }] })
}
