import { sql } from 'kysely'
import type { Counters } from '#schema/wire/account'
import type { Db } from '../../db/tables.ts'

export async function countersOf(db: Db, user: string): Promise<Counters> {
  const { rows } = await sql<Counters>`
    select coalesce(sum(unread), 0)::int as unread_messages, count(*)::int as unread_conversations,
      (select count(*)::int from event where user_id = ${user} and notification_id is not null
        and read_at is null) as unread_notifications
    from participant where user_id = ${user} and unread > 0`.execute(db)
  return rows[0] ?? { unread_messages: 0, unread_conversations: 0, unread_notifications: 0 }
}
