import { CURSOR_MAX, CURSOR_STEP_BACK_MS, DAY_MS, DELTA_KEPT_DAYS } from '#schema/limits'

/** A cursor of another user, list or copy of the database is unknown. */
export type CursorScope = Readonly<{
  list: 'conversations' | 'notifications' | 'favorites'
  user: string
  epoch: string
}>

/** The number of a change, and the row's id among rows with that number. */
export interface Place {
  readonly change: number
  readonly id: string
}
/** After every row of that number. */
export const behind = (change: number): Place => ({ change, id: '~' })

export type Start = { readonly after: Place } | { readonly since: Date }

const KEPT_MS = DELTA_KEPT_DAYS * DAY_MS
const MOMENT = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+ -]\d\d:\d\d)$/

/** Opaque [API 3]; only the day, so that an unchanged response keeps its ETag [API 1.5]. */
export function writeCursor(scope: CursorScope, place: Place, now: Date) {
  return Buffer.from(
    [...labels(scope), place.change, place.id, Math.floor(now.getTime() / DAY_MS)].join(' '),
  ).toString('base64url')
}

/** A cursor or RFC 3339 instant; null when it is unknown, unreadable or older than 30 days. */
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

export const isMoment = (text: string) => MOMENT.test(text)

/** Ten seconds before the instant; null when it is invalid or older than 30 days. */
export function sinceMoment(text: string, now: Date): { readonly since: Date } | null {
  // an unescaped + of an offset arrives as a space
  const at = Date.parse(text.replace(/ (?=\d\d:\d\d$)/, '+'))
  if (Number.isNaN(at) || now.getTime() - at > KEPT_MS) return null
  return { since: new Date(at - CURSOR_STEP_BACK_MS) }
}
