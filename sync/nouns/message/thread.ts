import type { MessageDocument } from '#schema/disk/documents'

/** How far the rows of a thread hang together, from the newest backwards. */
export interface Held {
  /** Rows without a hole between them. */
  readonly count: number
  /** The oldest of them that the server knows; older rows are missing here. null: nothing is missing. */
  readonly gapBefore: MessageDocument | null
}

/**
 * `rows` newest first; `whole`: there are no older ones on the phone. What waits has no `seq` and no hole; rows of a server
 * that numbers none (API.md 19) are taken as they are.
 */
export function heldOf(rows: readonly MessageDocument[], whole: boolean): Held {
  let count = 0
  let newer: MessageDocument | null = null
  for (const row of rows) {
    const numbered = row.serverId !== '' && row.seq > 0
    if (numbered && newer !== null && row.seq < newer.seq - 1) return { count, gapBefore: newer }
    count++
    if (numbered) newer = row
  }
  return { count, gapBefore: whole && newer !== null && newer.seq > 1 ? newer : null }
}
