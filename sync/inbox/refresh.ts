import {
  combineLatest,
  defer,
  filter,
  finalize,
  map,
  of,
  startWith,
  Subject,
  type Subscription,
} from 'rxjs'
import { emptyList, type ListDocument } from '#schema/disk/documents'
import { REFRESH_DEBOUNCE_MS } from '#schema/limits'
import { isFull } from '../full.ts'
import type { Need, ListUpdate, CallResult, Store, Tools } from '../noun.ts'
import { type Cause, causeOf, createWaits } from '../network/backoff.ts'
import type { Outside } from '../outside.ts'
import { deepEqual } from '../store/rows.ts'
import type { ManagedStore } from '../store/store.ts'
import { Timer } from '../within.ts'

export type FetchStatus = Readonly<{
  /** Each need was answered, was tried, or cannot be fetched now. */
  settled: boolean
  fresh: boolean
  failed: boolean
  /** 0: a need was never answered. */
  since: number
}>

interface Dependencies {
  tools(): Tools
  readonly store: ManagedStore
  readonly outside: Pick<Outside, 'now' | 'setTimer' | 'random'>
  failed(error: unknown): void
}

export interface Unanswered {
  readonly waitMs: number
  again(): Promise<Unanswered | null>
}

/** More would compete for a slow connection. */
const PARALLEL = 4
const UNSTORED_MAX = 40

export type Refresh = ReturnType<typeof createRefresh>

/**
 * Once for all watchers, the latest request first (it is on screen), none while hidden or offline.
 */
