import { DELTA_PAGE, DELTA_PAGE_MAX, NOTIFICATIONS_PAGE_MAX, PAGE_SIZE } from '#schema/limits'
import {
  listNotifications,
  markAllNotificationsRead,
  markNotificationRead,
  readPreferences,
  writePreferences,
  type Notification,
} from '#schema/wire/notification'
import type { Language } from '#schema/wire/shapes'
import { readRoute, writeRoute, type Route } from '../../route/handle.ts'
import { linksOf, linkTo, pageOf } from '../../route/pages.ts'
import { refuse } from '../../route/refusal.ts'
import { behind, readCursor, writeCursor } from '../../live/cursor.ts'
import { loggedEventOf, type EventRow } from '../../live/log.ts'
import { render } from '../../live/render.ts'
import { sequenceOf } from '../../live/sequence.ts'
import { countersOf } from './counters.ts'
import { changePreferences, preferencesOf } from './preferences.ts'
import {
  changedNotifications,
  markAllNotifications,
  markNotification,
  newestNotifications,
} from './queries.ts'

export const notificationRoutes: readonly Route[] = [
  readRoute(listNotifications, async ({ db, language, me, now, query }) => {
    const log = await sequenceOf(db, me.id)
    const scope = { list: 'notifications' as const, user: me.id, epoch: log.epoch }
    const { unread_notifications: unread_count } = await countersOf(db, me.id)
    if (query.after === undefined) {
      const page = pageOf(query, PAGE_SIZE, NOTIFICATIONS_PAGE_MAX)
      const { count, rows } = await newestNotifications(db, me.id, query.unread === true, page)
      const cursor = writeCursor(scope, behind(log.last), now)
      return {
        ...linksOf('notifications/', query, page, count),
        results: rendered(rows, language),
        unread_count,
        cursor,
      }
    }
    const start = readCursor(query.after, scope, now)
    if (start === null || ('after' in start && start.after.change > log.last))
      throw refuse('cursor_expired')
    const size = Math.min(query.page_size ?? DELTA_PAGE, DELTA_PAGE_MAX)
    const found = await changedNotifications(db, me.id, start, size + 1)
    const shown = found.slice(0, size)
    const last = shown.at(-1)
    const rest = 'after' in start ? start.after : behind(log.last)
    const cursor = writeCursor(
      scope,
      last === undefined ? rest : { change: last.change, id: last.notification_id ?? '' },
      now,
    )
    const next = found.length > size ? linkTo('notifications/', { ...query, after: cursor }) : null
    return { next, results: rendered(shown, language), unread_count, cursor }
  }),

  writeRoute(markNotificationRead, async ({ me, now, params }, tx) => {
    const id = await markNotification(tx, me.id, params.id, now)
    if (id === null) throw refuse('not_found')
    return { id, read: true, unread_count: (await countersOf(tx, me.id)).unread_notifications }
  }),

  writeRoute(markAllNotificationsRead, async ({ body, me, now }, tx) => {
    const updated = await markAllNotifications(tx, me.id, body.up_to ?? null, now)
    return {
      updated,
      unread_count: (await countersOf(tx, me.id)).unread_notifications,
      last_read_at: now.toISOString(),
    }
  }),

  readRoute(readPreferences, ({ db, me }) => preferencesOf(db, me.id)),

  writeRoute(writePreferences, ({ body: { preferences, ...bare }, me, now }, tx) =>
    changePreferences(tx, me.id, preferences ?? bare, now),
  ),
]

const rendered = (rows: readonly EventRow[], language: Language): Notification[] =>
  rows.map((row) => render(loggedEventOf(row), language))
