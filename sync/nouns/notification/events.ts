import { NOTIFICATIONS_STORED, SAME_TAG_MS } from '#schema/limits'
import type { EventHandler } from '../../noun.ts'
import { readNotification } from './read.ts'

/** Events without a notification row on the server [API 4.9]. */
const UNLISTED: readonly string[] = ['conversation.updated', 'notification.read']

/**
 * Stores every other event as a notification [S3.14]. Shown unless its tag was just shown [S4.15];
 * only the newest are stored [S4.17].
 */
const any: EventHandler = async (event, _frame, { store }) => {
  if (UNLISTED.includes(event.event)) return { notified: null }
  const document = readNotification(event)
  if (!document) return { notified: null }
  const known = await store.one('notifications', document.id)
  const [newest] = await store.find('notifications', { index: ['newest'], limit: 1 })
  await store.put('notifications', [document], (here, coming) => ({
    ...coming,
    read: here.read || coming.read,
  }))
  await trim(store)
  const again =
    newest?.tag === document.tag && Math.abs(newest.newest - document.newest) <= SAME_TAG_MS
  return { notified: document.read || known !== null || again ? null : document.id }
}

/** Read on another device of the same user. */
const read: EventHandler = async (event, _frame, { store }) => {
  const { ids, upTo } = event.meta
  if (Array.isArray(ids)) {
    for (const id of ids)
      if (typeof id === 'string')
        await store.change('notifications', id, (here) =>
          here.read ? null : { ...here, read: true },
        )
  }
  const newest =
    typeof upTo === 'string' ? (await store.one('notifications', upTo))?.newest : undefined
  if (newest === undefined) return
  const seen = await store.find('notifications', { index: ['newest'], after: newest - 1 })
  await store.put(
    'notifications',
    seen.filter((one) => !one.read).map((one) => ({ ...one, read: true })),
  )
}

async function trim(store: Parameters<EventHandler>[2]['store']): Promise<void> {
  const all = await store.find('notifications', {
    index: ['newest'],
    limit: NOTIFICATIONS_STORED + 50,
  })
  await store.remove(
    'notifications',
    all.slice(NOTIFICATIONS_STORED).map(({ id }) => id),
  )
}

export const notificationEvents: Readonly<Record<string, EventHandler>> = {
  '*': any,
  'notification.read': read,
}
