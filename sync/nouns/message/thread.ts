import type { MessageDocument } from '#schema/disk/documents'
import { msOf } from '../tolerant.ts'

/** How far the rows of a thread hang together, from the newest backwards. */
export interface Held {
  /** Rows without a hole between them. */
  readonly count: number
  /** The oldest of them that the server knows; older rows are missing here. null: nothing is missing. */
  readonly gapBefore: MessageDocument | null
}

/**
 * `rows` newest first; `whole`: there are no older ones on the phone. What waits has no `seq` and no hole; rows of a server
 * that numbers none [API 19] are taken as they are.
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

/** Between two copies of one message, which a server that ignores keys made of two tries [API 19]. */
const SAME_MS = 10 * 60_000

/** Of an own message that stands twice on a server that ignores keys the copy that was not written here is left out [SYNC 5]. */
export function shownOnce(
  rows: readonly MessageDocument[],
  me: string,
): readonly MessageDocument[] {
  const nameless = rows.filter(
    (row) => row.sender_id === me && row.serverId !== '' && row.client_id === null,
  )
  const here = nameless.filter(({ id, serverId }) => id !== serverId)
  const copies = new Set(
    nameless.filter(
      ({ id, serverId, content, created_at: at }) =>
        id === serverId &&
        here.some(
          (one) => one.content === content && Math.abs(msOf(one.created_at) - msOf(at)) <= SAME_MS,
        ),
    ),
  )
  return copies.size === 0 ? rows : rows.filter((row) => !copies.has(row))
}
