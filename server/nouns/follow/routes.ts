import { PAGE_SIZE, PAGE_SIZE_MAX } from '#schema/limits'
import * as wire from '#schema/wire/follow'
import {
  paged,
  readRoute,
  writeRoute,
  type LimitRow,
  type Route,
  refuse,
  type Page,
} from '../../route/index.ts'
import { requirePerson, isBlocked, miniColumns, miniOf, type MiniRow } from '../shop/person.ts'
import { sql } from 'kysely'
import { countOf } from '../../db/count.ts'
import type { Db, Tx } from '../../db/tables.ts'
import { publish } from '../../live/publish.ts'

const LIMIT: LimitRow = { name: 'follows', user: [{ count: 120, seconds: 3600 }] }

export const followRoutes: readonly Route[] = [
  readRoute(wire.followStats, ({ db, me }) =>
    db
      .selectFrom('app_user')
      .select(['followers_count', 'following_count'])
      .where('id', '=', me.id)
      .executeTakeFirstOrThrow(),
  ),

  readRoute(wire.followStatus, async ({ db, me, params }) =>
    followStatus(db, me.id, await requirePerson(db, params.id)),
  ),

  writeRoute(
    wire.toggleFollow,
    async ({ body, me, now, params }, tx) => {
      const seller = await requirePerson(tx, params.id)
      await follow(tx, me.id, seller, body.desired ?? null, now)
      return followStatus(tx, me.id, seller)
    },
    { limit: LIMIT },
  ),

  readRoute(wire.listFollowing, (input) =>
    paged(input, PAGE_SIZE, PAGE_SIZE_MAX, (page) =>
      followed(input.db, input.me.id, 'following', page),
    ),
  ),

  readRoute(wire.listFollowers, (input) =>
    paged(input, PAGE_SIZE, PAGE_SIZE_MAX, (page) =>
      followed(input.db, input.me.id, 'followers', page),
    ),
  ),
]

const DAY_MS = 86_400_000

interface FollowStatus {
  readonly user_id: string
  readonly following: boolean
  readonly followers_count: number
}

async function followStatus(db: Db, me: string, seller: string): Promise<FollowStatus> {
  const { rows } = await sql<FollowStatus>`
    select u.id as user_id, u.followers_count,
      exists (select from follow f where f.follower_id = ${me} and f.seller_id = u.id
        and f.ended_at is null) as following
    from app_user u where u.id = ${seller}`.execute(db)
  const status = rows[0]
  if (status === undefined) throw refuse('not_found')
  return status
}

/**
 * null flips the follow [API 10.1]. A new one notifies the seller at most once in 24 hours. Throws
 * 403 when either user blocks the other.
 */
async function follow(
  tx: Tx,
  me: string,
  seller: string,
  desired: boolean | null,
  now: Date,
): Promise<void> {
  if (me === seller) throw refuse('cannot_follow_self')
  // Locks both rows in a fixed order, so that two users who follow each other cannot deadlock.
  await tx
    .selectFrom('app_user')
    .select('id')
    .where('id', 'in', [me, seller])
    .orderBy('id')
    .forUpdate()
    .execute()
  const row = await tx
    .selectFrom('follow')
    .select(['ended_at', 'told_at'])
    .where('follower_id', '=', me)
    .where('seller_id', '=', seller)
    .executeTakeFirst()
  const following = row !== undefined && row.ended_at === null
  const wanted = desired ?? !following
  if (wanted === following) return
  if (!wanted) return endFollow(tx, me, seller, now)
  if (await isBlocked(tx, me, seller)) throw refuse('permission_denied')
  const silent =
    row?.told_at !== undefined &&
    row.told_at !== null &&
    now.getTime() - row.told_at.getTime() < DAY_MS
  const told_at = silent ? row.told_at : now
  await tx
    .insertInto('follow')
    .values({ follower_id: me, seller_id: seller, created_at: now, ended_at: null, told_at })
    .onConflict((on) =>
      on
        .columns(['follower_id', 'seller_id'])
        .doUpdateSet({ created_at: now, ended_at: null, told_at }),
    )
    .execute()
  await count(tx, me, seller, 1)
  if (!silent) publish(tx, { to: seller, by: me, at: now, fact: { event: 'follow.created' } })
}

export async function endFollow(
  tx: Tx,
  follower: string,
  seller: string,
  now: Date,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('follow')
    .set({ ended_at: now })
    .where('follower_id', '=', follower)
    .where('seller_id', '=', seller)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) await count(tx, follower, seller, -1)
}

async function count(tx: Tx, follower: string, seller: string, by: 1 | -1): Promise<void> {
  await tx
    .updateTable('app_user')
    .set((of) => ({ following_count: of('following_count', '+', by) }))
    .where('id', '=', follower)
    .execute()
  await tx
    .updateTable('app_user')
    .set((of) => ({ followers_count: of('followers_count', '+', by) }))
    .where('id', '=', seller)
    .execute()
}

async function followed(db: Db, me: string, whose: 'following' | 'followers', page: Page) {
  const [own, other] =
    whose === 'following'
      ? [sql.ref('f.follower_id'), sql.ref('f.seller_id')]
      : [sql.ref('f.seller_id'), sql.ref('f.follower_id')]
  const from = sql`follow f join app_user u on u.id = ${other} where ${own} = ${me}
    and f.ended_at is null and u.deleted_at is null`
  const { rows } = await sql<{ mini: MiniRow }>`
    select ${miniColumns('u')} as mini from ${from} order by f.created_at desc, u.id desc
      limit ${page.size} offset ${page.offset}`.execute(db)
  return { count: await countOf(db, from), rows: rows.map(({ mini }) => miniOf(mini)) }
}
