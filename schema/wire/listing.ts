import * as v from 'valibot'
import { count, id, image, moment, rating, sellerMini } from './shapes.ts'

/** Derived, first match wins (API.md 5.1). */
export const listingStatus = v.picklist(['deleted', 'archived', 'rejected', 'pending', 'sold', 'expired', 'inactive', 'reserved', 'active'])
export type ListingStatus = v.InferOutput<typeof listingStatus>

export const specValue = v.union([v.string(), v.number(), v.boolean()])
export const specs = v.record(v.string(), specValue)
export type Specs = v.InferOutput<typeof specs>

const card = {
  id,
  title: v.string(),
  price: v.nullable(count),
  currency: v.literal('XOF'),
  negotiable: v.boolean(),
  condition: v.nullable(v.string()),
  category: v.object({ id: v.string(), slug: v.string(), name: v.string() }),
  region: v.string(),
  region_name: v.string(),
  town: v.nullable(v.string()),
  town_name: v.nullable(v.string()),
  neighbourhood: v.nullable(v.string()),
  neighbourhood_name: v.nullable(v.string()),
  location_note: v.nullable(v.string()),
  images: v.array(image),
  images_count: count,
  seller: sellerMini,
  rating,
  status: listingStatus,
  review_status: v.picklist(['pending', 'approved', 'rejected']),
  is_active: v.boolean(),
  is_sold: v.boolean(),
  is_reserved: v.boolean(),
  is_archived: v.boolean(),
  is_featured: v.boolean(),
  has_phone: v.boolean(),
  is_favorite: v.nullable(v.boolean()),
  is_owner: v.boolean(),
  views_total: count,
  views_today: count,
  posted_at: v.nullable(moment),
  updated_at: moment,
}

/** API.md 4.5; `images` holds the first one only. */
export const listingCard = v.object(card)
export type ListingCard = v.InferOutput<typeof listingCard>

/** The seller of a detail (API.md 4.6). */
export const listingSeller = v.object({
  ...sellerMini.entries,
  followers_count: count,
  items_sold: count,
  years_on_platform: count,
  date_joined: moment,
  typical_response_hours: v.nullable(count),
  listings_count: count,
  is_following: v.nullable(v.boolean()),
})
export type ListingSeller = v.InferOutput<typeof listingSeller>

/** API.md 4.6. */
export const listingDetail = v.object({
  ...card,
  description: v.string(),
  specs,
  contact_phone: v.nullable(v.string()),
  seller: listingSeller,
  share_url: v.string(),
  favorites_count: count,
  created_at: moment,
  version: count,
  client_id: v.nullable(v.string()),
  review_reason: v.nullable(v.string()),
  expires_at: v.nullable(moment),
  featured_until: v.nullable(moment),
  sold_at: v.nullable(moment),
  conversation_id: v.nullable(id),
})
export type ListingDetail = v.InferOutput<typeof listingDetail>

const facetValue = v.object({ value: v.string(), label: v.string(), count })
/** API.md 8.3. */
export const facets = v.object({
  count,
  categories: v.array(facetValue),
  regions: v.array(facetValue),
  towns: v.array(facetValue),
  conditions: v.array(facetValue),
  price: v.object({
    min: v.nullable(count),
    max: v.nullable(count),
    buckets: v.array(v.object({ id: v.string(), min: count, max: v.nullable(count), label: v.string(), count })),
  }),
  specs: v.record(v.string(), v.array(facetValue)),
})
export type Facets = v.InferOutput<typeof facets>
