import type { Frame, Params, Question, QuestionName } from '#schema/port/question'
import type { User } from '#schema/wire/account'
import { firstKey, limitOf, listKey, questionKey } from '#schema/questionKey'
import { useSyncExternalStore } from 'react'
import { ask } from './ask.ts'
import { onEvent, unwatch, watch } from './engine.ts'
import { type FirstAnswer, type FirstRender, firstRender, useFirstRender } from './firstRender.ts'
import { applyFrame, type Live, loading } from './live.ts'
import { mark, onSession } from './session.ts'

/** Answers stay this long without a subscriber: going back shows them at once. */
const LINGER_MS = 60_000

interface Watched<N extends QuestionName = QuestionName> {
  readonly name: N
  readonly key: string
  readonly listKey: string
  readonly firstKey: string
  /** null while the engine does not watch it. */
  watchId: string | null
  readonly listeners: Set<() => void>
  /** The answer the HTML was rendered from, for hydration. */
  readonly rendered: Live<N>
  live: Live<N>
  /** The user reloaded the page. */
  refetchOnce: boolean
  initial: InitialAnswer | null
  removalTimer: ReturnType<typeof setTimeout> | undefined
}

/** Shown before the database answers; `embedded`: came with the page from the server. */
interface InitialAnswer {
  readonly embedded: boolean
  readonly since: number | null
  failed: boolean
}

const watched = new Map<string, Watched>()
const RELOADED_MS = 10_000
/** What a reload of the page fetches again. */
const RELOADS = /^(?:listing|shop|conversation|notifications|account\.me)/

function isReloaded() {
  const [visit] = performance.getEntriesByType('navigation')
  return (
    visit !== undefined &&
    'type' in visit &&
    visit.type === 'reload' &&
    performance.now() < RELOADED_MS
  )
}

const byWatchId = new Map<string, { readonly one: Watched; readonly question: Question }>()
let lastWatchId = 0

/** The only way to read data: answers from the local database, and follows every change. */
export function useLiveQuery<N extends QuestionName>(name: N, params: Params<N>): Live<N> {
  return useLiveValue(name, params, (live) => live)
}

export function useMe(): User | undefined {
  return useLiveQuery('account.me', {}).rows[0]?.user
}

/** For components with many instances: they re-render only when this value changes. */
export function useLiveValue<N extends QuestionName, T extends boolean | Live<N>>(
  name: N,
  params: Params<N>,
  select: (live: Live<N>) => T,
): T {
  const question = { name, params }
  const key = questionKey(question)
  const first = useFirstRender()
  return useSyncExternalStore(
    (listener) => subscribe(key, question, listener),
    () => select(watchedOf(question, key).live),
    () => select(checked(renderedOf(question, key, first), name).rendered),
  )
}

function watchedOf<N extends QuestionName>(question: Question<N>, key: string): Watched<N> {
  return checked(watched.get(key) ?? add(question, key), question.name)
}

/** A render for the server, or of a screen to store, starts nothing. */
function renderedOf(question: Question, key: string, first: FirstRender | null) {
  return first === firstRender
    ? (watched.get(key) ?? add(question, key))
    : made(question, key, first)
}

function checked<N extends QuestionName>(one: Watched, name: N): Watched<N> {
  if (!isOf(one, name)) throw new Error(`two questions under one key: ${one.key}`)
  return one
}

function isOf<N extends QuestionName>(one: Watched, name: N): one is Watched<N> {
  return one.name === name
}

function add(question: Question, key: string) {
  const one = made(question, key, firstRender)
  watched.set(key, one)
  return one
}

function made(question: Question, key: string, first: FirstRender | null): Watched {
  const inHtml = first && (first.mark ?? mark()) === mark() && first.answer(firstKey(question))
  const shown = inHtml && lived(inHtml)
  const bare = listKey(question)
  const start = shown || answerWithOtherLimit(bare)
  return {
    name: question.name,
    key,
    listKey: bare,
    firstKey: firstKey(question),
    watchId: null,
    listeners: new Set(),
    rendered: shown || loading,
    live: start ?? loading,
    initial: shown ? { embedded: first?.by === 'server', since: shown.since, failed: false } : null,
    refetchOnce: !import.meta.env.SSR && RELOADS.test(question.name) && isReloaded(),
    removalTimer: undefined,
  }
}

function lived(answer: FirstAnswer): Live {
  return { since: Math.round(performance.timeOrigin), ...answer, status: 'stale' }
}

/** About one screen: they are parsed before anything shows. */
const STORED_ROWS = 6
/** Would be wrong at the next start. */
const MOMENTARY = new Set<QuestionName>(['network.state', 'outbox.entries'])

