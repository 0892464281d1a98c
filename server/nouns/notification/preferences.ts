import type { Preferences, SomePreferences } from '#schema/wire/notification'
import type { Db, Row, Tx } from '../../db/tables.ts'
import { refuseField, refuseFields } from '../../route/index.ts'
import type { Group } from '../../live/fact.ts'
import { isTimezone } from './quiet.ts'

/** [API 12.2]: defaults until a user changes them. */
export const DEFAULTS: Preferences = {
  messages: { in_app: true, push: true, email: false },
  announcements: { in_app: true, push: true, email: false },
  system: { in_app: true, push: true, email: true },
  quiet_hours: { enabled: false, start: '22:00', end: '06:00', timezone: 'Africa/Ouagadougou' },
}

export async function preferencesOf(db: Db, user: string): Promise<Preferences> {
  const row = await db
    .selectFrom('preference')
    .selectAll()
    .where('user_id', '=', user)
    .executeTakeFirst()
  return row === undefined ? DEFAULTS : fromRow(row)
}

/**
 * Merges a partial change; returns all. Throws 400 on `quiet_hours.end` and `quiet_hours.timezone`.
 */
export async function changePreferences(
  tx: Tx,
  user: string,
  given: SomePreferences,
  now: Date,
): Promise<Preferences> {
  await tx
    .insertInto('preference')
    .values({ user_id: user, updated_at: now })
    .onConflict((on) => on.doNothing())
    .execute()
  const row = await tx
    .updateTable('preference')
    .set({ ...toRow(given), updated_at: now })
    .where('user_id', '=', user)
    .returningAll()
    .executeTakeFirstOrThrow()
  const after = fromRow(row)
  check(after.quiet_hours)
  return after
}

function check({ start, end, timezone }: Preferences['quiet_hours']): void {
  const text = { fr: 'Les heures doivent être différentes.', en: 'The times must differ.' }
  if (start === end) throw refuseFields({ 'quiet_hours.end': [{ code: 'invalid', text }] })
  if (!isTimezone(timezone)) throw refuseField('quiet_hours.timezone', 'invalid')
}

const channelsOf = (row: Row<'preference'>, group: Group): Preferences[Group] => ({
  in_app: row[`${group}_in_app`],
  push: row[`${group}_push`],
  email: row[`${group}_email`],
})

function fromRow(row: Row<'preference'>): Preferences {
  return {
    messages: channelsOf(row, 'messages'),
    announcements: channelsOf(row, 'announcements'),
    system: channelsOf(row, 'system'),
    quiet_hours: {
      enabled: row.quiet_enabled,
      start: row.quiet_start,
      end: row.quiet_end,
      timezone: row.quiet_timezone,
    },
  }
}

/** Kysely leaves out what is undefined. */
const toRow = ({ messages, announcements, system, quiet_hours }: SomePreferences) => ({
  messages_in_app: messages?.in_app,
  messages_push: messages?.push,
  messages_email: messages?.email,
  announcements_in_app: announcements?.in_app,
  announcements_push: announcements?.push,
  announcements_email: announcements?.email,
  system_in_app: system?.in_app,
  system_push: system?.push,
  system_email: system?.email,
  quiet_enabled: quiet_hours?.enabled,
  quiet_start: quiet_hours?.start,
  quiet_end: quiet_hours?.end,
  quiet_timezone: quiet_hours?.timezone,
})
