import type { Selectable } from 'kysely'
import type { Preferences, SomePreferences } from '#schema/wire/notification'
import type { Db, Tables, Tx } from '../../db/tables.ts'
import { refuseField, refuseFields } from '../../route/index.ts'
import type { Group } from '../../live/fact.ts'
import { isTimezone } from './quiet.ts'

type Row = Selectable<Tables['preference']>

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
  const before = await tx
    .selectFrom('preference')
    .selectAll()
    .where('user_id', '=', user)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const after = merge(fromRow(before), given)
  check(after.quiet_hours)
  await tx
    .updateTable('preference')
    .set({ ...toRow(after), updated_at: now })
    .where('user_id', '=', user)
    .execute()
  return after
}

function merge(before: Preferences, given: SomePreferences): Preferences {
  const { quiet_hours: was } = before
  const { quiet_hours: now } = given
  return {
    messages: mergeChannels(before.messages, given.messages),
    announcements: mergeChannels(before.announcements, given.announcements),
    system: mergeChannels(before.system, given.system),
    quiet_hours: {
      enabled: now?.enabled ?? was.enabled,
      start: now?.start ?? was.start,
      end: now?.end ?? was.end,
      timezone: now?.timezone ?? was.timezone,
    },
  }
}

function mergeChannels(
  before: Preferences['system'],
  given: SomePreferences['system'],
): Preferences['system'] {
  return {
    in_app: given?.in_app ?? before.in_app,
    push: given?.push ?? before.push,
    email: given?.email ?? before.email,
  }
}

function check({ start, end, timezone }: Preferences['quiet_hours']): void {
  const text = { fr: 'Les heures doivent être différentes.', en: 'The times must differ.' }
  if (start === end) throw refuseFields({ 'quiet_hours.end': [{ code: 'invalid', text }] })
  if (!isTimezone(timezone)) throw refuseField('quiet_hours.timezone', 'invalid')
}

const channelsOf = (row: Row, group: Group): Preferences[Group] => ({
  in_app: row[`${group}_in_app`],
  push: row[`${group}_push`],
  email: row[`${group}_email`],
})

function fromRow(row: Row): Preferences {
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

function toRow({
  messages,
  announcements,
  system,
  quiet_hours,
}: Preferences): Omit<Row, 'user_id' | 'updated_at'> {
  return {
    messages_in_app: messages.in_app,
    messages_push: messages.push,
    messages_email: messages.email,
    announcements_in_app: announcements.in_app,
    announcements_push: announcements.push,
    announcements_email: announcements.email,
    system_in_app: system.in_app,
    system_push: system.push,
    system_email: system.email,
    quiet_enabled: quiet_hours.enabled,
    quiet_start: quiet_hours.start,
    quiet_end: quiet_hours.end,
    quiet_timezone: quiet_hours.timezone,
  }
}