/** To store with a screen. */
export function latestAnswer(key: string): FirstAnswer | undefined {
  const one = [...watched.values()].findLast(
    ({ name, live, firstKey: own }) =>
      own === key && live.status !== 'loading' && !MOMENTARY.has(name),
  )
  return (
    one && {
      rows: one.live.rows.slice(0, STORED_ROWS),
      facts: one.live.facts,
      since: one.live.since,
    }
  )
}

/** As reloading the page would. */
export async function refreshShown() {
  await Promise.all(
    [...byWatchId.values()]
      .filter(({ one }) => one.listeners.size > 0 && RELOADS.test(one.name))
      .map(({ question }) => ask('data.refresh', question)),
  )
}

/** The same question with another limit, shown as stale meanwhile. */
function answerWithOtherLimit(bare: string): Live | undefined {
  const other = [...watched.values()].findLast(
    (one) => one.listKey === bare && one.live.facts !== null,
  )
  return other && { ...other.live, status: 'stale' }
}

function subscribe(key: string, question: Question, listener: () => void): () => void {
  const one = watched.get(key) ?? add(question, key)
  clearTimeout(one.removalTimer)
  one.removalTimer = undefined
  if (one.watchId === null) begin(one, question)
  one.listeners.add(listener)
  return () => {
    one.listeners.delete(listener)
    if (one.listeners.size === 0) one.removalTimer = setTimeout(() => remove(one), LINGER_MS)
  }
}

/** A growing list takes over the watch id of the shorter one: the engine sends only new rows. */
function begin(one: Watched, question: Question) {
  const before = unwatchedWithOtherLimit(one)
  if (before) {
    clearTimeout(before.removalTimer)
    watched.delete(before.key)
    if (before.live.facts !== null && before.live.rows !== one.live.rows)
      one.live = { ...before.live, status: 'stale' }
    one.initial = before.initial
  }
  one.watchId = before?.watchId ?? String(++lastWatchId)
  byWatchId.set(one.watchId, { one, question })
  watch(one.watchId, question)
}

function unwatchedWithOtherLimit(one: Watched): Watched | undefined {
  if (one.listKey === one.key) return undefined
  return [...watched.values()].findLast(
    (other) => other !== one && other.removalTimer !== undefined && other.listKey === one.listKey,
  )
}

function remove(one: Watched) {
  watched.delete(one.key)
  if (one.watchId === null) return
  byWatchId.delete(one.watchId)
  unwatch(one.watchId)
}

/** The initial answer may stay instead, marked as offline when the server did not answer. */
function onFrame(watchId: string, frame: Frame) {
  const { one, question } = byWatchId.get(watchId) ?? {}
  if (!one || !question) return
  if (one.refetchOnce && frame.status === 'ready') void ask('data.refresh', question)
  one.refetchOnce = false
  const initial = initialAfter(one, frame)
  const shown =
    initial && staysShown(initial, frame)
      ? one.live
      : applyFrame(one.live.rows, frame, limitOf(question))
  const live: Live =
    initial?.failed === true ? { ...shown, status: 'offline', since: initial.since } : shown
  if (live === one.live) return
  one.live = live
  for (const listener of one.listeners) listener()
}

onEvent((event) => {
  if (event.kind === 'frame') onFrame(event.key, event.frame)
})

/** If the server does not answer, what it embedded in the page goes to the local database. */
function initialAfter(one: Watched, frame: Frame): InitialAnswer | null {
  const { initial } = one
  if (!initial) return null
  if (isAnswered(frame)) {
    one.initial = null
    return null
  }
  if (initial.failed || isLoading(frame)) return initial
  // The first failure: `failed` lets this happen once.
  initial.failed = true
  if (initial.embedded && initial.since !== null)
    void ask('listings.given', {
      rows: one.live.rows.map((row) => ({ ...row })),
      at: initial.since,
    })
  return initial
}

/** The server has confirmed the rows, or the answer is a problem to show. */
function isAnswered({ status, since, facts }: Frame) {
  return since !== null || status === 'ready' || ('problem' in facts && facts.problem !== null)
}

/** Also with local rows: the server is asked for newer ones. */
function isLoading({ status, ids }: Frame) {
  return status === 'loading' || (status === 'stale' && ids.length > 0)
}

/** An empty answer does not replace rows, and the server's list is better than one built locally. */
function staysShown({ embedded }: InitialAnswer, { ids, facts }: Frame) {
  return ids.length === 0 || (embedded && 'coverage' in facts)
}

/** Nothing of one user may flash up for the next: answers under the old watch ids are ignored. */
onSession(() => {
  const before = [...byWatchId]
  byWatchId.clear()
  for (const one of watched.values()) {
    one.live = loading
    one.initial = null
    for (const listener of one.listeners) listener()
  }
  for (const [watchId, { one, question }] of before) {
    unwatch(watchId)
    one.watchId = String(++lastWatchId)
    byWatchId.set(one.watchId, { one, question })
    watch(one.watchId, question)
  }
})
