import type { CollapseResult, QueuedCommand } from '../noun.ts'

/**
 * For toggles, which are desired end states [SYNC 5]: the opposite cancels a waiting one, the same
 * is ignored, refused ones are replaced.
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
  if (!last) return { drop, representedBy: id }
  return wantedBy(last.payload) === wanted
    ? { drop, representedBy: last.id }
    : { drop: [...drop, last.id], representedBy: null }
}

export function collapseAll<P>(
  id: string,
  ...before: readonly (readonly QueuedCommand<P>[])[]
): CollapseResult {
  return { drop: before.flat().map((one) => one.id), representedBy: id }
}

export function collapseSame<P>(
  id: string,
  waiting: readonly QueuedCommand<P>[],
  isSame: (payload: P) => boolean,
): CollapseResult {
  return { drop: [], representedBy: waiting.find(({ payload }) => isSame(payload))?.id ?? id }
}
