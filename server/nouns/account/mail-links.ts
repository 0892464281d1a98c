import { confirmReset, requestReset, requestVerification, verifyEmail } from '#schema/wire/account'
import {
  countName,
  preparedRoute,
  refuse,
  refuseField,
  writeRoute,
  type LimitRow,
  type Route,
} from '../../route/index.ts'
import { sendMail } from '../../mail/order.ts'
import { hashPassword, passwordFits } from './password.ts'
import { liveUser } from './user.ts'
import texts from './texts.json' with { type: 'json' }
import { checkReset, RESET_WINDOWS, resetPassword } from './reset.ts'
import { askVerification, verificationAddress, verify } from './verification.ts'

const HOUR = 3600
/** Both kinds of links share one counter against guessing [API 1.6]. */
const links: LimitRow = { name: 'mail-links', visitor: [{ count: 20, seconds: HOUR }] }

export const mailLinkRoutes: readonly Route[] = [
  preparedRoute(
    requestVerification,
    (input) => verificationAddress(input, input.me.id),
    ({ me, language, now }, tx, address) => askVerification(tx, me.id, address, language, now),
  ),

  writeRoute(
    verifyEmail,
    async ({ body: { uid, token }, now }, tx) => {
      if (typeof uid !== 'string' || typeof token !== 'string')
        throw refuse('verification_params_missing')
      return { status: await verify(tx, uid, token, now) }
    },
    { limit: links },
  ),

  /** Same answer for everybody: the account is looked up when the mail is sent [API 7.6, D71]. */
  preparedRoute(
    requestReset,
    async ({ body, services: { limiter, config }, now }) => {
      const name = (body.email ?? body.username ?? '').toLowerCase()
      if (name === '') throw refuseField('email', 'required')
      await countName(limiter, 'reset', name, RESET_WINDOWS, now, config.rateLimits)
      return name
    },
    async ({ language, now }, tx, name) => {
      await sendMail(tx, { about: 'reset', name }, now)
      return {
        detail: texts.reset_asked[language],
        cooldown_seconds: RESET_WINDOWS[0]?.seconds ?? 0,
      }
    },
    { limit: { name: 'reset', visitor: [{ count: 20, seconds: HOUR }] } },
  ),

  preparedRoute(
    confirmReset,
    async ({ body, db, now }) => ({
      link: await checkReset(db, body, now),
      passwordHash: await hashPassword(body.new_password),
    }),
    async ({ language, now }, tx, { link, passwordHash }) => {
      await resetPassword(tx, link, passwordHash, now)
      return { detail: texts.password_updated[language] }
    },
    {
      limit: links,
      // The fingerprint excludes the new password, so a repeat must prove that it is the one set.
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
