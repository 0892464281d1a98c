import { CURSOR_MAX, CURSOR_STEP_BACK_MS, DELTA_KEPT_DAYS } from '#schema/limits'

/** Whose changes a cursor counts; a cursor of another person, list or copy of the database is unknown. */
export interface CursorScope {
  readonly list: 'conversations' | 'notifications' | 'favorites'
  readonly user: string
  readonly epoch: string
}

/** A row of a delta read: the number of its change, and its id among rows that changed together. */
export interface Place {
  readonly change: number
  readonly id: string
}
/** Behind every row of that number. */
export const behind = (change: number): Place => ({ change, id: '~' })

/** Where a delta read begins: behind a place of the event_sequence, or at an instant. */
export type Start = { readonly after: Place } | { readonly since: Date }

const DAY_MS = 86_400_000
const KEPT_MS = DELTA_KEPT_DAYS * DAY_MS
const MOMENT = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+ -]\d\d:\d\d)$/

/** The opaque text that stands for a place of a person's event_sequence [API 3]. It tells its day alone: an answer in which nothing changed keeps its ETag [API 1.5]. */
export function writeCursor(scope: CursorScope, place: Place, now: Date): string {
  return Buffer.from(
    [...labels(scope), place.change, place.id, Math.floor(now.getTime() / DAY_MS)].join(' '),
  ).toString('base64url')
}

/** Reads a cursor or an RFC 3339 instant; null when it is unknown, unreadable or older than 30 days: 410 `cursor_expired`. */
export function readCursor(text: string, scope: CursorScope, now: Date): Start | null {
  if (isMoment(text)) return sinceMoment(text, now)
  if (text.length > CURSOR_MAX) return null
  const parts = Buffer.from(text, 'base64url').toString().split(' ')
  if (parts.length !== 6 || labels(scope).some((label, n) => label !== parts[n])) return null
  const [change, id, day] = [Number(parts[3]), parts[4] ?? '', Number(parts[5])]
  if (!Number.isSafeInteger(change) || change < 0 || id === '' || !Number.isSafeInteger(day))
    return null
  return now.getTime() - day * DAY_MS > KEPT_MS + DAY_MS ? null : { after: { change, id } }
}

const labels = (scope: CursorScope) => [scope.list, scope.epoch, scope.user]

/** Whether a text in a cursor's place is an instant. */
export const isMoment = (text: string): boolean => MOMENT.test(text)

/** Ten seconds before the instant; null when it is no real one or older than 30 days. */
export function sinceMoment(text: string, now: Date): { readonly since: Date } | null {
  // an unescaped + of an offset arrives as a space
  const at = Date.parse(text.replace(/ (?=\d\d:\d\d$)/, '+'))
  if (Number.isNaN(at) || now.getTime() - at > KEPT_MS) return null
  return { since: new Date(at - CURSOR_STEP_BACK_MS) }
}
