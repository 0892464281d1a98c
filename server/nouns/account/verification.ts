import type { AnswerOf } from '#schema/wire/call'
import type { requestVerification } from '#schema/wire/account'
import type { Language } from '#schema/wire/shapes'
import type { Db, Tx } from '../../db/tables.ts'
import { refuse, type Exchange } from '../../route/index.ts'
import { sendMail } from '../../mail/order.ts'
import { findLink, isLive, useLink } from './link.ts'
import { liveUser, readRow, setUser } from './user.ts'
import texts from './texts.json' with { type: 'json' }

const COOLDOWN_S = 60
/** One counter for both routes; the mail of a registration is not counted [API 1.6, D116]. */
const mails = {
  name: 'verification-mail',
  user: [
    { count: 1, seconds: COOLDOWN_S, code: 'cooldown' },
    { count: 5, seconds: 24 * 3600 },
  ],
} as const

const QUEUE_LATE_MS = 15 * 60_000

type Sent = AnswerOf<typeof requestVerification>

export async function sendVerification(
  tx: Tx,
  user: string,
  address: string,
  now: Date,
): Promise<void> {
  await sendMail(tx, { about: 'verify', user, address }, now)
}

/**
 * null when the address is already verified. Counts the request; throws when it is too early
 * [API 7.5].
 */
export async function verificationAddress(
  { count, services, now }: Pick<Exchange, 'count' | 'services' | 'now'>,
  user: string,
): Promise<string | null> {
  const { db } = services.database
  const row = await readRow(db, user)
  if (row.email === null || row.email_verified_at !== null) return null
  if (await queueIsDown(db, now)) throw refuse('verification_unavailable')
  await count(mails)
  return row.email
}

export async function askVerification(
  tx: Tx,
  user: string,
  address: string | null,
  language: Language,
  now: Date,
): Promise<Sent> {
  if (address === null)
    return {
      status: 'already_verified',
      detail: texts.already_verified[language],
      cooldown_seconds: 0,
    }
  await sendVerification(tx, user, address, now)
  return { status: 'sent', detail: texts.verification_sent[language], cooldown_seconds: COOLDOWN_S }
}

/**
 * Mails have waited long for an unreachable server. A mail its own server rejected or deferred is
 * no evidence about others.
 */
async function queueIsDown(db: Db, now: Date): Promise<boolean> {
  const late = await db
    .selectFrom('job')
    .select('id')
    .where('kind', '=', 'mail')
    .where('created_at', '<', new Date(now.getTime() - QUEUE_LATE_MS))
    .where('outage', '=', true)
    .limit(1)
    .executeTakeFirst()
  return late !== undefined
}

/**
 * The states of [S2.35] that the server decides: a live link verifies; any link of a verified
 * address returns `already_verified` [API 7.5].
 */
export async function verify(
  tx: Tx,
  uid: string,
  token: string,
  now: Date,
): Promise<'verified' | 'already_verified'> {
  const link = await findLink(tx, uid, token, 'verify')
  const user = await liveUser(tx, uid)
  if (link === null || user === null || link.email !== user.email)
    throw refuse('verification_link_invalid')
  if (user.email_verified_at !== null) return 'already_verified'
  if (!isLive(link, now) || !(await useLink(tx, link, now)))
    throw refuse('verification_link_invalid')
  await setUser(tx, uid, { email_verified_at: now }, now)
  return 'verified'
}
