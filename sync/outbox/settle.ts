import { type Entry, isRemoved } from '#schema/disk/entry'
import type { AnyRule, Tools } from '../noun.ts'
import { isOfLane, knownEntry, type KnownEntry, type Settling } from './accept.ts'
import { entryOf, type OutboxState } from './state.ts'
import { discard } from './transitions.ts'

/**
 * Steps 2, 4 and 5 of [SYNC 5]; repeatable. For these `ids` and all that are acknowledged; without
 * `ids` for all of this user.
 */
export async function settle(settling: Settling, state: OutboxState, ids?: readonly string[]) {
  const { table, rules, tools } = settling
  const owner = tools.currentUser().me
  const again: string[] = []
  const shown: KnownEntry[] = []
  for (const entry of state.entries) {
    const isOwn = entry.owner === owner && (!ids || entry.state === 'acknowledged')
    if (!isOwn && ids?.includes(entry.id) !== true) continue
    const known = knownEntry(rules, entry)
    if (!known) continue
    const { rule } = known
    if (tools.currentUser().me !== owner) return
    // Another user's documents are closed.
    if (entry.owner !== owner && (rule.apply ?? rule.settle ?? rule.revert)) continue
    if (replacing(state, entry, rule).length === 0) await follow(known, tools)
    if (entry.state === 'acknowledged') again.push(...(await finish(table, entry, rule)))
    else shown.push(known)
  }
  if (shown.length > 0 && tools.currentUser().me === owner)
    again.push(...(await outdated(await table.read(), shown, tools)))
  if (again.length > 0) await settle(settling, await table.read(), again)
}

/**
 * Resolves with the ids to settle after it: its own if it was sent again meanwhile, and those that
 * replace it.
 */
function finish(table: Settling['table'], entry: Entry, rule: AnyRule) {
  return table.change((now) => ({
    state: discard(now, entry.id),
    result: [
      ...now.entries.filter(({ id, state }) => id === entry.id && state !== 'acknowledged'),
      ...replacing(now, entry, rule),
    ].map(({ id }) => id),
  }))
}

async function follow({ rule, entry, command }: KnownEntry, tools: Tools) {
  if (entry.state === 'refused') return rule.revert?.(command, entry.problem, tools)
  if (entry.state !== 'acknowledged') return rule.apply?.(command, tools)
  if (isRemoved(entry)) return rule.revert?.(command, null, tools)
  const read = entry.answer === null ? null : rule.deliver(command).answer(entry.answer)
  return rule.settle?.(command, read && 'answer' in read ? read.answer : null, tools)
}

/**
 * Later entries of the same toggle, which alone decide its documents; by sequence, since clocks may
 * be set back [SYNC 7].
 */
function replacing({ entries }: OutboxState, entry: Entry, rule: AnyRule) {
  if (!rule.collapse || !rule.apply || !rule.revert) return []
  return entries.filter(
    (one) =>
      one.sequence > entry.sequence &&
      isOfLane(one, entry, entry.name) &&
      one.state !== 'refused' &&
      !isRemoved(one),
  )
}

/**
 * Ids of entries that changed while their documents were written. Reverts what is gone: whoever
 * removed it may have done so just before.
 */
async function outdated(state: OutboxState, shown: readonly KnownEntry[], tools: Tools) {
  const changed: string[] = []
  for (const { rule, entry, command } of shown) {
    const now = entryOf(state, entry.id)
    if (now && !isRemoved(now)) {
      if (looksOf(now) !== looksOf(entry)) changed.push(now.id)
    } else if (!state.meta.done.includes(entry.id) && replacing(state, entry, rule).length === 0)
      await rule.revert?.(command, null, tools)
  }
  return changed
}

function looksOf({ state, problem, payload }: Entry) {
  const isParked = state === 'refused' || state === 'acknowledged'
  return JSON.stringify([isParked && [state, problem], payload])
}
