import type { AnswerOf } from '#schema/wire/call'
import type { requestVerification } from '#schema/wire/account'
import type { Language, LocalizedText } from '#schema/wire/shapes'
import type { Db, Tx } from '../../db/tables.ts'
import type { Exchange } from '../../http/handle.ts'
import { refuse } from '../../http/refusal.ts'
import { sendMail } from '../../mail/order.ts'
import { findLink, isLive, useLink } from './link.ts'

const COOLDOWN_S = 60
/** One counter for both ways to ask; the mail of registering counts nowhere [API 1.6, D116]. */
const mails = {
  name: 'verification-mail',
  user: [
    { count: 1, seconds: COOLDOWN_S, code: 'cooldown' },
    { count: 5, seconds: 24 * 3600 },
  ],
} as const

const details: Record<'sent' | 'already_verified', LocalizedText> = {
  sent: { fr: 'E-mail de vérification envoyé.', en: 'Verification email sent.' },
  already_verified: { fr: 'Adresse e-mail déjà vérifiée.', en: 'Email address already verified.' },
}
const QUEUE_LATE_MS = 15 * 60_000

type Sent = AnswerOf<typeof requestVerification>

/** Sends a verification mail to an account's present address. */
export async function sendVerification(
  tx: Tx,
  user: string,
  address: string,
  now: Date,
): Promise<void> {
  await sendMail(tx, { about: 'verify', user, address }, now)
}

/** Whether a mail is to be sent for this request: null when the address is verified. Counts it, and refuses one too early [API 7.5]. */
export async function verificationAddress(
  { count, services, now }: Pick<Exchange, 'count' | 'services' | 'now'>,
  user: string,
): Promise<string | null> {
  const { db } = services.database
  const row = await db
    .selectFrom('app_user')
    .select(['email', 'email_verified_at'])
    .where('id', '=', user)
    .executeTakeFirstOrThrow()
  if (row.email === null || row.email_verified_at !== null) return null
  if (await queueIsDown(db, now)) throw refuse('verification_unavailable')
  await count(mails)
  return row.email
}

/** The answer to one who asked, after the mail for `address` is queued. */
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
      detail: details.already_verified[language],
      cooldown_seconds: 0,
    }
  await sendVerification(tx, user, address, now)
  return { status: 'sent', detail: details.sent[language], cooldown_seconds: COOLDOWN_S }
}

/** Mails that wait long for a mail server that is away. One that is only refused, or put off by its own server, says nothing of the others. */
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

/** The states of [S2.35] that a server decides: a live link verifies, any link of an address that is verified says so [API 7.5]. */
export async function verify(
  tx: Tx,
  uid: string,
  token: string,
  now: Date,
): Promise<'verified' | 'already_verified'> {
  const link = await findLink(tx, uid, token, 'verify')
  const user = await tx
    .selectFrom('app_user')
    .select(['email', 'email_verified_at'])
    .where('id', '=', uid)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (link === null || user === undefined || link.email !== user.email)
    throw refuse('verification_link_invalid')
  if (user.email_verified_at !== null) return 'already_verified'
  if (!isLive(link, now) || !(await useLink(tx, link, now)))
    throw refuse('verification_link_invalid')
  await tx
    .updateTable('app_user')
    .set({ email_verified_at: now, updated_at: now })
    .where('id', '=', uid)
    .execute()
  return 'verified'
}
