import { type Entry, isRemoved } from '#schema/disk/entry'
import type { AnyRule, QueuedCommand, Tools } from '../noun.ts'
import type { OutboxState } from './state.ts'

/** An unfinished entry whose documents were written. */
export interface Shown {
  readonly rule: AnyRule
  readonly entry: Entry
  readonly seen: QueuedCommand<unknown>
}

/**
 * Later entries of the same toggle, which alone decide its documents. The outbox knows the order;
 * times do not, since clocks are set back [SYNC 7].
 */
export function replacing(
  { entries }: OutboxState,
  { sequence, owner, lane, name }: Entry,
  rule: AnyRule,
): readonly Entry[] {
  if (!rule.collapse || !rule.apply || !rule.revert) return []
  return entries.filter(
    (one) =>
      one.sequence > sequence &&
      one.owner === owner &&
      one.lane === lane &&
      one.name === name &&
      one.state !== 'refused' &&
      !isRemoved(one),
  )
}

/**
 * Another tab, or another action, may have reverted the documents of a removed entry just before
 * they were written again.
 */
export async function revertIfGone(
  state: OutboxState,
  { rule, entry, seen }: Shown,
  tools: Tools,
): Promise<void> {
  const isGone =
    !state.meta.done.includes(entry.id) &&
    state.entries.every((one) => one.id !== entry.id || isRemoved(one))
  if (isGone && replacing(state, entry, rule).length === 0) await rule.revert?.(seen, null, tools)
}
