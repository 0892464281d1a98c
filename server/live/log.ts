import { sql } from 'kysely'
import * as v from 'valibot'
import { DELETED_NAME } from '#schema/wire/shapes'
import { fact } from './fact.ts'
import { columnsOf, jsonOf } from '../db/sql.ts'
import type { Row } from '../db/tables.ts'
import { ACTOR, type Actor, type LoggedEvent } from './render.ts'

const EVENT = [
  'id',
  'user_id',
  'seq',
  'change',
  'data',
  'notification_id',
  'read_at',
  'created_at',
] as const

export type EventRow = Pick<Row<'event'>, (typeof EVENT)[number]> & {
  actor: (Actor & { deleted: boolean }) | null
}

/** For `from event e left join app_user a on a.id = e.actor_id`. */
export const eventColumns = sql`${columnsOf('e', EVENT)}, case when a.id is null then null
  else ${jsonOf('a', ACTOR, "'deleted', a.deleted_at is not null")} end as actor`
export const selectEvents = sql`select ${eventColumns} from event e
  left join app_user a on a.id = e.actor_id`

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
