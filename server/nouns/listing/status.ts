import type { ListingStatus } from '#schema/wire/listing'

/** Instants are Dates or, from JSON, strings. */
export interface ListingFlags {
  readonly review_status: 'pending' | 'approved' | 'rejected'
  readonly is_active: boolean
  readonly is_sold: boolean
  readonly is_reserved: boolean
  readonly is_archived: boolean
  readonly seller_hidden: boolean
  readonly deleted_at: Date | string | null
  readonly expires_at: Date | string | null
}

/**
 * [API 5.1]: the first match wins; a listing of a suspended or deleted seller is deleted for
 * everybody.
 */
export function statusOf(flags: ListingFlags, now: Date): ListingStatus {
  if (flags.deleted_at !== null || flags.seller_hidden) return 'deleted'
  if (flags.is_archived) return 'archived'
  if (flags.review_status !== 'approved') return flags.review_status
  if (flags.is_sold) return 'sold'
  if (flags.expires_at !== null && new Date(flags.expires_at) <= now) return 'expired'
  if (!flags.is_active) return 'inactive'
  return flags.is_reserved ? 'reserved' : 'active'
}
