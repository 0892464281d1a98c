import { type Entry, isRemoved } from '#schema/disk/entry'
import type { AnyRule, CommandRules, QueuedCommand, Tools } from '../noun.ts'
import { queued, ruleOf } from './accept.ts'
import { replacing, revertIfGone, type Shown } from './newer.ts'
import type { OutboxState } from './state.ts'
import { discard } from './transitions.ts'
import type { Table } from './table.ts'

export interface Settlement {
  readonly table: Pick<Table, 'change' | 'read'>
  readonly rules: CommandRules
  /** For the user whose documents are open. */
  readonly tools: Tools
}

/**
 * Steps 4 and 5 of [SYNC 5], and steps 2 and 4 again at start: applies entries to the documents in
 * order and deletes finished rows. Idempotent. `ids` absent: all of this user's; else these and
 * finished ones.
 */
export async function settle(
  { table, rules, tools }: Settlement,
  state: OutboxState,
  ids?: readonly string[],
): Promise<void> {
  const owner = tools.currentUser().me
  const again: string[] = []
  const shown: Shown[] = []
  for (const entry of state.entries) {
    // Finished entries whose documents failed before are updated first, in the order of writing.
    const isOwn = entry.owner === owner && (!ids || entry.state === 'acknowledged')
    if (!isOwn && ids?.includes(entry.id) !== true) continue
    const seen = queued(entry)
    const rule = ruleOf(rules, entry.name)
    if (!seen || !rule) continue
    if (tools.currentUser().me !== owner) return
    // Another user's documents are closed; they are updated when that user signs in.
    if (entry.owner !== owner && hasDocuments(rule)) continue
    if (replacing(state, entry, rule).length === 0) await follow(rule, entry, seen, tools)
    if (entry.state !== 'acknowledged') {
      shown.push({ rule, entry, seen })
      continue
    }
    // Removed and sent again meanwhile, or replaced: its documents were just written and must be
    // those of the newer entry.
    again.push(
      ...(await table.change((now) => ({
        state: discard(now, entry.id),
        result: [
          ...now.entries.filter(({ id, state }) => id === entry.id && state !== 'acknowledged'),
          ...replacing(now, entry, rule),
        ].map(({ id }) => id),
      }))),
    )
  }
  if (shown.length > 0 && tools.currentUser().me === owner)
    again.push(...(await outdated(await table.read(), shown, tools)))
  if (again.length > 0) await settle({ table, rules, tools }, await table.read(), again)
}

async function follow(
  rule: AnyRule,
  entry: Entry,
  seen: QueuedCommand<unknown>,
  tools: Tools,
): Promise<void> {
  if (entry.state === 'refused') return rule.revert?.(seen, entry.problem, tools)
  if (entry.state !== 'acknowledged') return rule.apply?.(seen, tools)
  if (isRemoved(entry)) return rule.revert?.(seen, null, tools)
  const read = entry.answer === null ? null : rule.deliver(seen).answer(entry.answer)
  return rule.settle?.(seen, read && 'answer' in read ? read.answer : null, tools)
}

/** Entries that changed while their documents were written, perhaps over newer ones. */
async function outdated(
  state: OutboxState,
  shown: readonly Shown[],
  tools: Tools,
): Promise<readonly string[]> {
  const changed: string[] = []
  for (const one of shown) {
    await revertIfGone(state, one, tools)
    const now = state.entries.find(({ id }) => id === one.entry.id)
    if (now && !isRemoved(now) && looksOf(now) !== looksOf(one.entry)) changed.push(now.id)
  }
  return changed
}

/** What the documents of an entry depend on. */
function looksOf({ state, problem, payload }: Entry): string {
  const isParked = state === 'refused' || state === 'acknowledged'
  return JSON.stringify([isParked && [state, problem], payload])
}

function hasDocuments(rule: AnyRule): boolean {
  return Boolean(rule.apply ?? rule.settle ?? rule.revert)
}
