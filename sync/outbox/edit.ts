import type { Entry } from '#schema/disk/entry'
import type { CommandRules } from '../noun.ts'
import { membersOf, queued, ruleOf } from './accept.ts'
import { type OutboxState, removed, withEntries } from './state.ts'
import { freed, isBehind, renewed, type Transition, withBehind, withEntry } from './transitions.ts'

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
  const entry = state.entries.find((one) => one.id === id && one.owner === owner)
  const seen = entry && queued(entry)
  const rule = entry && ruleOf(rules, entry.name)
  if (!seen || !rule) return { state, result: 'not_found' }
  if (!rule.change?.text) return { state, result: 'not_editable' }
  if (
    entry.state === 'sending' ||
    entry.state === 'acknowledged' ||
    (entry.uncertain && !state.meta.keysKept)
  )
    return { state, result: 'maybe_sent' }
  const payload = rule.change.text(seen.payload, content)
  // The new content has no failed tries: it is due as soon as the server allows.
  const fresh = { triedAt: 0, tries: 0, notBefore: entry.retryAt ?? 0 }
  const before =
    entry.uncertain && entry.triedAt > 0
      ? { ...fresh, tried: [{ payload: entry.payload, at: entry.triedAt }, ...entry.tried] }
      : {}
  const changed = {
    ...entry,
    ...before,
    payload: { ...entry.payload, ...membersOf(payload) },
  }
  if (!queued(changed)) return { state, result: 'invalid' }
  // An entry parked behind another one stays parked, and so do its dependents.
  const again: Entry =
    entry.state === 'refused' && !isBehind(entry)
      ? { ...changed, state: 'waiting', problem: null, why: null, notBefore: 0 }
      : changed
  return { state: renewed(state, again), result: null }
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
  const entry = state.entries.find((one) => one.id === id && one.owner === owner)
  const others = state.unread.filter(
    (one) => one.id !== id || (one.owner !== owner && one.owner !== ''),
  )
  if (!entry)
    return {
      state: others.length < state.unread.length ? { ...state, unread: others } : state,
      result: state.entries.some((one) => one.id === id) ? 'not_found' : null,
    }
  if (entry.state === 'sending' || entry.state === 'acknowledged')
    return { state, result: 'maybe_sent' }
  return { state: without(state, entry, rules), result: null }
}

function without(state: OutboxState, entry: Entry, rules: CommandRules): OutboxState {
  const gone = withEntry(state, entry.id, removed)
  const waiting = gone.entries.filter((one) => one.after === entry.id)
  // If the removed entry was parked behind another one, its dependents stay parked behind that one.
  const free = isBehind(entry) ? (one: Entry): Entry => one : freed
  const heir = waiting.map((one) => heirOf(free(one), entry, rules)).find((one) => one !== null)
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
    ? { ...heir, name: next.name, payload: membersOf(next.payload), after: entry.after }
    : null
}
