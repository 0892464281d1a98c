import { PAGE_SIZE, PAGE_SIZE_MAX } from '#schema/limits'
import * as wire from '#schema/wire/follow'
import {
  linksOf,
  pageOf,
  readRoute,
  writeRoute,
  type LimitRow,
  type Route,
} from '../../route/index.ts'
import { requirePerson } from '../shop/person.ts'
import { follow, followed, followStatus } from './queries.ts'

const LIMIT: LimitRow = { name: 'follows', user: [{ count: 120, seconds: 3600 }] }

const stats = readRoute(wire.followStats, ({ db, me }) =>
  db
    .selectFrom('app_user')
    .select(['followers_count', 'following_count'])
    .where('id', '=', me.id)
    .executeTakeFirstOrThrow(),
)

const status = readRoute(wire.followStatus, async ({ db, me, params }) =>
  followStatus(db, me.id, await requirePerson(db, params.id)),
)

const toggle = writeRoute(
  wire.toggleFollow,
  async ({ body, me, now, params }, tx) => {
    const seller = await requirePerson(tx, params.id)
    await follow(tx, me.id, seller, body.desired ?? null, now)
    return followStatus(tx, me.id, seller)
  },
  { limit: LIMIT },
)

const lists = (['following', 'followers'] as const).map((whose) =>
  readRoute(
    whose === 'following' ? wire.listFollowing : wire.listFollowers,
    async ({ db, me, query }) => {
      const page = pageOf(query, PAGE_SIZE, PAGE_SIZE_MAX)
      const { count, rows } = await followed(db, me.id, whose, page)
      return { ...linksOf(`follow/${whose}/`, query, page, count), results: rows }
    },
  ),
)

export const followRoutes: readonly Route[] = [stats, status, toggle, ...lists]
