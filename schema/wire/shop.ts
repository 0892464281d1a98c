import * as v from 'valibot'
import { call } from './call.ts'
import { browseListings, listingPage } from './listing.ts'
import { count, rating, sellerDetail, sellerMini } from './shapes.ts'

/** [API 8.10] */
export const shop = v.object({
  ...sellerMini.entries,
  bio: v.string(),
  ...sellerDetail,
  following_count: count,
  listings_count: count,
  rating,
  is_following: v.nullable(v.boolean()),
  is_me: v.boolean(),
  is_blocked: v.boolean(),
})
export type Shop = v.InferOutput<typeof shop>

/** `id` is a user id or a slug. */
export const readShop = call('shop.read', 'GET', 'shops/{id}/', {
  answer: shop,
})

/** All of 8.2 but `seller` and `ids`; `sold` shows sold listings. */
export const shopListings = call('shop.listings', 'GET', 'shops/{id}/listings/', {
  query: v.looseObject({
    ...browseListings.query.entries,
    status: v.optional(v.picklist(['active', 'sold'])),
  }),
  answer: listingPage,
})
