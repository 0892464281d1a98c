import { PAGE_SIZE_MAX } from '#schema/limits'
import * as wire from '#schema/wire/review'
import type { Db } from '../../db/tables.ts'
import { readRoute, writeRoute, type Route } from '../../route/handle.ts'
import type { LimitRow } from '../../route/limits.ts'
import { linksOf, pageOf } from '../../route/pages.ts'
import { refuse } from '../../route/refusal.ts'
import { reply } from '../../route/reply.ts'
import { ratingOf } from '../listing/card.ts'
import { personBy } from '../shop/person.ts'
import {
  distributionOf,
  haveExchanged,
  removeReview,
  reviewBy,
  reviewsOf,
  writeReview,
} from './queries.ts'

const LIMIT: LimitRow = { name: 'reviews', user: [{ count: 20, seconds: 86_400 }] }
const REVIEWS_PAGE = 10

async function sellerBy(db: Db, idOrSlug: string): Promise<string> {
  const id = await personBy(db, idOrSlug)
  if (id === null) throw refuse('not_found')
  return id
}

const list = readRoute(wire.listReviews, async ({ db, query }) => {
  const page = pageOf(query, REVIEWS_PAGE, PAGE_SIZE_MAX)
  const { count, rows } = await reviewsOf(db, await sellerBy(db, query.seller), page)
  return { ...linksOf('reviews/', query, page, count), results: rows }
})

const write = writeRoute(
  wire.writeReview,
  async ({ body, me, now }, tx) => {
    const seller = await sellerBy(tx, body.seller_id)
    const { review, isNew } = await writeReview(
      tx,
      { author: me.id, seller, rating: body.rating, comment: body.comment ?? '' },
      now,
    )
    return reply(review, { status: isNew ? 201 : 200 })
  },
  { limit: LIMIT },
)

const remove = writeRoute(wire.removeReview, ({ me, params }, tx) =>
  removeReview(tx, params.id, me.id),
)

const aggregate = readRoute(wire.readAggregate, async ({ caller, db, params }) => {
  const seller = await sellerBy(db, params.id)
  const { rating_count, rating_sum } = await db
    .selectFrom('app_user')
    .select(['rating_count', 'rating_sum'])
    .where('id', '=', seller)
    .executeTakeFirstOrThrow()
  const reason = await whyNot(db, seller, caller?.id ?? null)
  return {
    seller_id: seller,
    ...ratingOf({ rating_count, rating_sum }),
    distribution: await distributionOf(db, seller),
    my_review: caller === null ? null : await reviewBy(db, seller, caller.id),
    can_review: reason === null,
    cannot_review_reason: reason,
  }
})

async function whyNot(
  db: Db,
  seller: string,
  me: string | null,
): Promise<'not_authenticated' | 'self' | 'no_exchange' | null> {
  if (me === null) return 'not_authenticated'
  if (me === seller) return 'self'
  return (await haveExchanged(db, me, seller)) ? null : 'no_exchange'
}

export const reviewRoutes: readonly Route[] = [list, write, remove, aggregate]
