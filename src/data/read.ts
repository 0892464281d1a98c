import type { Frame, Params, Question, QuestionName } from '#schema/port/question'
import { useSyncExternalStore } from 'react'
import { ask } from './ask.ts'
import { onNote, unwatch, watch } from './engine.ts'
import { firstAnswers, keepAnswer, withoutLimit } from './firstAnswers.ts'
import { applyFrame, type Live, loading, type Rows } from './live.ts'
import { onSession } from './session.ts'

/** Answers without a reader stay this long, so that going back shows them in the same frame. */
const LINGER_MS = 60_000

interface Entry<N extends QuestionName = QuestionName> {
  readonly name: N
  readonly key: string
  /** The port's name for it while it is watched. */
  port: string | null
  readonly listeners: Set<() => void>
  /** As it was drawn, while React takes the HTML over. */
  readonly drawn: Live<N>
  live: Live<N>
  rows: Rows<N>
  /** A person reloaded the page: the server is asked again, however fresh the phone's answer is. */
  again: boolean
  /** What `live` began with, until the server has answered. */
  early: Early | null
  leaving: ReturnType<typeof setTimeout> | undefined
}

interface Early {
  readonly given: boolean
  readonly since: number | null
  /** The server was asked, and did not answer. */
  failed: boolean
}

const entries = new Map<string, Entry>()
const RELOADED_MS = 10_000
/** What a person reloads: lists and what they lead to. */
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

/** The one way to read: answers from what the phone holds, and follows every change. */
export function useLiveQuery<N extends QuestionName>(name: N, params: Params<N>): Live<N> {
  return useAnswer(name, params, (live) => live)
}

/** One value of what a question answers, for those of whom there are many: only a change of the value draws them again. */
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
    () => of(entryOf(name, key).drawn),
  )
}

/** Equal questions have equal keys, whatever the order of their members. */
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
    drawn: shown,
    live: start ?? loading,
    rows: new Map(start?.rows.map((row) => [row.id, row])),
    early: first ? { given, since: first.since, failed: false } : null,
    again: !import.meta.env.SSR && RELOADS.test(name) && isReloaded(),
    leaving: undefined,
  }
  // A server draws for many: nobody finds what another was shown.
  if (!import.meta.env.SSR) entries.set(key, entry)
  return entry
}

/** A list asked for with a higher limit starts from what it showed before. */
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

/** A list that grows goes on under the port's name of the shorter one, so that only its new rows come. */
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

/** The same list with another limit, which nobody looks at any more. */
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

onNote((note) => {
  if (note.kind !== 'frame') return
  const { entry, question } = ports.get(note.key) ?? {}
  if (!entry || !question) return
  // What is old is asked for anyway.
  if (entry.again && note.frame.status === 'ready') void ask('data.refresh', question)
  entry.again = false
  const early = stillEarly(entry, note.frame)
  const shown =
    early && staysShown(early, note.frame)
      ? { rows: entry.rows, live: entry.live }
      : applyFrame(entry.rows, note.frame)
  const live: Live =
    early?.failed === true ? { ...shown.live, status: 'offline', since: early.since } : shown.live
  entry.rows = shown.rows
  if (live === entry.live) return
  entry.live = live
  keepAnswer(entry.key, live)
  for (const listener of entry.listeners) listener()
})

/** Of an answer that the page began with, while the server has not answered; what the server gave is kept once it does not. */
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

/** Rows that stand are not wiped by none; what the server gave of a list is better than what the phone puts together. */
function staysShown({ given }: Early, { ids, facts }: Frame): boolean {
  return ids.length === 0 || (given && 'coverage' in facts)
}

/**
 * What belongs to one person is not shown to the next for a single frame: every question is asked anew under another
 * name, so that what is still on its way from before finds nobody.
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
