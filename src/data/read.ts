import type { Frame, Params, Question, QuestionName } from '#schema/port/question'
import type { User } from '#schema/wire/account'
import { useSyncExternalStore } from 'react'
import { ask } from './ask.ts'
import { onEvent, unwatch, watch } from './engine.ts'
import { firstAnswers, keepAnswer, withoutLimit } from './firstAnswers.ts'
import { applyFrame, type Live, loading, type Rows } from './live.ts'
import { onSession } from './session.ts'

/** Unsubscribed answers stay cached this long, so that going back shows them in the first frame. */
const LINGER_MS = 60_000

interface Entry<N extends QuestionName = QuestionName> {
  readonly name: N
  readonly key: string
  /** The id under which the port watches it; null while unwatched. */
  port: string | null
  readonly listeners: Set<() => void>
  /** The answer the HTML was rendered from, for hydration. */
  readonly rendered: Live<N>
  live: Live<N>
  rows: Rows<N>
  /** The user reloaded the page: refetch, however fresh the local answer is. */
  again: boolean
  early: Early | null
  leaving: ReturnType<typeof setTimeout> | undefined
}

interface Early {
  readonly given: boolean
  readonly since: number | null
  failed: boolean
}

const entries = new Map<string, Entry>()
const RELOADED_MS = 10_000
/** Queries that a page reload refetches: lists and their details. */
const RELOADS = /^(?:listing|shop|conversation|notifications|account\.me)/

function isReloaded(): boolean {
  const [visit] = performance.getEntriesByType('navigation')
  return (
    visit !== undefined &&
    'type' in visit &&
    visit.type === 'reload' &&
    performance.now() < RELOADED_MS
  )
}

const ports = new Map<string, { readonly entry: Entry; readonly question: Question }>()
let named = 0

/** The only way to read data: answers from the local database, and follows every change. */
export function useLiveQuery<N extends QuestionName>(name: N, params: Params<N>): Live<N> {
  return useAnswer(name, params, (live) => live)
}

export function useMe(): User | undefined {
  return useLiveQuery('account.me', {}).rows[0]?.user
}

/** For components with many instances: they re-render only when this value changes. */
export function useLiveValue<N extends QuestionName, T extends string | number | boolean>(
  name: N,
  params: Params<N>,
  of: (live: Live<N>) => T,
): T {
  return useAnswer(name, params, of)
}

function useAnswer<N extends QuestionName, T>(
  name: N,
  params: Params<N>,
  of: (live: Live<N>) => T,
): T {
  const key = keyOf({ name, params })
  return useSyncExternalStore(
    (listener) => subscribe(key, { name, params }, listener),
    () => of(entryOf(name, key).live),
    () => of(entryOf(name, key).rendered),
  )
}

function keyOf(question: Question): string {
  return JSON.stringify(question, (_member, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}

function entryOf<N extends QuestionName>(name: N, key: string): Entry<N> {
  const entry = entries.get(key) ?? add(name, key)
  if (!isOf(entry, name)) throw new Error(`two questions under one key: ${key}`)
  return entry
}

function isOf<N extends QuestionName>(entry: Entry, name: N): entry is Entry<N> {
  return entry.name === name
}

function add(name: QuestionName, key: string): Entry {
  const { first, shown, given } = firstAnswers(key)
  const start = first ?? shorter(key)
  const entry: Entry = {
    name,
    key,
    port: null,
    listeners: new Set(),
    rendered: shown,
    live: start ?? loading,
    rows: new Map(start?.rows.map((row) => [row.id, row])),
    early: first ? { given, since: first.since, failed: false } : null,
    again: !import.meta.env.SSR && RELOADS.test(name) && isReloaded(),
    leaving: undefined,
  }
  // One server process renders for many users: never cache across renders.
  if (!import.meta.env.SSR) entries.set(key, entry)
  return entry
}

function shorter(key: string): Live<QuestionName> | undefined {
  const bare = withoutLimit(key)
  if (bare === key) return undefined
  const other = [...entries.values()].findLast(
    (entry) => withoutLimit(entry.key) === bare && entry.live.facts !== null,
  )
  return other && { ...other.live, status: 'stale' }
}

function subscribe(key: string, question: Question, listener: () => void): () => void {
  const entry = entries.get(key) ?? add(question.name, key)
  clearTimeout(entry.leaving)
  entry.leaving = undefined
  if (entry.port === null) begin(entry, question)
  entry.listeners.add(listener)
  return () => {
    entry.listeners.delete(listener)
    if (entry.listeners.size === 0) entry.leaving = setTimeout(() => leave(entry), LINGER_MS)
  }
}

/** A growing list reuses the watch id of the shorter one: the engine sends only the new rows. */
function begin(entry: Entry, question: Question): void {
  const before = lingering(entry)
  if (before) {
    clearTimeout(before.leaving)
    entries.delete(before.key)
    entry.rows = before.rows
  }
  entry.port = before?.port ?? String(++named)
  ports.set(entry.port, { entry, question })
  watch(entry.port, question)
}

function lingering(entry: Entry): Entry | undefined {
  const bare = withoutLimit(entry.key)
  if (bare === entry.key) return undefined
  return [...entries.values()].findLast(
    (other) => other !== entry && other.leaving !== undefined && withoutLimit(other.key) === bare,
  )
}

function leave(entry: Entry): void {
  entries.delete(entry.key)
  if (entry.port === null) return
  ports.delete(entry.port)
  unwatch(entry.port)
}

onEvent((event) => {
  if (event.kind !== 'frame') return
  const { entry, question } = ports.get(event.key) ?? {}
  if (!entry || !question) return
  if (entry.again && event.frame.status === 'ready') void ask('data.refresh', question)
  entry.again = false
  const early = stillEarly(entry, event.frame)
  const shown =
    early && staysShown(early, event.frame)
      ? { rows: entry.rows, live: entry.live }
      : applyFrame(entry.rows, event.frame)
  const live: Live =
    early?.failed === true ? { ...shown.live, status: 'offline', since: early.since } : shown.live
  entry.rows = shown.rows
  if (live === entry.live) return
  entry.live = live
  keepAnswer(entry.key, live)
  for (const listener of entry.listeners) listener()
})

/**
 * The initial answer stays until the server answers; if that fails, the local database stores an
 * embedded one.
 */
function stillEarly(entry: Entry, { status, since, ids, facts }: Frame): Early | null {
  const { early } = entry
  if (
    !early ||
    since !== null ||
    status === 'ready' ||
    ('problem' in facts && facts.problem !== null)
  )
    return (entry.early = null)
  if (early.failed || status === 'loading' || (status === 'stale' && ids.length > 0)) return early
  early.failed = true
  if (early.given && early.since !== null)
    void ask('listings.given', {
      rows: entry.live.rows.map((row) => ({ ...row })),
      at: early.since,
    })
  return early
}

/**
 * An empty answer does not replace rows, and the server's list is better than one built locally.
 */
function staysShown({ given }: Early, { ids, facts }: Frame): boolean {
  return ids.length === 0 || (given && 'coverage' in facts)
}

/**
 * One user's data must not show to the next for even a frame: new watch ids drop frames in flight.
 */
onSession(() => {
  const before = [...ports]
  ports.clear()
  for (const entry of entries.values()) {
    entry.live = loading
    entry.rows = new Map()
    entry.early = null
    for (const listener of entry.listeners) listener()
  }
  for (const [port, { entry, question }] of before) {
    unwatch(port)
    entry.port = String(++named)
    ports.set(entry.port, { entry, question })
    watch(entry.port, question)
  }
})
