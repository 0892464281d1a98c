import { DAY_MS, PAGE_SIZE, PAGE_SIZE_MAX } from '#schema/limits'
import type { AnswerOf } from '#schema/wire/call'
import * as wire from '#schema/wire/follow'
import { paged, readRoute, writeRoute, type Route, refuse, type Caller } from '../../route/index.ts'
import {
  isFollowing,
  requirePerson,
  isBlocked,
  miniColumns,
  miniOf,
  type MiniRow,
} from '../shop/person.ts'
import { sql } from 'kysely'
import { countOf } from '../../db/sql.ts'
import type { Db, Tx } from '../../db/tables.ts'
import { publish } from '../../live/publish.ts'
import * as v from 'valibot'
import { enqueue, steppedJob } from '../../jobs/queue.ts'
import type { Held } from '../listing/change.ts'

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
    { limit: { name: 'follows', user: [{ count: 120, seconds: 3600 }] } },
  ),

  readRoute(wire.listFollowing, (input) => followed(input, 'follower_id', 'seller_id')),

  readRoute(wire.listFollowers, (input) => followed(input, 'seller_id', 'follower_id')),
]

async function followStatus(db: Db, me: string, seller: string) {
  const { rows } = await sql<AnswerOf<typeof wire.followStatus>>`
    select u.id as user_id, u.followers_count, ${isFollowing(me, 'u.id')} as following
    from app_user u where u.id = ${seller}`.execute(db)
  const [status] = rows
  if (status === undefined) throw refuse('not_found')
  return status
}

/** null flips the follow [API 10.1]. A new one notifies at most once in 24 hours. */
async function follow(tx: Tx, me: string, seller: string, desired: boolean | null, now: Date) {
  if (me === seller) throw refuse('cannot_follow_self')
  // In a fixed order, so that two users who follow each other cannot deadlock.
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
  const last = row?.told_at ?? null
  const told_at = last !== null && now.getTime() - last.getTime() < DAY_MS ? last : now
  const fresh = { created_at: now, ended_at: null, told_at }
  await tx
    .insertInto('follow')
    .values({ follower_id: me, seller_id: seller, ...fresh })
    .onConflict((on) => on.columns(['follower_id', 'seller_id']).doUpdateSet(fresh))
    .execute()
  await count(tx, me, seller, 1)
  if (told_at === now)
    publish(tx, { to: seller, by: me, at: now, fact: { event: 'follow.created' } })
}

export async function endFollow(tx: Tx, follower: string, seller: string, now: Date) {
  const { numUpdatedRows } = await tx
    .updateTable('follow')
    .set({ ended_at: now })
    .where((is) => is.and({ follower_id: follower, seller_id: seller, ended_at: null }))
    .executeTakeFirst()
  if (numUpdatedRows > 0n) await count(tx, follower, seller, -1)
}

async function count(tx: Tx, follower: string, seller: string, by: 1 | -1) {
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

type Side = 'follower_id' | 'seller_id'

function followed(
  input: Parameters<typeof paged>[0] & { readonly db: Db; readonly me: Caller },
  own: Side,
  other: Side,
) {
  const from = sql`follow f join app_user u on u.id = ${sql.ref(`f.${other}`)}
    where ${sql.ref(`f.${own}`)} = ${input.me.id} and f.ended_at is null and u.deleted_at is null`
  return paged(input, PAGE_SIZE, PAGE_SIZE_MAX, async (page) => {
    const { rows } = await sql<{ mini: MiniRow }>`
      select ${miniColumns('u')} as mini from ${from} order by f.created_at desc, u.id desc
        limit ${page.size} offset ${page.offset}`.execute(input.db)
    return { count: await countOf(input.db, from), rows: rows.map(({ mini }) => miniOf(mini)) }
  })
}

const BATCH = 500

const plan = v.object({
  listing: v.string(),
  seller: v.string(),
  title: v.string(),
  image: v.nullable(v.string()),
  /** Later followers are not notified. */
  at: v.pipe(v.string(), v.isoTimestamp()),
  /** Id of the last follower notified. */
  after: v.string(),
})

/** As a job: there may be a hundred thousand. */
export async function notifyFollowers(
  tx: Tx,
  { id, seller_id, title, image }: Pick<Held, 'id' | 'seller_id' | 'title' | 'image'>,
  now: Date,
) {
  const one = await tx
    .selectFrom('follow')
    .select('follower_id')
    .where((is) => is.and({ seller_id, ended_at: null }))
    .limit(1)
    .executeTakeFirst()
  if (one === undefined) return
  await enqueue(
    tx,
    'followers',
    {
      listing: id,
      seller: seller_id,
      title,
      image,
      at: now.toISOString(),
      after: '',
    } satisfies v.InferOutput<typeof plan>,
    now,
  )
}

export const followersJob = steppedJob('followers', plan, async (tx, progress, now) => {
  const { listing, seller, title, image, at, after } = progress
  const { rows } = await sql<{ id: string }>`
    select follower_id as id from follow
    where seller_id = ${seller} and ended_at is null and follower_id > ${after} and created_at <= ${new Date(at)}
      and exists (select from listing where id = ${listing} and listed)
    order by follower_id limit ${BATCH}`.execute(tx)
  if (rows.length > 0)
    publish(tx, {
      to: rows.map(({ id }) => id),
      by: seller,
      at: now,
      fact: { event: 'listing.new_from_followed', listing, title, image },
    })
  const last = rows.at(-1)
  return last === undefined || rows.length < BATCH ? null : { ...progress, after: last.id }
})
