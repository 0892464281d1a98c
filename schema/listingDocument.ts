import type { ListingDocument, ListingMore } from './disk/documents.ts'
import { listingStatus, type ListingStatus, type Specs } from './wire/listing.ts'
import {
  amount,
  confirmedAt,
  EPOCH,
  flag,
  idOf,
  images,
  members,
  moment,
  msOf,
  ratingOf,
  seller,
  sellerDetail,
  text,
  type Members,
} from './tolerant.ts'
import { statusOf, type ListingFlags } from './listingStatus.ts'

/** A listing of any server's answer as the device stores it; null: not a listing. */
export function readListing(body: unknown, now: number): ListingDocument | null {
  const object = members(body)
  const id = idOf(object['id'])
  const title = text(object['title'])
  if (id === null || title === null) return null
  const pictures = images(object['images'])
  const posted = moment(object['posted_at'] ?? object['created_at'])
  const person = seller(object['seller'])
  return {
    id,
    title,
    price: amount(object['price']) || null,
    negotiable: flag(object['negotiable']) ?? false,
    condition: text(object['condition']),
    category: slugOf(object['category']),
    ...placeOf(object),
    images_count: amount(object['images_count']) ?? pictures.length,
    seller: person,
    seller_id: person.id,
    rating: ratingOf(object['rating']),
    ...stateOf(object),
    is_featured: flag(object['is_featured']) ?? false,
    has_phone: flag(object['has_phone']) ?? Boolean(object['contact_phone']),
    views_total: amount(object['views_total'] ?? object['views']) ?? 0,
    views_today: amount(object['views_today']) ?? 0,
    posted_at: posted,
    updated_at: moment(object['updated_at']) ?? posted ?? EPOCH,
    cover: pictures[0] ?? null,
    more: 'description' in object ? moreOf(object, now) : null,
    newest: -msOf(posted),
    openedAt: 0,
    storedAt: confirmedAt(now),
  }
}

/** A detail without a creation time gets the current time. */
function moreOf(object: Members, now: number): ListingMore {
  const created = moment(object['created_at']) ?? new Date(now).toISOString()
  return {
    description: text(object['description']) ?? '',
    contact_phone: text(object['contact_phone']),
    specs: specsOf(object['specs']),
    images: images(object['images']),
    // Account-specific, so never stored in the shared collection.
    seller: { ...sellerDetail(object['seller'], created), is_following: null },
    share_url: text(object['share_url']) ?? '',
    favorites_count: amount(object['favorites_count']) ?? 0,
    created_at: created,
    version: amount(object['version']) ?? 0,
    review_reason: text(object['review_reason']),
    expires_at: moment(object['expires_at']),
    featured_until: moment(object['featured_until']),
    sold_at: moment(object['sold_at']),
  }
}

/** The slug, or whatever a simpler server sends as the category. */
function slugOf(category: unknown): string {
  const object = members(category)
  return (
    text(category) ??
    text(object['slug']) ??
    text(object['id']) ??
    text(object['name']) ??
    'other'
  ).slice(0, 40)
}

type Place = Pick<
  ListingDocument,
  | 'region'
  | 'region_name'
  | 'town'
  | 'town_name'
  | 'neighbourhood'
  | 'neighbourhood_name'
  | 'location_note'
>

function placeOf(object: Members): Place {
  const place = { ...members(object['location']), ...object }
  const region = named(place['region'])
  const town = named(place['town'])
  const quarter = named(place['neighbourhood'])
  return {
    region: region?.slug ?? '',
    region_name: text(place['region_name']) ?? region?.name ?? '',
    town: town?.slug ?? null,
    town_name: text(place['town_name']) ?? town?.name ?? null,
    neighbourhood: quarter?.slug ?? null,
    neighbourhood_name: text(place['neighbourhood_name']) ?? quarter?.name ?? null,
    location_note: text(place['location_note']) ?? text(object['location']),
  }
}

/** Parses a place: a slug, a name, or an object with both. */
function named(value: unknown): { readonly slug: string; readonly name: string } | null {
  const object = members(value)
  const name = text(object['name']) ?? text(value)
  const slug = text(object['slug']) ?? text(object['id']) ?? name
  return slug === null || name === null || slug === '' ? null : { slug, name }
}

/** Missing flags are derived from the status; without one the listing is active. */
function stateOf(object: Members) {
  const status = listingStatus.options.find((one) => one === object['status'])
  const is = (name: string, one: ListingStatus) => flag(object[name]) ?? status === one
  const inReview = (value: unknown) => (value === 'pending' || value === 'rejected' ? value : null)
  const flags: Omit<ListingFlags, 'expires_at'> = {
    is_active: flag(object['is_active']) ?? status !== 'inactive',
    is_sold: is('is_sold', 'sold'),
    is_reserved: is('is_reserved', 'reserved'),
    is_archived: is('is_archived', 'archived'),
    review_status: inReview(object['review_status']) ?? inReview(status) ?? 'approved',
  }
  return { ...flags, status: status ?? statusOf({ ...flags, expires_at: null }, 0) }
}

function specsOf(value: unknown): Specs {
  return Object.fromEntries(
    Object.entries(members(value)).flatMap(([name, one]): [string, string | number | boolean][] =>
      typeof one === 'string' ||
      typeof one === 'boolean' ||
      (typeof one === 'number' && Number.isFinite(one))
        ? [[name, one]]
        : [],
    ),
  )
}
