import * as v from 'valibot'
import { call } from './call.ts'
import { atMost, count, id, moment, needed, paged, pages, sellerMini, whole } from './shapes.ts'

/** [API 10.3] */
export const review = v.object({
  id,
  seller_id: id,
  reviewer: sellerMini,
  rating: count,
  comment: v.string(),
  created_at: moment,
  updated_at: moment,
})
export type Review = v.InferOutput<typeof review>

/** `seller` is an id or slug. */
export const listReviews = call('review.list', 'GET', 'reviews/', {
  query: v.object({ seller: needed, ...pages }),
  answer: paged(review),
})

/** 200 where it replaces the user's first one. */
export const writeReview = call('review.write', 'POST', 'reviews/', {
  body: v.object({
    seller_id: needed,
    rating: whole(1, 5),
    comment: v.nullish(v.pipe(v.string(), atMost(1000))),
  }),
  answer: review,
  status: 201,
})

export const removeReview = call('review.remove', 'DELETE', 'reviews/{id}/')

export const reviewAggregate = v.object({
  seller_id: id,
  average: v.nullable(v.number()),
  count,
  distribution: v.object({ '1': count, '2': count, '3': count, '4': count, '5': count }),
  my_review: v.nullable(review),
  can_review: v.boolean(),
  cannot_review_reason: v.nullable(v.picklist(['not_authenticated', 'self', 'no_exchange'])),
})
export type ReviewAggregate = v.InferOutput<typeof reviewAggregate>

export const readAggregate = call('review.aggregate', 'GET', 'reviews/seller/{id}/aggregate/', {
  answer: reviewAggregate,
})
