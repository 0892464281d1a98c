import type { Entry } from '#schema/disk/entry'
import { members } from '#schema/tolerant'
import type { CommandRules } from '../noun.ts'
import { knownEntry, queued } from './accept.ts'
import { entryOf, type OutboxState, removed, type Transition, withEntry } from './state.ts'
import { isBehind, renewed, waitingAgain, withBehind } from './transitions.ts'

export type EditResult = Transition<string | null>

/**
 * If the outcome is unknown, the server must honour keys: it executes one version and answers 422
 * to the other [API 2].
 */
export function edit(
  state: OutboxState,
  owner: string,
  id: string,
  content: string,
  rules: CommandRules,
): EditResult {
  const entry = entryOf(state, id)
  const known = entry && knownEntry(rules, entry)
  if (!known || entry.owner !== owner) return { state, result: 'not_found' }
  const { rule, command } = known
  if (!rule.change?.text) return { state, result: 'not_editable' }
  if (maybeSent(entry) || (entry.uncertain && !state.meta.keysKept))
    return { state, result: 'maybe_sent' }
  const payload = rule.change.text(command.payload, content)
  const fresh = { triedAt: 0, tries: 0, notBefore: entry.retryAt ?? 0 }
  const tried = [{ payload: entry.payload, at: entry.triedAt }, ...entry.tried]
  const changed: Entry = {
    ...entry,
    ...(entry.uncertain && entry.triedAt > 0 && { ...fresh, tried }),
    payload: { ...entry.payload, ...members(payload) },
    ...(entry.state === 'refused' && !isBehind(entry) && waitingAgain),
  }
  return queued(changed)
    ? { state: renewed(state, changed), result: null }
    : { state, result: 'invalid' }
}

/** A dependent entry replaces it, waits for nothing, or is removed too. */
export function remove(
  state: OutboxState,
  owner: string,
  id: string,
  rules: CommandRules,
): EditResult {
  const entry = entryOf(state, id)
  if (entry?.owner === owner)
    return maybeSent(entry)
      ? { state, result: 'maybe_sent' }
      : { state: without(state, entry, rules), result: null }
  const unread = state.unread.filter(
    (one) => one.id !== id || (one.owner !== owner && one.owner !== ''),
  )
  return {
    state: unread.length < state.unread.length ? { ...state, unread } : state,
    result: entry ? 'not_found' : null,
  }
}

function maybeSent({ state }: Entry) {
  return state === 'sending' || state === 'acknowledged'
}

function without(state: OutboxState, entry: Entry, rules: CommandRules): OutboxState {
  const gone = withEntry(state, entry.id, () => removed)
  const waiting = gone.entries.filter((one) => one.after === entry.id)
  const isFreed = !isBehind(entry)
  const free = (one: Entry) => (isFreed && isBehind(one) ? { ...one, ...waitingAgain } : one)
  const alone = waiting.flatMap((one) => aloneOf(free(one), entry, rules) ?? [])
  if (alone.length === 0) return waiting.reduce((next, one) => without(next, one, rules), gone)
  // The others then wait for the dependent entry that does the same as the removed one.
  const heir = alone.find(({ name }) => name === entry.name)
  const own = alone.filter((one) => one === heir || one.name !== entry.name)
  const behind = new Set([entry, ...own].flatMap(({ id }) => [...withBehind(gone, id, isBehind)]))
  const entries = gone.entries.map((one) => {
    if (one.id === entry.id) return one
    const next = own.find(({ id }) => id === one.id)
    if (next) return next
    const moved = heir && one.after === entry.id ? { ...one, after: heir.id } : one
    return behind.has(one.id) ? free(moved) : moved
  })
  return { ...gone, entries }
}

function aloneOf(entry: Entry, { after }: Entry, rules: CommandRules) {
  const known = knownEntry(rules, entry)
  const next = known?.rule.after?.alone?.(known.command.payload)
  return next ? { ...entry, name: next.name, payload: members(next.payload), after } : null
}
