import { login, logout, register } from '#schema/wire/account'
import {
  countName,
  preparedRoute,
  refuse,
  refuseFields,
  writeRoute,
  type FieldFault,
  type Route,
} from '../../route/index.ts'
import { hashPassword, passwordFits } from './password.ts'
import { checkNewcomer, createUser } from './register.ts'
import { endSessions, openSession } from './session.ts'
import type { Tx } from '../../db/tables.ts'
import { liveUser, readUser, userNamed } from './user.ts'
import { sendVerification } from './verification.ts'

const HOUR = 3600
const MISSING: FieldFault[] = [{ code: 'required' }]

const signIn = async (tx: Tx, user: string, userAgent: string, now: Date) => ({
  token: await openSession(tx, user, userAgent, now),
  user: await readUser(tx, user, now),
})

export const signInRoutes: readonly Route[] = [
  preparedRoute(
    register,
    async ({ body, db, count }) => {
      await checkNewcomer({ db, count }, body)
      return hashPassword(body.password)
    },
    async ({ body, userAgent, language, now }, tx, passwordHash) => {
      const user = await createUser(
        tx,
        { ...body, language: body.language ?? language, passwordHash },
        now,
      )
      await sendVerification(tx, user, body.email.toLowerCase(), now)
      return signIn(tx, user, userAgent, now)
    },
    {
      limit: { name: 'register', visitor: [{ count: 10, seconds: HOUR }] },
      // The token is not stored: a repeat proves its password and gets a new token ([API 2],
      // secrets).
      secret: {
        toStored: (answer) => answer.user.id,
        async fromStored({ body, db, services, userAgent, now }, id) {
          const row = await liveUser(db, id)
          if (!(await passwordFits(body.password, row?.password_hash ?? null)) || row === null)
            throw refuse('idempotency_key_reused')
          if (row.suspended_at !== null) throw refuse('account_suspended')
          return services.database.tx((tx) => signIn(tx, id, userAgent, now))
        },
      },
    },
  ),

  preparedRoute(
    login,
    async ({ body, db, services, now }) => {
      const name = (body.username ?? body.email ?? '').toLowerCase()
      const password = body.password ?? ''
      if (name === '' || password === '')
        throw refuseFields({
          ...(name === '' && { username: MISSING }),
          ...(password === '' && { password: MISSING }),
        })
      await countName(
        services.limiter,
        'login',
        name,
        [{ count: 10, seconds: 15 * 60 }],
        now,
        services.config.rateLimits,
      )
      const row = await userNamed(db, name)
      if (!(await passwordFits(password, row?.password_hash ?? null)) || row === null)
        throw refuse('invalid_credentials')
      if (row.suspended_at !== null) throw refuse('account_suspended')
      return row.id
    },
    ({ userAgent, now }, tx, user) => signIn(tx, user, userAgent, now),
    { limit: { name: 'login', visitor: [{ count: 30, seconds: 15 * 60 }] } },
  ),

  writeRoute(logout, async ({ body, me: { id, sessionId } }, tx) => {
    await endSessions(tx, id, { only: sessionId })
    if (typeof body.endpoint === 'string')
      await tx
        .deleteFrom('push_subscription')
        .where('endpoint', '=', body.endpoint)
        .where('user_id', '=', id)
        .execute()
  }),
]
