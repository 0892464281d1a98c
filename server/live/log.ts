import { sql, type RawBuilder } from 'kysely'
import * as v from 'valibot'
import { DELETED_NAME } from '#schema/wire/shapes'
import { fact } from './fact.ts'
import type { LoggedEvent } from './render.ts'

export interface EventRow {
  id: string
  user_id: string
  seq: number
  change: number
  data: unknown
  notification_id: string | null
  read_at: Date | null
  created_at: Date
  actor: {
    id: string
    username: string
    slug: string | null
    avatar: string | null
    deleted: boolean
  } | null
}

/** For `from event e left join app_user a on a.id = e.actor_id`. */
export const eventColumns: RawBuilder<EventRow> = sql<EventRow>`
  e.id, e.user_id, e.seq, e.change, e.data, e.notification_id, e.read_at, e.created_at,
  case when a.id is null then null
    else jsonb_build_object('id', a.id, 'username', a.username, 'slug', a.slug, 'avatar', a.avatar,
    'deleted', a.deleted_at is not null) end as actor`

/** A deleted account keeps only its id [API 4.2]. */
export function loggedEventOf(row: EventRow): LoggedEvent {
  const { actor } = row
  return {
    eventId: row.id,
    notificationId: row.notification_id,
    ts: row.created_at.toISOString(),
    read: row.read_at !== null,
    actor:
      actor &&
      (actor.deleted ? { id: actor.id, username: DELETED_NAME, slug: null, avatar: null } : actor),
    fact: v.parse(fact, row.data),
  }
}
