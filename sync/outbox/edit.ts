import type { Entry } from '#schema/disk/entry'
import { members } from '#schema/tolerant'
import type { CommandRules } from '../noun.ts'
import { queued, ruleOf } from './accept.ts'
import { type OutboxState, entryOf, removed, withEntries } from './state.ts'
import {
  freed,
  isBehind,
  renewed,
  type Transition,
  waitingAgain,
  withBehind,
  withEntry,
} from './transitions.ts'

/** null on success, else an error code. */
export type EditResult = Transition<string | null>

/**
 * Edits an entry under its key. With unknown outcome this is safe only if the server honours keys:
 * it executes one version and answers 422 to the other [API 2].
 */
export function edit(
  state: OutboxState,
  owner: string,
  id: string,
  content: string,
  rules: CommandRules,
): EditResult {
  const entry = entryOf(state, id)
  const seen = entry && queued(entry)
  const rule = entry && ruleOf(rules, entry.name)
  if (!seen || !rule || entry.owner !== owner) return { state, result: 'not_found' }
  if (!rule.change?.text) return { state, result: 'not_editable' }
  if (maybeSent(entry) || (entry.uncertain && !state.meta.keysKept))
    return { state, result: 'maybe_sent' }
  const payload = rule.change.text(seen.payload, content)
  // The new content has no failed tries: it is due as soon as the server allows.
  const fresh = { triedAt: 0, tries: 0, notBefore: entry.retryAt ?? 0 }
  const tried = [{ payload: entry.payload, at: entry.triedAt }, ...entry.tried]
  const changed: Entry = {
    ...entry,
    ...(entry.uncertain && entry.triedAt > 0 && { ...fresh, tried }),
    payload: { ...entry.payload, ...members(payload) },
    // An entry parked behind another one stays parked, and so do its dependents.
    ...(entry.state === 'refused' && !isBehind(entry) && waitingAgain),
  }
  return queued(changed)
    ? { state: renewed(state, changed), result: null }
    : { state, result: 'invalid' }
}

/**
 * Removes an entry for good. A dependent entry replaces it where its rule allows, else it is
 * removed too.
 */
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

function maybeSent({ state }: Entry): boolean {
  return state === 'sending' || state === 'acknowledged'
}

function without(state: OutboxState, entry: Entry, rules: CommandRules): OutboxState {
  const gone = withEntry(state, entry.id, removed)
  const waiting = gone.entries.filter((one) => one.after === entry.id)
  // If the removed entry was parked behind another one, its dependents stay parked behind that one.
  const free = isBehind(entry) ? (one: Entry): Entry => one : freed
  const heir = waiting.map((one) => heirOf(free(one), entry, rules)).find(Boolean)
  if (!heir) return waiting.reduce((next, one) => without(next, one, rules), gone)
  const behind = new Set([
    ...withBehind(gone, entry.id, isBehind),
    ...withBehind(gone, heir.id, isBehind),
  ])
  return withEntries(gone, (one) => {
    if (one.id === heir.id) return heir
    if (one.id === entry.id) return one
    const next = one.after === entry.id ? { ...one, after: heir.id } : one
    return behind.has(one.id) ? free(next) : next
  })
}

function heirOf(heir: Entry, entry: Entry, rules: CommandRules): Entry | null {
  const seen = queued(heir)
  const next = seen && ruleOf(rules, heir.name)?.after?.alone?.(seen.payload)
  return next
    ? { ...heir, name: next.name, payload: members(next.payload), after: entry.after }
    : null
}
