import type { User } from '#schema/wire/account'
import { pick } from '#schema/pick'
import type { Updateable } from 'kysely'
import type { Db, Row, Tables, Tx } from '../../db/tables.ts'
import { countersOf } from '../notification/counters.ts'

export type UserRow = Row<'app_user'>

export async function readUser(db: Db, id: string, now: Date): Promise<User> {
  const row = await readRow(db, id)
  return {
    ...pick(row, SHOWN),
    email: row.email ?? '',
    email_verified: row.email_verified_at !== null,
    slug: row.slug ?? '',
    years_on_platform: yearsBetween(row.joined_at, now),
    date_joined: row.joined_at.toISOString(),
    counters: await countersOf(db, id),
    updated_at: row.updated_at.toISOString(),
  }
}

export const readRow = (db: Db, id: string): Promise<UserRow> =>
  db.selectFrom('app_user').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** null for a deleted account. */
export async function liveUser(db: Db, id: string): Promise<UserRow | null> {
  const row = await db.selectFrom('app_user').selectAll().where('id', '=', id).executeTakeFirst()
  return row?.deleted_at === null ? row : null
}

/** By username or address, in lower case; null for a deleted account. */
export async function userNamed(db: Db, name: string): Promise<UserRow | null> {
  const row = await db
    .selectFrom('app_user')
    .selectAll()
    .where(name.includes('@') ? 'email' : 'username_key', '=', name)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

export const setUser = (
  tx: Tx,
  id: string,
  set: Updateable<Tables['app_user']>,
  now: Date,
): Promise<unknown> =>
  tx
    .updateTable('app_user')
    .set({ ...set, updated_at: now })
    .where('id', '=', id)
    .execute()

const SHOWN = [
  'id',
  'username',
  'phone',
  'avatar',
  'shop_name',
  'bio',
  'followers_count',
  'following_count',
  'items_sold',
  'verified_seller',
  'is_moderator',
  'typical_response_hours',
  'language',
] as const

export function yearsBetween(from: Date, to: Date): number {
  const years = to.getUTCFullYear() - from.getUTCFullYear()
  const birthday = new Date(from)
  birthday.setUTCFullYear(from.getUTCFullYear() + years)
  return Math.max(0, birthday > to ? years - 1 : years)
}
