import type { Queued } from '../noun.ts'

/**
 * Toggles are desired end states (SYNC.md 5): the opposite of what waits takes both away, the same once more is nothing
 * new. `waiting` holds only what surely never left the phone.
 */
export function collapseDesired<P>(wanted: boolean, waiting: readonly Queued<P>[], wantedBy: (payload: P) => boolean): { readonly drop: readonly string[]; readonly queue: boolean } {
  const last = waiting.at(-1)
  if (!last) return { drop: [], queue: true }
  return wantedBy(last.payload) === wanted ? { drop: [], queue: false } : { drop: [last.id], queue: false }
}
