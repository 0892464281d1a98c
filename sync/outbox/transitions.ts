import { type Entry, isRemoved, isUnsent, type WaitReason } from '#schema/disk/entry'
import { VISITOR_TEXT_MS } from '#schema/limits'
import type { Problem } from '#schema/wire/problem'
import { causeOf } from '../network/backoff.ts'
import type { AnyStep, IdMapping, Progress } from '../noun.ts'
import {
  entryOf,
  type OutboxState,
  remembered,
  sessionOf,
  textId,
  tokenOf,
  type Transition,
  withEntries,
  withEntry,
  withMeta,
} from './state.ts'

/** Pure functions, each run inside one transaction. */

export const waitingAgain = { state: 'waiting', why: null, problem: null, notBefore: 0 } as const

/** Updates by earlier leaders are rejected from now on. */
export function takeFence(state: OutboxState, owner: string): Transition<number> {
  const fence = (state.meta.fences[owner] ?? 0) + 1
  const led = withMeta(state, { fences: { ...state.meta.fences, [owner]: fence } })
  // What was in flight has an unknown outcome.
  const left = withEntries(
    led,
    (entry) => entry.owner === owner && entry.state === 'sending',
    () => ({ state: 'waiting', uncertain: true }),
  )
  return { state: left, result: fence }
}

export function leads(state: OutboxState, owner: string, fence: number) {
  return state.meta.fences[owner] === fence
}

/** Before the first byte is sent. */
export function begin(state: OutboxState, ids: readonly string[], fence: number, now: number) {
  return withEntries(
    state,
    ({ id }) => ids.includes(id),
    ({ triedAt }) => ({ state: 'sending', why: null, fence, triedAt: triedAt || now }),
  )
}

export function done(state: OutboxState, id: string, answer: unknown, created?: IdMapping | null) {
  const finished = withEntry(state, id, ({ tries }) => ({
    state: 'acknowledged',
    why: null,
    problem: null,
    uncertain: false,
    answer,
    tries: tries + 1,
  }))
  const owner = entryOf(state, id)?.owner
  return created && owner !== undefined && created.from !== created.to
    ? rename(finished, owner, created)
    : finished
}

/** With what the answer tells: a created object, the key that the server echoes. */
export function acknowledged(
  state: OutboxState,
  id: string,
  body: unknown,
  progress: Progress,
  step: AnyStep,
) {
  const next = done(state, id, body, progress.created)
  const echo =
    body !== null && 'answer' in progress ? step.keyless?.echo?.(progress.answer) : undefined
  return echo
    ? withMeta(next, {
        keysKept: echo.key === id,
        claimed: remembered(state.meta.claimed, echo.id),
      })
    : next
}

export function later(
  state: OutboxState,
  id: string,
  why: WaitReason,
  notBefore: number,
  { reached, uncertain }: { readonly reached: boolean; readonly uncertain: boolean },
) {
  return withEntry(state, id, (entry) => ({
    state: 'waiting',
    why,
    notBefore,
    uncertain: entry.uncertain || uncertain,
    tries: entry.tries + (reached ? 1 : 0),
  }))
}

export function refused(state: OutboxState, id: string, problem: Problem) {
  return park(state, id, problem, ({ tries }) => ({ uncertain: false, tries: tries + 1 }))
}

export function park(
  state: OutboxState,
  id: string,
  problem: Problem,
  change: (entry: Entry) => Partial<Entry>,
) {
  const parked = withBehind(state, id, canPark)
  return withEntries(
    state,
    (entry) => parked.has(entry.id),
    (entry) => {
      const isRoot = entry.id === id
      const why = isRoot ? null : 'behind'
      return { state: 'refused', problem, why, ...(isRoot && change(entry)) }
    },
  )
}

/** With transitive dependents. One pass: they were written later. */
export function withBehind(state: OutboxState, id: string, which: (entry: Entry) => boolean) {
  const found = new Set([id])
  for (const entry of state.entries)
    if (entry.after !== null && found.has(entry.after) && which(entry)) found.add(entry.id)
  return found
}

/** A refusal may arrive after sign-out. */
function canPark({ state }: Entry) {
  return state === 'waiting' || state === 'signed-out'
}

function rootOf(state: OutboxState, entry: Entry): Entry {
  const first = isBehind(entry) ? entryOf(state, entry.after ?? '') : undefined
  return first ? rootOf(state, first) : entry
}

/** Parked because an entry it depends on was refused. */
export function isBehind(entry: Entry) {
  return entry.why === 'behind'
}

/** Unless it stays parked, those parked behind it wait again. */
export function renewed(state: OutboxState, entry: Entry) {
  const chosen =
    entry.state === 'refused' ? new Set([entry.id]) : withBehind(state, entry.id, isBehind)
  return withEntries(
    state,
    ({ id }) => chosen.has(id),
    ({ id }) => (id === entry.id ? entry : waitingAgain),
  )
}

