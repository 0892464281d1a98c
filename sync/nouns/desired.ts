import type { CollapseResult, QueuedCommand } from '../noun.ts'

/**
 * Toggles are desired end states [SYNC 5]: the opposite of what waits takes both away, the same once more is nothing
 * new, and what was refused gives way to the new wish. `waiting` holds only what surely never left the phone.
 */
export function collapseDesired<P>(
  id: string,
  wanted: boolean,
  waiting: readonly QueuedCommand<P>[],
  refused: readonly QueuedCommand<P>[],
  wantedBy: (payload: P) => boolean,
): CollapseResult {
  const last = waiting.at(-1)
  const drop = refused.map((one) => one.id)
  if (!last) return { drop, instead: id }
  return wantedBy(last.payload) === wanted
    ? { drop, instead: last.id }
    : { drop: [...drop, last.id], instead: null }
}

/** The last word stands for those before it, the refused ones too. */
export function collapseAll<P>(
  id: string,
  ...before: readonly (readonly QueuedCommand<P>[])[]
): CollapseResult {
  return { drop: before.flat().map((one) => one.id), instead: id }
}
