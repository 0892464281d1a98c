import type { MessageDocument } from '#schema/disk/documents'
import { msOf, SAME_MS } from '../tolerant.ts'

export interface Held {
  readonly count: number
  /** The oldest contiguous row of the server, if older rows are missing; null: none missing. */
  readonly gapBefore: MessageDocument | null
}

/**
 * `rows` newest first; `whole`: no older local rows. Pending rows, and rows of a server without
 * `seq` [API 19], never have a gap.
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

/**
 * Hides the duplicate of an own message on a server without keys: the copy that was not written
 * here [SYNC 5].
 */
export function shownOnce(
  rows: readonly MessageDocument[],
  me: string,
): readonly MessageDocument[] {
  const nameless = rows.filter(
    (row) => row.sender_id === me && row.serverId !== '' && row.client_id === null,
  )
  const writtenHere = nameless.filter(({ id, serverId }) => id !== serverId)
  const copies = new Set(
    nameless.filter(
      ({ id, serverId, content, created_at: at }) =>
        id === serverId &&
        writtenHere.some(
          (one) => one.content === content && Math.abs(msOf(one.created_at) - msOf(at)) <= SAME_MS,
        ),
    ),
  )
  return copies.size === 0 ? rows : rows.filter((row) => !copies.has(row))
}
