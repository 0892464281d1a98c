import type { Selectable } from 'kysely'
import type { Counters, User } from '#schema/wire/account'
import type { Db, Tables } from '../../db/tables.ts'
import { countersOf } from '../notification/counters.ts'

export type UserRow = Selectable<Tables['app_user']>

export async function readUser(db: Db, id: string, now: Date): Promise<User> {
  return userOf(await readRow(db, id), await countersOf(db, id), now)
}

export const readRow = (db: Db, id: string): Promise<UserRow> =>
  db.selectFrom('app_user').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

export function userOf(row: UserRow, counters: Counters, now: Date): User {
  return {
    id: row.id,
    username: row.username,
    email: row.email ?? '',
    email_verified: row.email_verified_at !== null,
    phone: row.phone,
    avatar: row.avatar,
    shop_name: row.shop_name,
    slug: row.slug ?? '',
    bio: row.bio,
    followers_count: row.followers_count,
    following_count: row.following_count,
    items_sold: row.items_sold,
    years_on_platform: yearsBetween(row.joined_at, now),
    date_joined: row.joined_at.toISOString(),
    verified_seller: row.verified_seller,
    is_moderator: row.is_moderator,
    typical_response_hours: row.typical_response_hours,
    language: row.language,
    counters,
    updated_at: row.updated_at.toISOString(),
  }
}

export function yearsBetween(from: Date, to: Date): number {
  const years = to.getUTCFullYear() - from.getUTCFullYear()
  const birthday = new Date(from)
  birthday.setUTCFullYear(from.getUTCFullYear() + years)
  return Math.max(0, birthday > to ? years - 1 : years)
}
