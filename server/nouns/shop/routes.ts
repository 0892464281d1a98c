import { sql } from 'kysely'
import * as wire from '#schema/wire/shop'
import { columnsOf } from '../../db/sql.ts'
import { pick } from '#schema/pick'
import type { Db, Row } from '../../db/tables.ts'
import { readRoute, refuse, type Route } from '../../route/index.ts'
import { liveUser, yearsBetween } from '../account/user.ts'
import { ratingOf } from '../listing/card.ts'
import { listScoped } from '../listing/read/list.ts'
import { plainQuery } from '../listing/search/queries.ts'
import { countVisible } from '../listing/search/where.ts'
import { viewOf } from '../listing/read/routes.ts'
import { isFollowing, requirePerson, miniColumns, miniOf, type MiniRow } from './person.ts'

export const shopRoutes: readonly Route[] = [
  readRoute(wire.readShop, async (input) => {
    const { db, now } = input
    const { me } = viewOf(input)
    const id = await sellerBy(db, input.params.id)
    const { rows } = await sql<ShopRow>`
      select ${miniColumns('u')} as mini, ${columnsOf('u', SHOWN)}, u.joined_at, u.rating_count, u.rating_sum,
        ${countVisible('u.id', now)} as listings_count,
        ${isFollowing(me, 'u.id')} as is_following,
        exists (select from block b where b.blocker_id = ${me} and b.blocked_id = u.id) as is_blocked
      from app_user u where u.id = ${id}`.execute(db)
    const [row] = rows
    if (row === undefined) throw refuse('not_found')
    return {
      ...miniOf(row.mini),
      ...pick(row, [...SHOWN, 'listings_count', 'is_blocked']),
      years_on_platform: yearsBetween(row.joined_at, now),
      date_joined: row.joined_at.toISOString(),
      rating: ratingOf(row),
      is_following: me === null ? null : row.is_following,
      is_me: me === id,
    }
  }),

  readRoute(wire.shopListings, async (input) => {
    const { db, params, query } = input
    const seller = await sellerBy(db, params.id)
    const { page, page_size, status, seller: _, ids: __, ...raw } = query
    const request = {
      path: `shops/${params.id}/listings/`,
      query: plainQuery({ ...raw, status, page, page_size }),
      page,
      size: page_size,
    }
    const scope = status === 'sold' ? 'sold' : 'public'
    return listScoped(db, request, { sellerId: seller, scope }, viewOf(input))
  }),
]

/** 404 for unknown, deleted and suspended ones [API 8.10]. */
async function sellerBy(db: Db, idOrSlug: string) {
  const id = await requirePerson(db, idOrSlug)
  const user = await liveUser(db, id)
  if (user?.suspended_at !== null) throw refuse('not_found')
  return id
}

const SHOWN = [
  'bio',
  'followers_count',
  'following_count',
  'items_sold',
  'typical_response_hours',
] as const

type ShopRow = Pick<
  Row<'app_user'>,
  (typeof SHOWN)[number] | 'joined_at' | 'rating_count' | 'rating_sum'
> & { mini: MiniRow; listings_count: number; is_following: boolean; is_blocked: boolean }
