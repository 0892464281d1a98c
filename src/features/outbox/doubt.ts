import type { Entry } from '#schema/disk/entry'

/** Whether it, or an older version of it, may be with the server though nobody said so. A server's refusal ends the doubt about the newest. */
export function mayHaveArrived({
  doubt,
  tried,
  state,
}: Pick<Entry, 'doubt' | 'tried' | 'state'>): boolean {
  return doubt || state === 'sending' || tried.length > 0
}
