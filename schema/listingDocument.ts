import type { ListingDocument, ListingMore } from './disk/documents.ts'
import {
  listingCard,
  listingMore,
  listingStatus,
  type ListingStatus,
  type Specs,
  specValue,
} from './wire/listing.ts'
import * as v from 'valibot'
import {
  amount,
  confirmedAt,
  EPOCH,
  fill,
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
import { statusOf, type StatusFlags } from './listingStatus.ts'

export function readListing(body: unknown, now: number): ListingDocument | null {
  const object = members(body)
  if (idOf(object['id']) === null || text(object['title']) === null) return null
  const pictures = images(object['images'])
  const posted = moment(object['posted_at'] ?? object['created_at'])
  const person = seller(object['seller'])
  return {
    ...fill(plain, body, {
      price: amount(object['price']) || null,
      images_count: amount(object['images_count']) ?? pictures.length,
      has_phone: flag(object['has_phone']) ?? Boolean(object['contact_phone']),
      views_total: amount(object['views_total'] ?? object['views']) ?? 0,
      posted_at: posted,
      updated_at: moment(object['updated_at']) ?? posted ?? EPOCH,
    }),
    category: slugOf(object['category']),
    ...placeOf(object),
    seller: person,
    seller_id: person.id,
    rating: ratingOf(object['rating']),
    ...stateOf(object),
    cover: pictures[0] ?? null,
    more: 'description' in object ? moreOf(object, now) : null,
    newest: -msOf(posted),
    storedAt: confirmedAt(now),
  }
}

const { entries: plain } = v.pick(listingCard, [
  'id',
  'title',
  'price',
  'negotiable',
  'condition',
  'images_count',
  'is_featured',
  'has_phone',
  'views_total',
  'views_today',
  'posted_at',
  'updated_at',
])

function moreOf(object: Members, now: number): ListingMore {
  const created_at = moment(object['created_at']) ?? new Date(now).toISOString()
  return {
    ...fill(listingMore.entries, object, { created_at }),
    specs: specsOf(object['specs']),
    images: images(object['images']),
    // Account-specific: never in the shared collection.
    seller: { ...sellerDetail(object['seller'], created_at), is_following: null },
  }
}

function slugOf(category: unknown) {
  const object = members(category)
  return (
    text(category) ??
    text(object['slug']) ??
    text(object['id']) ??
    text(object['name']) ??
    'other'
  ).slice(0, 40)
}

function placeOf(object: Members) {
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

function named(value: unknown) {
  const object = members(value)
  const name = text(object['name']) ?? text(value)
  const slug = text(object['slug']) ?? text(object['id']) ?? name
  return slug === null || name === null || slug === '' ? null : { slug, name }
}

/** Missing flags follow from the status; without one the listing is active. */
function stateOf(object: Members) {
  const status = listingStatus.options.find((one) => one === object['status'])
  const is = (name: string, one: ListingStatus) => flag(object[name]) ?? status === one
  const inReview = (value: unknown) => (value === 'pending' || value === 'rejected' ? value : null)
  const flags: Omit<StatusFlags, 'expires_at'> = {
    is_active: flag(object['is_active']) ?? status !== 'inactive',
    is_sold: is('is_sold', 'sold'),
    is_reserved: is('is_reserved', 'reserved'),
    is_archived: is('is_archived', 'archived'),
    review_status: inReview(object['review_status']) ?? inReview(status) ?? 'approved',
  }
  return { ...flags, status: status ?? statusOf({ ...flags, expires_at: null }, new Date(0)) }
}

function specsOf(value: unknown): Specs {
  const named = Object.entries(members(value))
  return Object.fromEntries(
    named.flatMap(([name, one]) => (v.is(specValue, one) ? [[name, one]] : [])),
  )
}
