import { Refusal, countName, refuseField, type Services, type Window } from '../../route/index.ts'
import { sendMail } from '../../mail/order.ts'
import { points } from '#schema/wire/shapes'
import { PASSWORD_MAX, PASSWORD_MIN } from '#schema/limits'
import type { Db, Tx } from '../../db/tables.ts'
import { findLink, isLive, useLink, type LinkRow } from './link.ts'
import { isSimilar } from './register.ts'
import { endSessions } from './session.ts'
import { liveUser, readRow, setUser, userNamed } from './user.ts'

/** 1 in 60 s, 5 a day: per name as typed and, silently, per account [API 7.6, D71, D115]. */
export const RESET_WINDOWS: readonly Window[] = [
  { count: 1, seconds: 60, code: 'cooldown' },
  { count: 5, seconds: 24 * 3600 },
]

export async function accountToReset(
  { database, limiter, config }: Services,
  name: string,
  now: Date,
) {
  const row = await userNamed(database.db, name)
  if (row === null || row.email === null) return null
  try {
    await countName(limiter, 'reset-account', row.id, RESET_WINDOWS, now, config.rateLimits)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
  return { user: row.id, address: row.email }
}

const linkInvalid = () =>
  new Refusal('reset_link_invalid', { fields: { token: [{ code: 'reset_link_invalid' }] } })

export async function checkReset(
  db: Db,
  { uid, token, new_password: password }: { uid: string; token: string; new_password: string },
  now: Date,
): Promise<LinkRow> {
  const link = await findLink(db, uid, token, 'reset')
  const user = await liveUser(db, uid)
  if (link === null || user === null || !isLive(link, now)) throw linkInvalid()
  checkNewPassword('new_password', password, user.username)
  return link
}

export function checkNewPassword(field: string, password: string, username: string): void {
  const bounds = { min: PASSWORD_MIN, max: PASSWORD_MAX }
  if (points(password) < PASSWORD_MIN) throw refuseField(field, 'password_too_short', bounds)
  if (points(password) > PASSWORD_MAX) throw refuseField(field, 'too_long', bounds)
  if (isSimilar(password, username)) throw refuseField(field, 'password_too_similar')
}

export async function resetPassword(
  tx: Tx,
  link: LinkRow,
  passwordHash: string,
  now: Date,
): Promise<void> {
  if (!(await useLink(tx, link, now))) throw linkInvalid()
  await setUser(tx, link.user_id, { password_hash: passwordHash }, now)
  const user = await readRow(tx, link.user_id)
  if (user.email === link.email && user.email_verified_at === null)
    await setUser(tx, user.id, { email_verified_at: now }, now)
  await endSessions(tx, user.id)
  if (user.email !== null)
    await sendMail(tx, { about: 'password_changed', user: user.id, address: user.email }, now)
}
