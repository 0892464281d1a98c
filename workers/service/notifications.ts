import type { FromService, ShownNotification } from '#schema/port/service'
import { scope } from './scope.ts'

/** Tells every open tab. */
export async function tell(note: FromService): Promise<void> {
  for (const client of await scope.clients.matchAll({ type: 'window', includeUncontrolled: true }))
    client.postMessage(note)
}

/** Shows one; the same tag replaces what is shown, and only an event that is new makes a sound [API 13.3]. */
export async function show(what: ShownNotification): Promise<void> {
  const shown = await scope.registration.getNotifications({ tag: what.tag })
  const known = shown.some((one: Notification) => read(one.data)?.event_id === what.event_id)
  await scope.registration.showNotification(what.title, {
    body: what.body,
    tag: what.tag,
    data: what,
    silent: known,
    icon: what.icon ?? '/icon-192.png',
    badge: '/icon-192.png',
  })
  if ('setAppBadge' in scope.navigator) await scope.navigator.setAppBadge(what.badge_count)
}

/** A push always ends in a shown notification; one that cannot be read still says that something came. */
export async function pushed(data: PushMessageData | null): Promise<void> {
  const what = read(json(data))
  if (!what) {
    await scope.registration.showNotification('Nouvelle notification', {
      tag: 'unreadable',
      data: null,
    })
    return
  }
  await Promise.all([show(what), tell({ type: 'notification:event', payload: what })])
}

/** A tap: the tab in front goes there, else a new one opens [S4.18]. */
export async function tapped(notification: Notification): Promise<void> {
  notification.close()
  const what = read(notification.data)
  await open(what?.url ?? '/notifications')
  if (what?.id != null) await tell({ type: 'notification:mark-read', id: what.id })
}

export async function open(url: string): Promise<void> {
  const target = new URL(url, scope.location.origin)
  if (target.origin !== scope.location.origin) return
  const [tab] = await scope.clients.matchAll({ type: 'window' })
  if (!tab) {
    await scope.clients.openWindow(target.href)
    return
  }
  // Only a person's tap may bring a tab to the front; it goes there all the same.
  await tab.focus().catch(() => undefined)
  const note: FromService = { type: 'nav', url: target.pathname + target.search + target.hash }
  tab.postMessage(note)
}

/** Read in another tab: what is shown for it goes away. */
export async function close(id: string): Promise<void> {
  for (const one of await scope.registration.getNotifications())
    if (read(one.data)?.id === id) one.close()
}

function json(data: PushMessageData | null): unknown {
  try {
    return data?.json()
  } catch {
    return null
  }
}

/** A notification's data or a push's payload, whatever the sender wrote; null when it is not ours. */
export function read(data: unknown): ShownNotification | null {
  if (typeof data !== 'object' || data === null) return null
  const fields: Readonly<Record<string, unknown>> = { ...data }
  const text = (name: string): string | null => {
    const value = fields[name]
    return typeof value === 'string' ? value : null
  }
  const [event_id, title, tag, url] = [text('event_id'), text('title'), text('tag'), text('url')]
  const count = fields['badge_count']
  if (event_id === null || title === null || tag === null) return null
  return {
    id: text('id'),
    event: text('event'),
    event_id,
    title,
    body: text('body') ?? '',
    tag,
    url: url ?? '/notifications',
    icon: text('icon'),
    image: text('image'),
    badge_count: typeof count === 'number' ? count : 0,
  }
}
