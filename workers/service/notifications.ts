import type { FromService, ShownNotification } from '#schema/port/service'
import { scope } from './scope.ts'

export function openTabs() {
  return scope.clients.matchAll({ type: 'window', includeUncontrolled: true })
}

async function post(note: FromService) {
  for (const tab of await openTabs()) tab.postMessage(note)
}

/** The same tag replaces the previous one, and only a new event makes a sound [API 13.3]. */
export async function show(what: ShownNotification) {
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

export async function pushed(data: PushMessageData | null) {
  const what = read(json(data))
  if (!what) {
    await scope.registration.showNotification('Nouvelle notification', {
      tag: 'unreadable',
      data: null,
    })
    return
  }
  await Promise.all([show(what), post({ type: 'notification:event', payload: what })])
}

/** [S4.18] */
export async function tapped(notification: Notification) {
  notification.close()
  const what = read(notification.data)
  await open(what?.url ?? '/notifications')
  if (what?.id != null) await post({ type: 'notification:mark-read', id: what.id })
}

export async function open(url: string) {
  const target = new URL(url, scope.location.origin)
  if (target.origin !== scope.location.origin) return
  const [tab] = await scope.clients.matchAll({ type: 'window' })
  if (!tab) {
    await scope.clients.openWindow(target.href)
    return
  }
  // Only allowed after a user's tap.
  await tab.focus().catch(() => undefined)
  const note: FromService = { type: 'nav', url: target.pathname + target.search + target.hash }
  tab.postMessage(note)
}

export async function close(id: string) {
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

export function read(data: unknown): ShownNotification | null {
  if (typeof data !== 'object' || data === null) return null
  const fields: Readonly<Record<string, unknown>> = { ...data }
  const text = (name: string) => {
    const value = fields[name]
    return typeof value === 'string' ? value : null
  }
  const [event_id, title, tag] = [text('event_id'), text('title'), text('tag')]
  const count = fields['badge_count']
  if (event_id === null || title === null || tag === null) return null
  return {
    id: text('id'),
    event: text('event'),
    event_id,
    title,
    body: text('body') ?? '',
    tag,
    url: text('url') ?? '/notifications',
    icon: text('icon'),
    image: text('image'),
    badge_count: typeof count === 'number' ? count : 0,
  }
}
