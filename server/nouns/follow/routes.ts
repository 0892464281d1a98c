import { PAGE_SIZE, PAGE_SIZE_MAX } from '#schema/limits'
import * as wire from '#schema/wire/follow'
import { paged, readRoute, writeRoute, type LimitRow, type Route } from '../../route/index.ts'
import { requirePerson } from '../shop/person.ts'
import { follow, followed, followStatus } from './queries.ts'

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
