import type { NotificationDocument } from '#schema/disk/documents'
import { MESSAGE_MERGE_MS, SAME_TAG_MS } from '#schema/limits'
import { msOf } from '../tolerant.ts'

/**
 * Merges for display, newest first: messages of one conversation within 90 s count as one entry
 * [S4.13], equal tags within 2.5 s are dropped [S4.15]. Stored rows stay unchanged.
 */
export function merged(
  newestFirst: readonly NotificationDocument[],
): readonly NotificationDocument[] {
  const shown: NotificationDocument[] = []
  /** Per kind: index of its newest entry, and time of the oldest merged row. */
  const last = new Map<string, { readonly at: number; readonly ms: number }>()
  for (const row of newestFirst) {
    const message = row.event === 'message.created' && row.conversation_id !== null
    const kind = message ? `message ${row.conversation_id}` : `tag ${row.tag}`
    const ms = msOf(row.ts)
    const before = last.get(kind)
    const entry = before && shown[before.at]
    if (before && entry && before.ms - ms <= (message ? MESSAGE_MERGE_MS : SAME_TAG_MS)) {
      if (message) {
        shown[before.at] = {
          ...entry,
          read: entry.read && row.read,
          meta: { ...entry.meta, count: entry.meta.count + row.meta.count },
        }
        last.set(kind, { at: before.at, ms })
      }
    } else {
      last.set(kind, { at: shown.length, ms })
      shown.push(row)
    }
  }
  return shown
}