export function signedOut(state: OutboxState, owner: string, token: string) {
  const ended = withoutSession(state, owner, token)
  return tokenOf(ended, owner) === null ? withMeta(ended, { lapsed: owner }) : ended
}

export function withoutSession(state: OutboxState, owner: string, token: string) {
  const sessions = state.meta.sessions.filter((session) => session.token !== token)
  const ended = withMeta(state, { sessions })
  return owner === '' || tokenOf(ended, owner) !== null ? ended : pause(ended, owner)
}

export function pause(state: OutboxState, owner: string) {
  return withEntries(
    state,
    (entry) => entry.owner === owner && isUnsent(entry),
    (entry) => ({
      state: 'signed-out',
      why: null,
      uncertain: entry.uncertain || entry.state === 'sending',
    }),
  )
}

/** A user who signs in adopts what a visitor saved and typed. */
export function resume(
  state: OutboxState,
  owner: string,
  adopts: (entry: Entry) => boolean,
  now: number,
) {
  const isLatest = !sessionOf(state, owner)?.replaced
  return withEntries(
    isLatest ? withVisitorTexts(state, owner, now) : state,
    (entry) =>
      entry.owner === ''
        ? isLatest && entry.state !== 'acknowledged' && adopts(entry)
        : entry.owner === owner && entry.state === 'signed-out',
    () => ({ owner, state: 'waiting', why: null, notBefore: 0 }),
  )
}

/** An own text of the same key is continued; those of an earlier visit are deleted. */
function withVisitorTexts(state: OutboxState, owner: string, now: number) {
  const typed = state.texts.filter((text) => text.owner === '')
  if (typed.length === 0) return state
  const adopted = typed
    .filter((text) => isOfThisVisit(text, now))
    .map((text) => {
      const id = textId(owner, text.key)
      const own = state.texts.find((one) => one.id === id)
      const content = own ? `${own.content}\n${text.content}` : text.content
      return { ...text, id, owner, content }
    })
  const kept = state.texts.filter(
    (text) => text.owner !== '' && !adopted.some(({ id }) => id === text.id),
  )
  return { ...state, texts: [...kept, ...adopted] }
}

export const isOfThisVisit = ({ owner, at }: OutboxState['texts'][number], now: number) =>
  owner !== '' || Math.abs(now - at) < VISITOR_TEXT_MS

export function endNetworkWaits(state: OutboxState, owner: string) {
  return withEntries(
    state,
    (entry) =>
      entry.owner === owner &&
      entry.state === 'waiting' &&
      entry.notBefore > 0 &&
      causeOf(entry.why) === 'network',
    () => ({ notBefore: 0, why: null }),
  )
}

/** With all that its refusal parked; `id` null: all entries. */
export function retry(state: OutboxState, owner: string, id: string | null) {
  const meant = state.entries.filter(
    (entry) => entry.owner === owner && (id === null || entry.id === id),
  )
  const chosen = new Set(
    meant.flatMap((entry) => [...withBehind(state, rootOf(state, entry).id, isBehind)]),
  )
  return withEntries(
    state,
    (entry) => chosen.has(entry.id) && (entry.state === 'waiting' || entry.state === 'refused'),
    () => waitingAgain,
  )
}

/** Step 5 of [SYNC 5], unless it was sent again meanwhile. */
export function discard(state: OutboxState, id: string) {
  const one = entryOf(state, id)
  if (one?.state !== 'acknowledged') return state
  const rest = withEntry(state, id, () => null)
  return isRemoved(one) ? rest : withMeta(rest, { done: remembered(state.meta.done, id) })
}

/** In entries of now and of later (`meta.made`). */
export function rename(state: OutboxState, owner: string, made: IdMapping) {
  const renamed = withEntries(
    state,
    (entry) => entry.owner === owner && entry.state !== 'acknowledged' && hasLocalId(entry, made),
    (entry) => withServerId(entry, made),
  )
  const others = renamed.meta.made.filter(
    (one) => one.owner !== owner || one.kind !== made.kind || one.from !== made.from,
  )
  return withMeta(renamed, { made: [...others, { owner, ...made }].slice(-300) })
}

function hasLocalId({ lane, payload }: Entry, { kind, from }: IdMapping) {
  return lane === `${kind}:${from}` || payload[kind] === from
}

export function withServerId(entry: Entry, { kind, from, to }: IdMapping) {
  const { lane, payload } = entry
  return {
    ...entry,
    lane: lane === `${kind}:${from}` ? `${kind}:${to}` : lane,
    payload: payload[kind] === from ? { ...payload, [kind]: to } : payload,
  }
}
