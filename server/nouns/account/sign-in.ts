import { login, logout, register } from '#schema/wire/account'
import { type Language, DELETED_NAME } from '#schema/wire/shapes'
import { violated } from '../../db/open.ts'
import type { Db, Tx } from '../../db/tables.ts'
import { newId } from '../../ids.ts'
import { sendMail } from '../../mail/order.ts'
import {
  countName,
  preparedRoute,
  refuse,
  refuseField,
  refuseFields,
  writeRoute,
  type Code,
  type Exchange,
  type FieldFault,
  type LimitRow,
  type Route,
} from '../../route/index.ts'
import { dropSubscription } from '../push/subscriptions.ts'
import { hashPassword, isSimilar, passwordFits } from './password.ts'
import { endSessions, openSession } from './session.ts'
import { freeSlug, liveUser, readUser, userNamed, type UserRow } from './user.ts'

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
      await checkNewcomer(db, count, body)
      return hashPassword(body.password)
    },
    async ({ body, userAgent, language, now }, tx, passwordHash) => {
      const user = await createUser(
        tx,
        { ...body, language: body.language ?? language, passwordHash },
        now,
      )
      await sendMail(tx, { about: 'verify', user, address: body.email.toLowerCase() }, now)
      return signIn(tx, user, userAgent, now)
    },
    {
      limit: { name: 'register', visitor: [{ count: 10, seconds: HOUR }] },
      // A repeat proves its password and gets a new token ([API 2], secrets).
      secret: {
        toStored: (answer) => answer.user.id,
        async fromStored({ body, db, services, userAgent, now }, id) {
          await mayEnter(await liveUser(db, id), body.password, 'idempotency_key_reused')
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
      await countName(services, 'login', name, [{ count: 10, seconds: 15 * 60 }], now)
      return mayEnter(await userNamed(db, name), password, 'invalid_credentials')
    },
    ({ userAgent, now }, tx, user) => signIn(tx, user, userAgent, now),
    { limit: { name: 'login', visitor: [{ count: 30, seconds: 15 * 60 }] } },
  ),

  writeRoute(logout, async ({ body, me: { id, sessionId } }, tx) => {
    await endSessions(tx, id, { only: sessionId })
    if (typeof body.endpoint === 'string') await dropSubscription(tx, id, body.endpoint)
  }),
]

async function mayEnter(row: UserRow | null, password: string, otherwise: Code) {
  if (!(await passwordFits(password, row?.password_hash ?? null)) || row === null)
    throw refuse(otherwise)
  if (row.suspended_at !== null) throw refuse('account_suspended')
  return row.id
}

/** [A4] "This address is in use" reveals an account; after these answers every request gets 429. */
export const PROBES: LimitRow = {
  name: 'address-probe',
  user: [{ count: 5, seconds: 24 * HOUR }],
  visitor: [{ count: 5, seconds: HOUR }],
  network: [{ count: 50, seconds: HOUR }],
}

/** Registration cannot hide taken names [API 7.1]. */
async function checkNewcomer(
  db: Db,
  count: Exchange['count'],
  { username, email, password }: { username: string; email: string; password: string },
) {
  const takeBack = await count(PROBES)
  const [name, address] = [username.toLowerCase(), email.toLowerCase()]
  const fields: Record<string, FieldFault[]> = {}
  const taken = await db
    .selectFrom('app_user')
    .select(['username_key', 'email'])
    .where((is) => is.or({ username_key: name, email: address }))
    .execute()
  if (name === DELETED_NAME || taken.some((row) => row.username_key === name))
    fields['username'] = [{ code: 'username_taken' }]
  if (taken.some((row) => row.email === address)) fields['email'] = [{ code: 'email_taken' }]
  else await takeBack()
  if (isSimilar(password, username)) fields['password'] = [{ code: 'password_too_similar' }]
  if (Object.keys(fields).length > 0) throw refuseFields(fields)
}

/** The unique key refuses the second of two concurrent requests with one name. */
export async function createUser(
  tx: Tx,
  {
    username,
    email,
    passwordHash,
    language,
  }: { username: string; email: string; passwordHash: string; language: Language },
  now: Date,
) {
  const id = newId(now.getTime())
  const slug = await freeSlug(tx, username)
  try {
    await tx
      .insertInto('app_user')
      .values({
        id,
        username,
        username_key: username.toLowerCase(),
        email: email.toLowerCase(),
        password_hash: passwordHash,
        slug,
        language,
        joined_at: now,
        updated_at: now,
      })
      .execute()
    await tx.insertInto('user_slug').values({ slug, user_id: id }).execute()
  } catch (error) {
    const constraint = violated(error)
    if (constraint === 'app_user_username_key_key') throw refuseField('username', 'username_taken')
    throw constraint === 'app_user_email_key' ? refuseField('email', 'email_taken') : error
  }
  return id
}
