import * as v from 'valibot'
import { call } from './call.ts'
import {
  commaList,
  count,
  id,
  image,
  lowerBound,
  moment,
  nullableText,
  paged,
  pages,
  rating,
  sellerDetail,
  sellerMini,
} from './shapes.ts'

/** The first match wins [API 5.1]. */
export const listingStatus = v.picklist([
  'deleted',
  'archived',
  'rejected',
  'pending',
  'sold',
  'expired',
  'inactive',
  'reserved',
  'active',
])
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
  condition: nullableText,
  category: v.object({ id: v.string(), slug: v.string(), name: v.string() }),
  region: v.string(),
  region_name: v.string(),
  town: nullableText,
  town_name: nullableText,
  neighbourhood: nullableText,
  neighbourhood_name: nullableText,
  location_note: nullableText,
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

/** [API 4.5]; `images` has only the first one. */
export const listingCard = v.object(card)
export type ListingCard = v.InferOutput<typeof listingCard>

/** [API 4.6] */
const listingSeller = v.object({
  ...sellerMini.entries,
  ...sellerDetail,
  listings_count: count,
  is_following: v.nullable(v.boolean()),
})
export type ListingSeller = v.InferOutput<typeof listingSeller>

/** [API 4.6] */
export const listingDetail = v.object({
  ...card,
  description: v.string(),
  specs,
  contact_phone: nullableText,
  seller: listingSeller,
  share_url: v.string(),
  favorites_count: count,
  created_at: moment,
  version: count,
  client_id: nullableText,
  review_reason: nullableText,
  expires_at: v.nullable(moment),
  featured_until: v.nullable(moment),
  sold_at: v.nullable(moment),
  conversation_id: v.nullable(id),
})
export type ListingDetail = v.InferOutput<typeof listingDetail>

export const listingMore = v.pick(listingDetail, [
  'description',
  'contact_phone',
  'share_url',
  'favorites_count',
  'created_at',
  'version',
  'review_reason',
  'expires_at',
  'featured_until',
  'sold_at',
])

const facet = v.array(v.object({ value: v.string(), label: v.string(), ...lowerBound }))
/** [API 8.3] */
export const facets = v.object({
  ...lowerBound,
  categories: facet,
  regions: facet,
  towns: facet,
  conditions: facet,
  price: v.object({
    min: v.nullable(count),
    max: v.nullable(count),
    buckets: v.array(
      v.object({
        id: v.string(),
        min: count,
        max: v.nullable(count),
        label: v.string(),
        ...lowerBound,
      }),
    ),
  }),
  specs: v.record(v.string(), facet),
})
export type Facets = v.InferOutput<typeof facets>

const maybe = v.optional(v.string())
const list = v.optional(commaList)
/** [API 8.2] without `spec.<name>`. `readFilter` parses them. */
const filters = {
  search: maybe,
  q: maybe,
  category: list,
  region: list,
  town: list,
  neighbourhood: list,
  near: maybe,
  radius_km: maybe,
  price_min: maybe,
  price_max: maybe,
  condition: list,
  negotiable: maybe,
  has_images: maybe,
  is_featured: maybe,
  verified_seller: maybe,
  posted_within: maybe,
  seller: maybe,
  exclude: list,
}
const lists = {
  ...filters,
  ids: list,
  ordering: maybe,
  sort: maybe,
  ...pages,
  seek: maybe,
  changed_since: maybe,
}

/** `missing` with `ids`, `removed` in a delta read [API 8.2, API 3]. */
export const listingPage = v.object({
  ...paged(listingCard).entries,
  missing: v.optional(v.array(v.string())),
  removed: v.optional(v.array(id)),
})
export type ListingPage = v.InferOutput<typeof listingPage>

/** [API 8.2] */
export const browseListings = call('listing.browse', 'GET', 'listings/', {
  query: v.looseObject(lists),
  answer: listingPage,
})

/** [API 8.3] */
export const readFacets = call('listing.facets', 'GET', 'listings/facets/', {
  query: v.looseObject(filters),
  answer: facets,
})

/** [API 8.4] */
export const readListing = call('listing.read', 'GET', 'listings/{id}/', {
  answer: listingDetail,
})

/** Also counts a view [API 8.4]. */
export const viewListing = call('listing.view', 'GET', 'listings/{id}/with-view/', {
  cache: 'counted',
  query: v.object({ session_id: maybe }),
  answer: listingDetail,
})

const rows = {
  next: nullableText,
  previous: nullableText,
  results: v.array(listingCard),
}

/** [API 8.5] */
export const similarListings = call('listing.similar', 'GET', 'listings/{id}/similar/', {
  query: v.object(pages),
  answer: v.object(rows),
})

const recommendationType = v.picklist(['for_you', 'trending', 'recent', 'featured', 'followed'])
export type RecommendationType = v.InferOutput<typeof recommendationType>

/** [API 8.6] */
export const recommendListings = call('listing.recommend', 'GET', 'recommendations/', {
  query: v.object({
    type: v.optional(v.picklist([...recommendationType.options, 'new_from_followed', 'popular'])),
    session_id: maybe,
    ...pages,
  }),
  answer: v.object({ type: recommendationType, ...rows }),
})

const channel = v.picklist(['phone', 'whatsapp', 'message'])

/** [API 8.9]: records the contact. */
export const contactSeller = call('listing.contact', 'POST', 'listings/{id}/contacted/', {
  access: 'public',
  body: v.object({ channel: v.nullish(channel), session_id: v.nullish(v.string()) }),
  answer: v.object({ listing_id: id, channel, contact_phone: nullableText }),
})

/** [API 15]: views; always 204. */
export const trackEvents = call('listing.track', 'POST', 'events/track/', {
  access: 'open',
  body: v.unknown(),
  form: 'text',
  bodyMax: 32 * 1024,
  keyed: false,
})
