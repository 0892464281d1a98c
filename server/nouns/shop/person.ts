import type { Db, Tx, Row } from '../../db/tables.ts'
import { refuse } from '../../route/index.ts'
import { liveUser } from '../account/user.ts'
import { sql, type RawBuilder } from 'kysely'
import { DELETED_NAME, type SellerMini } from '#schema/wire/shapes'
import { jsonOf, hasRows } from '../../db/sql.ts'

const SOUND = /^[A-Za-z0-9_.-]{1,64}$/

/** By id, current or former slug [D62]; null for unknown and deleted users. */
export async function personBy(db: Db, idOrSlug: string) {
  if (!SOUND.test(idOrSlug)) return null
  const bySlug = db
    .selectFrom('user_slug')
    .select('user_id')
    .where('slug', '=', idOrSlug.toLowerCase())
  const row = await db
    .selectFrom('app_user')
    .select('id')
    .where('deleted_at', 'is', null)
    .where((either) => either.or([either('id', '=', idOrSlug), either('id', 'in', bySlug)]))
    .executeTakeFirst()
  return row?.id ?? null
}

export async function requirePerson(db: Db, idOrSlug: string) {
  const id = await personBy(db, idOrSlug)
  if (id === null) throw refuse('not_found')
  return id
}

export async function requireUser(db: Db, id: string) {
  if ((await liveUser(db, id)) === null) throw refuse('not_found')
}

/** What counts against a limit of the user then happens one by one. */
export async function lockPerson(tx: Tx, id: string) {
  await tx.selectFrom('app_user').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
}

export function isBlocked(db: Db, one: string, other: string) {
  const blocks = sql`block where (blocker_id = ${one} and blocked_id = ${other})
    or (blocker_id = ${other} and blocked_id = ${one})`
  return hasRows(db, blocks)
}

export const isFollowing = (me: string | null, seller: string): RawBuilder<boolean> =>
  sql`exists (select from follow f
    where f.follower_id = ${me} and f.seller_id = ${sql.ref(seller)} and f.ended_at is null)`

const MINI = ['id', 'username', 'shop_name', 'slug', 'avatar', 'verified_seller'] as const

export type MiniRow = Pick<Row<'app_user'>, (typeof MINI)[number]> & {
  readonly deleted: boolean
  readonly suspended: boolean
}

export const miniColumns = (at: string) =>
  jsonOf(
    at,
    MINI,
    `'deleted', ${at}.deleted_at is not null, 'suspended', ${at}.suspended_at is not null`,
  )

const DELETED = { username: DELETED_NAME, shop_name: null, slug: null, avatar: null }

export function miniOf(row: MiniRow): SellerMini {
  const { id, verified_seller, deleted, username, shop_name, slug, avatar } = row
  const shown = deleted ? DELETED : { username, shop_name, slug, avatar }
  return { id, ...shown, verified_seller, deleted }
}
