import { sql } from 'kysely'
import type { Counters } from '#schema/wire/account'
import type { Db, Tx } from '../../db/tables.ts'
import { publish } from '../../live/publish.ts'

export async function countersOf(db: Db, user: string): Promise<Counters> {
  const { rows } = await sql<Counters>`
    select coalesce(sum(unread), 0)::int as unread_messages, count(*)::int as unread_conversations,
      (select count(*)::int from event where user_id = ${user} and notification_id is not null
        and read_at is null) as unread_notifications
    from participant where user_id = ${user} and unread > 0`.execute(db)
  return rows[0] ?? { unread_messages: 0, unread_conversations: 0, unread_notifications: 0 }
}

/** By its id or its event's; null when unknown. */
export async function markNotification(tx: Tx, reader: string, id: string, now: Date) {
  const row = await notificationsOf(tx, reader)
    .select(['id', 'read_at'])
    .where((either) => either.or([either('notification_id', '=', id), either('id', '=', id)]))
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) return null
  if (row.read_at === null) {
    await tx
      .updateTable('event')
      .set({ read_at: now, changed_at: now, change: -1 })
      .where('id', '=', row.id)
      .execute()
    publishRead(tx, reader, { ids: [row.notification_id], upTo: null }, now)
  }
  return row.notification_id
}

/** Up to a notification in seq order (null: all); returns how many changed. */
export async function markAllNotifications(tx: Tx, reader: string, upTo: string | null, now: Date) {
  const newest = await newestOf(tx, reader, upTo)
  if (newest === undefined) return 0
  const { numUpdatedRows } = await tx
    .updateTable('event')
    .set({ read_at: now, changed_at: now, change: -1 })
    .where('user_id', '=', reader)
    .where('notification_id', 'is not', null)
    .where('read_at', 'is', null)
    .where('seq', '<=', newest.seq)
    .executeTakeFirst()
  if (numUpdatedRows > 0) publishRead(tx, reader, { ids: null, upTo: newest.notification_id }, now)
  return Number(numUpdatedRows)
}

export const publishRead = (
  tx: Tx,
  to: string,
  which: { ids: string[] | null; upTo: string | null },
  now: Date,
) => publish(tx, { to, at: now, fact: { event: 'notification.read', ...which } })

async function newestOf(tx: Tx, reader: string, upTo: string | null) {
  const all = notificationsOf(tx, reader).select('seq')
  const query =
    upTo === null ? all.orderBy('seq', 'desc').limit(1) : all.where('notification_id', '=', upTo)
  return query.executeTakeFirst()
}

const notificationsOf = (tx: Tx, reader: string) =>
  tx
    .selectFrom('event')
    .select('notification_id')
    .$narrowType<{ notification_id: string }>()
    .where('user_id', '=', reader)
    .where('notification_id', 'is not', null)
