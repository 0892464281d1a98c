import { SAME_TAG_MS } from '#schema/limits'
import type { EventHandler } from '../../noun.ts'
import { markRead, markReadUpTo } from './commands.ts'
import { readNotification, trim } from './questions.ts'

/** [API 4.9] */
const UNLISTED: readonly string[] = ['conversation.updated', 'notification.read']

/** [S3.14]; not shown again with the same tag [S4.15]. */
const any: EventHandler = async (event, _frame, { store }) => {
  if (UNLISTED.includes(event.event)) return { notified: null }
  const document = readNotification(event)
  if (!document) return { notified: null }
  const known = await store.notifications.findOne(document.id).exec()
  const [newest] = await store.notifications.find({ limit: 1 }).exec()
  await store.notifications.put([document], (stored, incoming) => ({
    ...incoming,
    read: stored.read || incoming.read,
  }))
  await trim(store)
  const again =
    newest?.tag === document.tag && Math.abs(newest.newest - document.newest) <= SAME_TAG_MS
  return { notified: document.read || known !== null || again ? null : document.id }
}

/** Read on another device of the same user. */
const read: EventHandler = async (event, _frame, { store }) => {
  const { ids, upTo } = event.meta
  for (const id of Array.isArray(ids) ? ids : [])
    if (typeof id === 'string') await markRead(store, id)
  if (typeof upTo === 'string') await markReadUpTo(store, upTo)
}

export const notificationEvents: Readonly<Record<string, EventHandler>> = {
  '*': any,
  'notification.read': read,
}
