import { PAGE_SIZE_MAX } from '#schema/limits'
import * as wire from '#schema/wire/review'
import type { Db } from '../../db/tables.ts'
import {
  paged,
  readRoute,
  created,
  writeRoute,
  type LimitRow,
  type Route,
} from '../../route/index.ts'
import { ratingOf } from '../listing/card.ts'
import { requirePerson } from '../shop/person.ts'
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

export const reviewRoutes: readonly Route[] = [
  readRoute(wire.listReviews, async (input) => {
    const { db, query } = input
    const seller = await requirePerson(db, query.seller)
    return paged(input, REVIEWS_PAGE, PAGE_SIZE_MAX, (page) => reviewsOf(db, seller, page))
  }),

  writeRoute(
    wire.writeReview,
    async ({ body, me, now }, tx) => {
      const seller = await requirePerson(tx, body.seller_id)
      const { review, isNew } = await writeReview(
        tx,
        { author: me.id, seller, rating: body.rating, comment: body.comment ?? '' },
        now,
      )
      return created(review, isNew)
    },
    { limit: LIMIT },
  ),

  writeRoute(wire.removeReview, ({ me, params }, tx) => removeReview(tx, params.id, me.id)),

  readRoute(wire.readAggregate, async ({ caller, db, params }) => {
    const seller = await requirePerson(db, params.id)
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
  }),
]

async function whyNot(
  db: Db,
  seller: string,
  me: string | null,
): Promise<'not_authenticated' | 'self' | 'no_exchange' | null> {
  if (me === null) return 'not_authenticated'
  if (me === seller) return 'self'
  return (await haveExchanged(db, me, seller)) ? null : 'no_exchange'
}
