import { derive } from '../nouns/listing/derive.ts'
import { demoId } from './ids.ts'
import { CALENDAR, type DemoListing, EXPIRES_AFTER_DAYS } from './listing.ts'
import { personId } from './people-rows.ts'
import { photosOf } from './pictures.ts'

const DAY = 86_400_000

const pictureId = ({ n, createdAgo }: DemoListing, position: number): string =>
  demoId(CALENDAR - createdAgo, 'picture', n, position)

export function listingRow(listing: DemoListing, now: number) {
  const { subject, location, specs, status, postedAgo, soldAgo, seller } = listing
  const time = (ago: number | null) => (ago === null ? null : new Date(now - ago).toISOString())
  const fields = {
    title: listing.title,
    description: listing.description,
    category: subject.category,
    region: location.region,
    town: location.town?.slug ?? null,
    neighbourhood: location.neighbourhood?.slug ?? null,
    location_note: null,
    specs,
  }
  const expires = postedAgo === null ? null : EXPIRES_AFTER_DAYS * DAY - postedAgo
  return {
    ...fields,
    ...derive(fields),
    id: listing.id,
    seller_id: personId(seller),
    price: subject.price,
    negotiable: listing.negotiable,
    contact_phone: listing.phone,
    cover_id: listing.photos > 0 ? pictureId(listing, 0) : null,
    images_count: listing.photos,
    review_status: status === 'pending' || status === 'rejected' ? status : 'approved',
    review_reason: listing.reviewReason,
    is_sold: status === 'sold',
    is_reserved: status === 'reserved',
    is_archived: status === 'archived',
    is_featured: listing.featured,
    // Not counted in the owner's two, and in force for 90 days: a demo may run for long.
    featured_by_moderator: listing.featured,
    featured_until: listing.featured ? time(-90 * DAY) : null,
    lapsed: expires !== null && expires <= 0 && status !== 'sold',
    seller_verified: seller.verifiedSeller,
    expires_at: expires === null ? null : time(-expires),
    // No notification about an expiry long ago.
    expiry_told_at: expires !== null && expires < 3 * DAY ? time(0) : null,
    posted_at: time(postedAgo),
    sold_at: time(soldAgo),
    created_at: time(listing.createdAgo),
    updated_at: time(soldAgo ?? postedAgo ?? listing.createdAgo),
  }
}

export function tallyRow({ id, views, viewsToday }: DemoListing, favourites: number, now: number) {
  return {
    listing_id: id,
    views_total: views,
    views_today: viewsToday,
    views_day: new Date(now).toISOString().slice(0, 10),
    favorites_count: favourites,
  }
}

export function photoRows(listing: DemoListing, now: number) {
  const time = new Date(now - listing.createdAgo).toISOString()
  return photosOf(listing.n, listing.subject)
    .slice(0, listing.photos)
    .map(({ hash, width, height, bytes, thumbhash, color }, position) => ({
      id: pictureId(listing, position),
      owner_id: personId(listing.seller),
      hash,
      width,
      height,
      formats: ['webp'],
      thumbhash,
      color,
      bytes,
      listing_id: listing.id,
      position,
      created_at: time,
      settled_at: time,
    }))
}

export function attachmentOf({ n, subject }: DemoListing) {
  const photo = photosOf(n, subject).at(-1)
  if (!photo) throw new Error(`no photo of ${subject.name}`)
  const { hash, width, height, thumbhash, color } = photo
  return { hash, width, height, formats: ['webp'], thumbhash, color }
}
