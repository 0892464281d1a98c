import { sql } from 'kysely'
import { NOTIFICATIONS_PAGE_MAX, PAGE_SIZE } from '#schema/limits'
import * as wire from '#schema/wire/notification'
import type { Language } from '#schema/wire/shapes'
import { paged, readRoute, refuse, writeRoute, type Page, type Route } from '../../route/index.ts'
import { countOf } from '../../db/sql.ts'
import { changedAfter, deltasOf } from '../../live/delta.ts'
import { loggedEventOf, selectEvents, type EventRow } from '../../live/log.ts'
import { render } from '../../live/render.ts'
import { countersOf, markAllNotifications, markNotification } from './queries.ts'
import { changePreferences, preferencesOf } from './preferences.ts'

export const notificationRoutes: readonly Route[] = [
  readRoute(wire.listNotifications, async (input) => {
    const { db, language, me, now, query } = input
    const deltas = await deltasOf(db, 'notifications', me.id, now)
    const { unread_notifications: unread_count } = await countersOf(db, me.id)
    const mine = sql`e.user_id = ${me.id} and e.notification_id is not null`
    if (query.after === undefined) {
      const which = query.unread === true ? sql`${mine} and e.read_at is null` : mine
      const find = async ({ size, offset }: Page) => {
        const { rows } = await sql<EventRow>`${selectEvents} where ${which}
          order by e.seq desc limit ${size} offset ${offset}`.execute(db)
        return { count: await countOf(db, sql`event e where ${which}`), rows }
      }
      const { results, ...list } = await paged(input, PAGE_SIZE, NOTIFICATIONS_PAGE_MAX, find)
      return { ...list, results: rendered(results, language), unread_count, cursor: deltas.cursor }
    }
    const { shown, next, cursor } = await deltas.page(
      input,
      'after',
      async (start, limit) => {
        const { rows } = await sql<EventRow>`${selectEvents} where ${mine}
          and ${changedAfter(start, 'e.notification_id', 'e.change', 'e.changed_at')}
          order by e.change, e.notification_id limit ${limit}`.execute(db)
        return rows
      },
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
