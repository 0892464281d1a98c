import * as wire from '#schema/wire/account'
import type { AnswerOf } from '#schema/wire/call'
import type { Language } from '#schema/wire/shapes'
import { sql } from 'kysely'
import { hasRows } from '../../db/sql.ts'
import type { Db, Row, Tx } from '../../db/tables.ts'
import { sendMail } from '../../mail/order.ts'
import {
  Refusal,
  countName,
  hashOf,
  newToken,
  preparedRoute,
  refuse,
  refuseField,
  writeRoute,
  type Exchange,
  type LimitRow,
  type Route,
  type Services,
  type Window,
} from '../../route/index.ts'
import { checkNewPassword, hashPassword, passwordFits } from './password.ts'
import { endSessions } from './session.ts'
import texts from './texts.json' with { type: 'json' }
import { liveUser, readRow, setUser, userNamed } from './user.ts'

const HOUR = 3600
/** Both kinds of links share one counter against guessing [API 1.6]. */
const links: LimitRow = { name: 'mail-links', visitor: [{ count: 20, seconds: HOUR }] }

export const mailLinkRoutes: readonly Route[] = [
  preparedRoute(
    wire.requestVerification,
    (input) => verificationAddress(input, input.me.id),
    ({ me, language, now }, tx, address) => askVerification(tx, me.id, address, language, now),
  ),

  writeRoute(
    wire.verifyEmail,
    async ({ body: { uid, token }, now }, tx) => {
      if (typeof uid !== 'string' || typeof token !== 'string')
        throw refuse('verification_params_missing')
      return { status: await verify(tx, uid, token, now) }
    },
    { limit: links },
  ),

  /** Same answer for everybody; the account is looked up with the mail [API 7.6, D71]. */
  preparedRoute(
    wire.requestReset,
    async ({ body, services, now }) => {
      const name = (body.email ?? body.username ?? '').toLowerCase()
      if (name === '') throw refuseField('email', 'required')
      await countName(services, 'reset', name, RESET_WINDOWS, now)
      return name
    },
    async ({ language, now }, tx, name) => {
      await sendMail(tx, { about: 'reset', name }, now)
      return { detail: texts.reset_asked[language], cooldown_seconds: COOLDOWN_S }
    },
    { limit: { name: 'reset', visitor: [{ count: 20, seconds: HOUR }] } },
  ),

  preparedRoute(
    wire.confirmReset,
    async ({ body, db, now }) => {
      const link = await findLink(db, body.uid, body.token, 'reset')
      const user = await liveUser(db, body.uid)
      if (link === null || user === null || !isLive(link, now)) throw linkInvalid()
      checkNewPassword(body.new_password, user.username)
      return { link, passwordHash: await hashPassword(body.new_password) }
    },
    async ({ language, now }, tx, { link, passwordHash }) => {
      await resetPassword(tx, link, passwordHash, now)
      return { detail: texts.password_updated[language] }
    },
    {
      limit: links,
      // The fingerprint excludes the password: a repeat must prove that it is the one set.
      secret: {
        toStored: () => '',
        async fromStored({ body, db, language }) {
          const row = await liveUser(db, body.uid)
          if (!(await passwordFits(body.new_password, row?.password_hash ?? null)))
            throw refuse('idempotency_key_reused')
          return { detail: texts.password_updated[language] }
        },
      },
    },
  ),
]

const COOLDOWN_S = 60
const COOLDOWN = { count: 1, seconds: COOLDOWN_S, code: 'cooldown' } as const
const DAILY = { count: 5, seconds: 24 * HOUR }
/** Per name as typed and, silently, per account [API 7.6, D71, D115]. */
const RESET_WINDOWS: readonly Window[] = [COOLDOWN, DAILY]
/** For both routes; the mail of a registration is not counted [API 1.6, D116]. */
const mails: LimitRow = { name: 'verification-mail', user: [COOLDOWN, DAILY] }

const QUEUE_LATE_MS = 15 * 60_000

