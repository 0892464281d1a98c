import type { OwnListingDocument } from './disk/documents.ts'
import type { ListingStatus } from './wire/listing.ts'
import { msOf } from './tolerant.ts'

export type ListingFlags = Pick<
  OwnListingDocument,
  'is_archived' | 'review_status' | 'is_sold' | 'expires_at' | 'is_active' | 'is_reserved'
>

/**
 * Derives the status from flags; the first match wins [API 5.1]. Lets a toggle show before the
 * server answers.
 */
export function statusOf(listing: ListingFlags, now: number): ListingStatus {
  if (listing.is_archived) return 'archived'
  if (listing.review_status !== 'approved') return listing.review_status
  if (listing.is_sold) return 'sold'
  if (listing.expires_at !== null && msOf(listing.expires_at) <= now) return 'expired'
  if (!listing.is_active) return 'inactive'
  return listing.is_reserved ? 'reserved' : 'active'
}
