import type { Preferences, SomePreferences } from '#schema/wire/notification'
import type { Db, Row, Tx } from '../../db/tables.ts'
import { refuseField, refuseFields } from '../../route/index.ts'
import type { Group } from '../../live/fact.ts'

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

/** Throws 400 on `quiet_hours.end` and `quiet_hours.timezone`. */
export async function changePreferences(tx: Tx, user: string, given: SomePreferences, now: Date) {
  const set = { ...toRow(given), updated_at: now }
  const row = await tx
    .insertInto('preference')
    .values({ user_id: user, ...set })
    .onConflict((on) => on.column('user_id').doUpdateSet(set))
    .returningAll()
    .executeTakeFirstOrThrow()
  const after = fromRow(row)
  const { start, end, timezone } = after.quiet_hours
  const text = { fr: 'Les heures doivent être différentes.', en: 'The times must differ.' }
  if (start === end) throw refuseFields({ 'quiet_hours.end': [{ code: 'invalid', text }] })
  if (!isTimezone(timezone)) throw refuseField('quiet_hours.timezone', 'invalid')
  return after
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

type QuietHours = Preferences['quiet_hours']

const MINUTE = 60_000
const DAY = 24 * 60

/** Not offsets such as +02:00, although Intl accepts them. */
function isTimezone(name: string) {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

export function isQuiet(hours: QuietHours, now: Date) {
  if (!hours.enabled) return false
  const [start, end, at] = [
    minutesOf(hours.start),
    minutesOf(hours.end),
    minutesOf(clockIn(hours.timezone, now)),
  ]
  return start < end ? at >= start && at < end : at >= start || at < end
}

/** The next instant of `end` in the user's time zone. */
export function quietEnds(hours: QuietHours, now: Date) {
  const at = minutesOf(clockIn(hours.timezone, now))
  const wait = (minutesOf(hours.end) - at + DAY) % DAY
  const minute = Math.floor(now.getTime() / MINUTE) * MINUTE
  return new Date(minute + (wait === 0 ? DAY : wait) * MINUTE)
}

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

function clockIn(timezone: string, now: Date) {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(now)
}