/** null when already verified [API 7.5]. */
export async function verificationAddress(
  { count, services, now }: Pick<Exchange, 'count' | 'services' | 'now'>,
  user: string,
) {
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
): Promise<AnswerOf<typeof wire.requestVerification>> {
  if (address === null)
    return {
      status: 'already_verified',
      detail: texts.already_verified[language],
      cooldown_seconds: 0,
    }
  await sendMail(tx, { about: 'verify', user, address }, now)
  return { status: 'sent', detail: texts.verification_sent[language], cooldown_seconds: COOLDOWN_S }
}

/** A mail that its own server refused says nothing about others. */
function queueIsDown(db: Db, now: Date) {
  const late = sql`job where kind = 'mail' and outage
    and created_at < ${new Date(now.getTime() - QUEUE_LATE_MS)}`
  return hasRows(db, late)
}

/** A live link verifies; any link of a verified address is `already_verified` [API 7.5]. */
async function verify(tx: Tx, uid: string, token: string, now: Date) {
  const link = await findLink(tx, uid, token, 'verify')
  const user = await liveUser(tx, uid)
  if (link === null || user === null || link.email !== user.email)
    throw refuse('verification_link_invalid')
  if (user.email_verified_at !== null) return 'already_verified' as const
  if (!isLive(link, now) || !(await useLink(tx, link, now)))
    throw refuse('verification_link_invalid')
  await setUser(tx, uid, { email_verified_at: now }, now)
  return 'verified' as const
}

export async function accountToReset(services: Services, name: string, now: Date) {
  const row = await userNamed(services.database.db, name)
  if (row === null || row.email === null) return null
  try {
    await countName(services, 'reset-account', row.id, RESET_WINDOWS, now)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
  return { user: row.id, address: row.email }
}

const linkInvalid = () =>
  new Refusal('reset_link_invalid', { fields: { token: [{ code: 'reset_link_invalid' }] } })

async function resetPassword(tx: Tx, link: LinkRow, passwordHash: string, now: Date) {
  if (!(await useLink(tx, link, now))) throw linkInvalid()
  await setUser(tx, link.user_id, { password_hash: passwordHash }, now)
  const user = await readRow(tx, link.user_id)
  if (user.email === link.email && user.email_verified_at === null)
    await setUser(tx, user.id, { email_verified_at: now }, now)
  await endSessions(tx, user.id)
  if (user.email !== null)
    await sendMail(tx, { about: 'password_changed', user: user.id, address: user.email }, now)
}

type LinkRow = Row<'one_time_token'>
type Purpose = LinkRow['purpose']

const LIFE_S: Record<Purpose, number> = { verify: 48 * HOUR, reset: 2 * HOUR }

/** Older ones end [API 7.5, API 7.6]. */
export async function newLink(
  tx: Tx,
  { user, purpose, email }: { user: string; purpose: Purpose; email: string },
  now: Date,
) {
  const token = newToken()
  await endLinks(tx, user, purpose, now)
  await tx
    .insertInto('one_time_token')
    .values({
      token_hash: hashOf(token),
      user_id: user,
      purpose,
      email,
      created_at: now,
      expires_at: new Date(now.getTime() + LIFE_S[purpose] * 1000),
    })
    .execute()
  return token
}

export async function endLinks(tx: Tx, user: string, purpose: Purpose, now: Date) {
  await tx
    .updateTable('one_time_token')
    .set({ ended_at: now })
    .where((is) => is.and({ user_id: user, purpose, used_at: null, ended_at: null }))
    .execute()
}

async function findLink(db: Db, user: string, token: string, purpose: Purpose) {
  const row = await db
    .selectFrom('one_time_token')
    .selectAll()
    .where('token_hash', '=', hashOf(token))
    .where((is) => is.and({ user_id: user, purpose }))
    .executeTakeFirst()
  return row ?? null
}

const isLive = (link: LinkRow, now: Date) =>
  link.used_at === null && link.ended_at === null && link.expires_at > now

async function useLink(tx: Tx, link: LinkRow, now: Date) {
  const { numUpdatedRows } = await tx
    .updateTable('one_time_token')
    .set({ used_at: now })
    .where((is) => is.and({ token_hash: link.token_hash, used_at: null, ended_at: null }))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