export function createRefresh({ tools, store, outside, failed }: Dependencies) {
  const fetches = new Map<string, FetchState>()
  /** null until its time; then what fetches it, if fetching was not allowed. */
  const scheduled = new Map<string, (() => void) | null>()
  /** Outlives the watchers: a screen that is opened again does not retry earlier. */
  const waits = createWaits(outside)
  /** What a full disk did not take. `base`: the stored document that `next` replaces. */
  const unstored = new Map<string, { readonly base: ListDocument; readonly next: ListDocument }>()
  const queue = new Set<FetchState>()
  let running = 0
  let isAllowed = true

  async function ask(need: Need, asked: boolean) {
    if (waits.left(idOf(need), asked) > 0) return false
    const state = join(need)
    const answered = new Promise<boolean>((resolve) => state.forced.push(resolve))
    consider(state)
    return answered.finally(() => leave(state, need))
  }

  function watchOne(need: Need) {
    return defer(() => {
      const state = join(need)
      consider(state)
      return state.changed.pipe(
        startWith(undefined),
        filter(() => state.loaded),
        map(() => statusOf(state)),
        finalize(() => leave(state, need)),
      )
    })
  }

  function announce(state: FetchState) {
    // A status is never ahead of the rows that it is about.
    void store.quiet().then(() => state.changed.next())
  }

  function statusOf(state: FetchState) {
    const { stored } = state
    const since = stored?.at ?? 0
    const hasFailed = waits.failures(state.id) > 0
    return {
      settled: since > 0 || hasFailed || !isAllowed,
      failed: hasFailed,
      fresh: stored !== null && since > 0 && !isOld(state, stored),
      since,
    }
  }

  function join(need: Need) {
    const state = fetches.get(idOf(need)) ?? begin(need)
    state.needs.push(need)
    return state
  }

  function begin(need: Need) {
    const state = new FetchState(need, new Timer(outside))
    fetches.set(state.id, state)
    const left = waits.left(state.id)
    if (left > 0) retryIn(state, left)
    state.reading = listsOf(need, store)
      .findOne(need.key)
      .$.subscribe({
        next(stored) {
          state.stored = stored
          state.loaded = true
          consider(state)
          announce(state)
        },
        error: failed,
      })
    return state
  }

  function leave(state: FetchState, need: Need) {
    state.needs.splice(state.needs.indexOf(need), 1)
    if (state.needs.length > 0) return
    fetches.delete(state.id)
    queue.delete(state)
    state.reading?.unsubscribe()
    state.retry.stop()
  }

  /** If its base is no longer stored, the cache may have been cleared, with the rows it lists. */
  function newest({ id, stored }: FetchState) {
    const kept = unstored.get(id)
    if (kept !== undefined && deepEqual(kept.base, stored)) return kept.next
    unstored.delete(id)
    return stored
  }

  function isOld({ needs }: FetchState, { at }: ListDocument) {
    const age = outside.now() - at
    // Negative: the clock was ahead.
    return age < 0 || age >= Math.min(...needs.map(({ freshMs }) => freshMs))
  }

  function dueOf(state: FetchState) {
    const { needs } = state
    const [need] = needs
    if (need === undefined) return null
    if (state.forced.length > 0) return { need, old: true }
    if (!state.due && waits.left(state.id) > 0) return null
    const listDocument = newest(state)
    if (listDocument === null || isOld(state, listDocument)) return { need, old: true }
    if (extent(listDocument) === state.spent) return null
    const short = needs.find((one) => one.isIncomplete?.(listDocument) === true)
    return short === undefined ? null : { need: short, old: false }
  }

  function consider(state: FetchState) {
    if (state.running || !state.loaded) return
    if (!isAllowed) return state.answer(false)
    if (dueOf(state) === null) return
    queue.delete(state)
    queue.add(state)
    fill()
  }

  function fill() {
    while (isAllowed && running < PARALLEL) {
      const state = [...queue].at(-1)
      if (state === undefined) return
      queue.delete(state)
      const due = dueOf(state)
      if (due !== null) void run(state, due.need, due.old)
    }
  }

  async function run(state: FetchState, need: Need, old: boolean) {
    state.running = true
    state.due = false
    running++
    const { stored } = state
    const known = newest(state)
    const bound = tools()
    const forced = state.forced.splice(0)
    let answered = false
    try {
      const reply = await need.fetch(bound, { known, stale: old })
      answered = reply.kind !== 'later' && reply.kind !== 'signed-out'
      if (answered) await note(bound.store, state, { known, stored }, old, reply)
      else if (reply.kind === 'later') fail(state, causeOf(reply.why), reply.retryAfterMs)
      else fail(state)
    } catch (error) {
      failed(error)
      fail(state)
    }
    state.running = false
    running--
    for (const resolve of forced) resolve(answered)
    consider(state)
    announce(state)
    fill()
  }

  async function note(
    collections: Store,
    state: FetchState,
    { known, stored }: Record<'known' | 'stored', ListDocument | null>,
    old: boolean,
    reply: CallResult<ListUpdate>,
  ) {
    const { key } = state.need
    const lists = listsOf(state.need, collections)
    const current = await lists.findOne(key).exec()
    // The cache was cleared meanwhile: `known` counts rows that are gone.
    if (stored !== null && current === null) return void (state.stored = null)
    // Facts that were written meanwhile may be newer than the answer.
    if (current !== null && !deepEqual(current.facts, stored?.facts ?? null))
      return void (state.stored = current)
    const listDocument: ListDocument = {
      ...(known ?? emptyList(key)),
      ...(reply.kind === 'done' && reply.answer),
      // A further page does not change the age of the first one.
      ...(old && {
        at: outside.now(),
        problem: reply.kind === 'refused' ? reply.problem.code : null,
      }),
      ...(old && reply.kind === 'done' && { etag: reply.etag ?? null }),
    }
    try {
      await lists.put([listDocument])
      unstored.delete(state.id)
      state.stored = listDocument
    } catch (error) {
      if (!isFull(error) || !keep(state, stored, listDocument)) throw error
    }
    waits.succeeded(state.id)
    state.retry.stop()
    if (known !== null && !old && extent(listDocument) === extent(known))
      state.spent = extent(listDocument)
  }

  function keep({ id, stored }: FetchState, base: ListDocument | null, next: ListDocument) {
    if (base === null || !deepEqual(base, stored)) return false
    unstored.delete(id)
    unstored.set(id, { base, next })
    const [oldest = id] = unstored.keys()
    if (unstored.size > UNSTORED_MAX) unstored.delete(oldest)
    return true
  }

  function fail(state: FetchState, cause: Cause = 'other', retryAfterMs: number | null = null) {
    retryIn(state, waits.failed(state.id, cause, retryAfterMs))
  }

  function retryIn(state: FetchState, ms: number) {
    state.retry.start(ms, () => {
      // `now()` may still be before the timer's time.
      state.due = true
      consider(state)
    })
  }

  async function catchUp(needs: readonly Need[]) {
    const answers = await Promise.all(
      needs.map(async (need) => ({ need, answered: await ask(need, false) })),
    )
    const rest = answers.flatMap(({ need, answered }) => (answered ? [] : [need]))
    if (rest.length === 0) return null
    return {
      waitMs: Math.min(...rest.map((need) => waits.left(idOf(need)))),
      again: () => catchUp(rest),
    }
  }

  return {
    catchUp,

    watch(needs: readonly Need[]) {
      if (needs.length === 0) return of({ settled: true, fresh: true, failed: false, since: 0 })
      return combineLatest(needs.map(watchOne)).pipe(
        map((all) => ({
          settled: all.every(({ settled }) => settled),
          fresh: all.every(({ fresh }) => fresh),
          failed: all.some(({ failed }) => failed),
          since: Math.min(...all.map(({ since }) => since)),
        })),
      )
    },

    async again(needs: readonly Need[]) {
      const answered = await Promise.all(needs.map((need) => ask(need, true)))
      return answered.every(Boolean)
    },

    /** [S9.15] */
    schedule(need: Need) {
      const id = idOf(need)
      if (scheduled.has(id)) return
      scheduled.set(id, null)
      const { me } = tools().currentUser()
      const due = () => {
        if (!isAllowed) return void scheduled.set(id, due)
        scheduled.delete(id)
        if (tools().currentUser().me === me) void ask(need, false)
      }
      outside.setTimer(Math.max(REFRESH_DEBOUNCE_MS, waits.left(id)), due)
    },

    allow(allowed: boolean) {
      isAllowed = allowed
      if (allowed) for (const due of scheduled.values()) due?.()
      for (const state of fetches.values()) {
        consider(state)
        announce(state)
      }
      fill()
    },

    recovered() {
      for (const id of waits.keys) {
        const left = waits.recovered(id)
        const state = fetches.get(id)
        if (state?.running === false) retryIn(state, left)
      }
    },
  }
}

const idOf = ({ personal, key }: Need) => `${personal ? 'own' : 'all'}:${key}`
const listsOf = ({ personal }: Need, store: Store) => store[personal ? 'ownLists' : 'lists']
/** A message thread has no ids, only a count. */
const extent = ({ ids, count, next }: ListDocument) => `${ids.length} ${count} ${next}`

class FetchState {
  readonly id: string
  readonly need: Need
  readonly retry: Timer
  readonly needs: Need[] = []
  readonly changed = new Subject<void>()
  readonly forced: ((answered: boolean) => void)[] = []
  stored: ListDocument | null = null
  loaded = false
  running = false
  due = false
  /** The extent at which fetching more returned nothing new. */
  spent: string | null = null
  reading: Subscription | null = null

  constructor(need: Need, retry: Timer) {
    this.id = idOf(need)
    this.need = need
    this.retry = retry
  }

  answer(answered: boolean) {
    for (const resolve of this.forced.splice(0)) resolve(answered)
  }
}
