import { NOTIFICATIONS_PAGE_MAX, PAGE_SIZE } from '#schema/limits'
import * as wire from '#schema/wire/notification'
import type { Language } from '#schema/wire/shapes'
import { paged, readRoute, refuse, writeRoute, type Route } from '../../route/index.ts'
import { deltasOf } from '../../live/delta.ts'
import { loggedEventOf, type EventRow } from '../../live/log.ts'
import { render } from '../../live/render.ts'
import {
  countersOf,
  changedNotifications,
  markAllNotifications,
  markNotification,
  newestNotifications,
} from './queries.ts'
import { changePreferences, preferencesOf } from './preferences.ts'

export const notificationRoutes: readonly Route[] = [
  readRoute(wire.listNotifications, async (input) => {
    const { db, language, me, now, query } = input
    const deltas = await deltasOf(db, 'notifications', me.id, now)
    const { unread_notifications: unread_count } = await countersOf(db, me.id)
    if (query.after === undefined) {
      const { results, ...list } = await paged(input, PAGE_SIZE, NOTIFICATIONS_PAGE_MAX, (page) =>
        newestNotifications(db, me.id, query.unread === true, page),
      )
      return { ...list, results: rendered(results, language), unread_count, cursor: deltas.cursor }
    }
    const { shown, next, cursor } = await deltas.page(
      input,
      'after',
      (start, limit) => changedNotifications(db, me.id, start, limit),
      ({ change, notification_id }) => ({ change, id: notification_id ?? '' }),
    )
    return { next, results: rendered(shown, language), unread_count, cursor }
  }),

  writeRoute(wire.markNotificationRead, async ({ me, now, params }, tx) => {
    const id = await markNotification(tx, me.id, params.id, now)
    if (id === null) throw refuse('not_found')
    return { id, read: true, unread_count: (await countersOf(tx, me.id)).unread_notifications }
  }),

  writeRoute(wire.markAllNotificationsRead, async ({ body, me, now }, tx) => {
    const updated = await markAllNotifications(tx, me.id, body.up_to ?? null, now)
    return {
      updated,
      unread_count: (await countersOf(tx, me.id)).unread_notifications,
      last_read_at: now.toISOString(),
    }
  }),

  readRoute(wire.readPreferences, ({ db, me }) => preferencesOf(db, me.id)),

  writeRoute(wire.writePreferences, ({ body: { preferences, ...bare }, me, now }, tx) =>
    changePreferences(tx, me.id, preferences ?? bare, now),
  ),
]

const rendered = (rows: readonly EventRow[], language: Language) =>
  rows.map((row) => render(loggedEventOf(row), language))
