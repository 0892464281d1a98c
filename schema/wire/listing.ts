import * as v from 'valibot'
import { DESCRIPTION_MAX, IMAGES_PER_LISTING, TITLE_MAX, TITLE_MIN } from '../limits.ts'
import { call } from './call.ts'
import { atMost, clientId, commaList, pages, text, whole } from './fields.ts'
import { count, id, image, moment, paged, rating, sellerMini } from './shapes.ts'

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

const maybe = v.optional(v.string())
const list = v.optional(commaList)
/** The filters of API.md 8.2 by name; `spec.<name>` comes beside them. `readFilter` reads them. */
const filterNames = {
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
const lists = { ...filterNames, ids: list, ordering: maybe, sort: maybe, ...pages, seek: maybe, changed_since: maybe }

/** A page of listings; `missing` with `ids`, `removed` in a delta read (API.md 8.2, 3). */
export const listingPage = v.object({
  ...paged(listingCard).entries,
  missing: v.optional(v.array(v.string())),
  removed: v.optional(v.array(id)),
})
export type ListingPage = v.InferOutput<typeof listingPage>

/** API.md 8.2. */
export const browseListings = call({ name: 'listing.browse', method: 'GET', path: 'listings/', query: v.looseObject(lists), body: null, answer: listingPage })

/** API.md 8.3. */
export const readFacets = call({ name: 'listing.facets', method: 'GET', path: 'listings/facets/', query: v.looseObject(filterNames), body: null, answer: facets })

/** API.md 8.4. */
export const readListing = call({ name: 'listing.read', method: 'GET', path: 'listings/{id}/', query: null, body: null, answer: listingDetail })

/** API.md 8.4: the same, and counts a view. */
export const viewListing = call({
  name: 'listing.view',
  method: 'GET',
  path: 'listings/{id}/with-view/',
  cache: 'counted',
  query: v.object({ session_id: maybe }),
  body: null,
  answer: listingDetail,
})

const rows = { next: v.nullable(v.string()), previous: v.nullable(v.string()), results: v.array(listingCard) }

/** API.md 8.5. */
export const similarListings = call({
  name: 'listing.similar',
  method: 'GET',
  path: 'listings/{id}/similar/',
  query: v.object(pages),
  body: null,
  answer: v.object(rows),
})

const recommendationType = v.picklist(['for_you', 'trending', 'recent', 'featured', 'followed'])
export type RecommendationType = v.InferOutput<typeof recommendationType>

/** API.md 8.6. */
export const recommendListings = call({
  name: 'listing.recommend',
  method: 'GET',
  path: 'recommendations/',
  query: v.object({
    type: v.optional(v.picklist([...recommendationType.options, 'new_from_followed', 'popular'])),
    session_id: maybe,
    ...pages,
  }),
  body: null,
  answer: v.object({ type: recommendationType, ...rows }),
})

const channel = v.picklist(['phone', 'whatsapp', 'message'])

/** API.md 8.9: shows the phone and records the contact. */
export const contactSeller = call({
  name: 'listing.contact',
  method: 'POST',
  path: 'listings/{id}/contacted/',
  access: 'public',
  query: null,
  body: v.object({ channel: v.nullish(channel), session_id: v.nullish(v.string()) }),
  answer: v.object({ listing_id: id, channel, contact_phone: v.nullable(v.string()) }),
})

/** API.md 15: views that were seen on the phone; always 204. */
export const trackEvents = call({
  name: 'listing.track',
  method: 'POST',
  path: 'events/track/',
  access: 'open',
  query: null,
  body: v.unknown(),
  answer: null,
  form: 'text',
  bodyMax: 32 * 1024,
  keyed: false,
})

const note = v.nullish(v.pipe(v.string(), atMost(80)))
/** API.md 5.3; what depends on the category or the place is judged by the server's rules. */
const fields = {
  description: v.pipe(v.string(), v.minLength(1, 'blank'), atMost(DESCRIPTION_MAX)),
  negotiable: v.nullish(v.boolean()),
  town: note,
  neighbourhood: note,
  location_note: note,
  contact_phone: v.nullish(v.string()),
  specs: v.nullish(v.record(v.string(), v.unknown())),
  price: v.nullish(v.union([v.number(), v.string()])),
  uploaded_image_ids: v.nullish(v.array(v.string())),
}
const title = text(TITLE_MIN, TITLE_MAX)
const named = v.pipe(v.string(), v.minLength(1))

const MULTIPART_MAX = 30 * 1024 * 1024
const photos = { form: 'both', files: { uploaded_images: IMAGES_PER_LISTING }, bodyMax: MULTIPART_MAX } as const

/** API.md 9.1. */
export const createListing = call({
  name: 'listing.create',
  method: 'POST',
  path: 'listings/',
  query: null,
  body: v.object({ title, ...fields, category: named, region: named, client_id: clientId }),
  answer: listingDetail,
  status: 201,
  ...photos,
})

/** API.md 9.2: any of the fields; `base_version` is the `version` that the edit started from. */
export const editListing = call({
  name: 'listing.edit',
  method: 'PATCH',
  path: 'listings/{id}/',
  query: null,
  body: v.object({
    ...fields,
    title: v.optional(title),
    description: v.optional(fields.description),
    category: v.optional(named),
    region: v.optional(named),
    removed_image_ids: v.nullish(v.array(v.string())),
    base_version: v.nullish(whole(0, Number.MAX_SAFE_INTEGER)),
  }),
  answer: listingDetail,
  ...photos,
})

/** API.md 9.3. */
export const deleteListing = call({ name: 'listing.delete', method: 'DELETE', path: 'listings/{id}/', query: null, body: null, answer: null })

/** API.md 9.4: `action` by any of its names, `desired` the end state. */
export const toggleListing = call({
  name: 'listing.toggle',
  method: 'POST',
  path: 'listings/{id}/quick-toggle/',
  query: null,
  body: v.object({ action: v.string(), desired: v.nullish(v.boolean()) }),
  answer: v.object({ id, action: v.string(), changed: v.boolean(), listing: listingDetail }),
})

/** API.md 9.5. */
export const reactivateListing = call({
  name: 'listing.reactivate',
  method: 'POST',
  path: 'listings/{id}/reactivate/',
  query: null,
  body: v.object({ add_days: v.nullish(whole(1, 90)) }),
  answer: listingDetail,
})

/** API.md 9.6. */
export const reorderImages = call({
  name: 'listing.reorder',
  method: 'PATCH',
  path: 'listings/{id}/reorder-images/',
  query: null,
  body: v.object({ image_ids: v.pipe(v.array(v.string()), v.minLength(1, 'invalid'), v.maxLength(100, 'invalid')) }),
  answer: v.object({ id, version: count, images: v.array(image) }),
})

/** A row of the owner's own list (API.md 9.7). */
const ownListing = v.object({
  ...card,
  expires_at: v.nullable(moment),
  featured_until: v.nullable(moment),
  review_reason: v.nullable(v.string()),
  sold_at: v.nullable(moment),
  version: count,
  client_id: v.nullable(v.string()),
  created_at: moment,
  contacts_total: count,
  favorites_count: count,
  unread_messages: count,
})
export type OwnListing = v.InferOutput<typeof ownListing>

/** Over all own listings, whatever part of them is asked for (API.md 9.7). */
export const ownTotals = v.object({ all: count, active: count, archived: count, pending: count, sold: count, views_total: count, views_today: count, contacts_total: count })
export type OwnTotals = v.InferOutput<typeof ownTotals>

/** API.md 9.7. */
export const myListings = call({
  name: 'listing.mine',
  method: 'GET',
  path: 'profile/my-listings/',
  access: 'signed-in',
  cache: 'personal',
  query: v.object({ status: v.optional(v.picklist(['all', ...listingStatus.options.filter((status) => status !== 'deleted')])), ordering: maybe, sort: maybe, ...pages }),
  body: null,
  answer: v.object({
    ...paged(ownListing).entries,
    totals: ownTotals,
  }),
})

/** API.md 6.2: one photo, to be used once within seven days. */
export const uploadPhoto = call({
  name: 'listing.upload',
  method: 'POST',
  path: 'uploads/',
  query: null,
  body: v.object({ client_id: clientId }),
  answer: v.object({ id, upload_id: id, client_id: v.nullable(v.string()), bytes: count, expires_at: moment, image }),
  status: 201,
  form: 'multipart',
  files: { file: 1 },
})

/** API.md 6.2. */
export const dropUpload = call({ name: 'listing.dropUpload', method: 'DELETE', path: 'uploads/{id}/', query: null, body: null, answer: null })
