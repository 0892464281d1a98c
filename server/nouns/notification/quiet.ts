import type { Preferences } from '#schema/wire/notification'

type QuietHours = Preferences['quiet_hours']

const MINUTE = 60_000
const DAY = 24 * 60

/** Whether it is an IANA name; offsets such as +02:00 are excluded although Intl accepts them. */
export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

export function isQuiet(hours: QuietHours, now: Date): boolean {
  if (!hours.enabled) return false
  const [start, end, at] = [
    minutesOf(hours.start),
    minutesOf(hours.end),
    minutesOf(clockIn(hours.timezone, now)),
  ]
  return start < end ? at >= start && at < end : at >= start || at < end
}

/** The end of the current quiet hours: the next instant of `end` in the user's time zone. */
export function quietEnds(hours: QuietHours, now: Date): Date {
  const at = minutesOf(clockIn(hours.timezone, now))
  const wait = (minutesOf(hours.end) - at + DAY) % DAY
  const minute = Math.floor(now.getTime() / MINUTE) * MINUTE
  return new Date(minute + (wait === 0 ? DAY : wait) * MINUTE)
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

function clockIn(timezone: string, now: Date): string {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(now)
}
