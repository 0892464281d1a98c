import type { Entry } from '#schema/disk/entry'

/** Whether it, or an older version of it, may have arrived without an answer. */
export function mayHaveArrived({
  doubt,
  tried,
  state,
}: Pick<Entry, 'doubt' | 'tried' | 'state'>): boolean {
  return doubt || state === 'sending' || tried.length > 0
}
