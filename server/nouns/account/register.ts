import { type Language, DELETED_NAME } from '#schema/wire/shapes'
import { violated } from '../../db/open.ts'
import type { Db, Tx } from '../../db/tables.ts'
import {
  refuseField,
  refuseFields,
  type Exchange,
  type FieldFault,
  type LimitRow,
} from '../../route/index.ts'
import { newId } from '../../ids.ts'
import { freeSlug } from './slug.ts'

interface Newcomer {
  readonly username: string
  readonly email: string
  readonly passwordHash: string
  readonly language: Language
}

/**
 * [A4] "This address is in use" reveals an account: after this many such answers every request gets
 * 429.
 */
export const PROBES: LimitRow = {
  name: 'address-probe',
  user: [{ count: 5, seconds: 24 * 3600 }],
  visitor: [{ count: 5, seconds: 3600 }],
  address: [{ count: 50, seconds: 3600 }],
}

interface Asking extends Pick<Exchange, 'count'> {
  readonly db: Db
}

/**
 * Refuses a password equal to the username and taken names, including that of deleted accounts.
 * Registration cannot hide taken names [API 7.1].
 */
export async function checkNewcomer(
  { db, count }: Asking,
  { username, email, password }: { username: string; email: string; password: string },
): Promise<void> {
  const takeBack = await count(PROBES)
  const fields: Record<string, FieldFault[]> = {}
  const taken = await db
    .selectFrom('app_user')
    .select(['username_key', 'email'])
    .where((is) =>
      is.or([
        is('username_key', '=', username.toLowerCase()),
        is('email', '=', email.toLowerCase()),
      ]),
    )
    .execute()
  if (
    username.toLowerCase() === DELETED_NAME ||
    taken.some((row) => row.username_key === username.toLowerCase())
  )
    fields['username'] = [{ code: 'username_taken' }]
  if (taken.some((row) => row.email === email.toLowerCase()))
    fields['email'] = [{ code: 'email_taken' }]
  else await takeBack()
  if (isSimilar(password, username)) fields['password'] = [{ code: 'password_too_similar' }]
  if (Object.keys(fields).length > 0) throw refuseFields(fields)
}

/** [API 5.3]: equal to the username, ignoring case. */
export const isSimilar = (password: string, username: string): boolean =>
  password.trim().toLowerCase() === username.toLowerCase()

/** Returns the id. The unique key refuses the second of two concurrent requests with one name. */
export async function createUser(
  tx: Tx,
  { username, email, passwordHash, language }: Newcomer,
  now: Date,
): Promise<string> {
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
    throw takenBy(violated(error)) ?? error
  }
  return id
}

function takenBy(constraint: string | null) {
  if (constraint === 'app_user_username_key_key') return refuseField('username', 'username_taken')
  return constraint === 'app_user_email_key' ? refuseField('email', 'email_taken') : null
}
