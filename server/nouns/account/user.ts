import type { User } from '#schema/wire/account'
import { pick } from '#schema/pick'
import { type Updateable, sql } from 'kysely'
import type { Db, Row, Tables, Tx } from '../../db/tables.ts'
import { countersOf } from '../notification/queries.ts'

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

export const liveUser = (db: Db, id: string) => live(db, 'id', id)

export const userNamed = (db: Db, name: string) =>
  live(db, name.includes('@') ? 'email' : 'username_key', name)

async function live(db: Db, column: 'id' | 'email' | 'username_key', value: string) {
  const row = await db
    .selectFrom('app_user')
    .selectAll()
    .where(column, '=', value)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

export const setUser = (tx: Tx, id: string, set: Updateable<Tables['app_user']>, now: Date) =>
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

export function yearsBetween(from: Date, to: Date) {
  const years = to.getUTCFullYear() - from.getUTCFullYear()
  const birthday = new Date(from)
  birthday.setUTCFullYear(from.getUTCFullYear() + years)
  return Math.max(0, birthday > to ? years - 1 : years)
}

/** The ASCII slug of a name: `seller.2` is `seller-2` [API 4.3]. */
export const slugOf = (name: string) =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 56) || 'boutique'

/** Denotes the caller in seller parameters [API 8.2]. */
const RESERVED = 'me'
const LIKE_AN_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Never used before; `-2`, `-3`… when taken, reserved or like an id [D118]. */
export async function freeSlug(tx: Tx, name: string) {
  const base = slugOf(name)
  // Until `tx` ends: two similar names must not get the same slug.
  await sql`select pg_advisory_xact_lock(724003)`.execute(tx)
  const taken = await tx
    .selectFrom('user_slug')
    .select('slug')
    .where((is) => is.or([is('slug', '=', base), is('slug', 'like', `${base}-%`)]))
    .execute()
  const names = new Set([RESERVED, ...taken.map((row) => row.slug)])
  const free = (slug: string) => !names.has(slug) && !LIKE_AN_ID.test(slug)
  if (free(base)) return base
  let n = 2
  while (!free(`${base}-${n}`)) n += 1
  return `${base}-${n}`
}
