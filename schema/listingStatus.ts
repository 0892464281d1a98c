import type { ListingCard, ListingStatus } from './wire/listing.ts'

export interface StatusFlags extends Readonly<
  Pick<ListingCard, 'review_status' | 'is_active' | 'is_sold' | 'is_reserved' | 'is_archived'>
> {
  readonly expires_at: Date | string | null
}

/** Of a listing that is not deleted; the first match wins [API 5.1]. */
export function statusOf(flags: StatusFlags, now: Date): Exclude<ListingStatus, 'deleted'> {
  if (flags.is_archived) return 'archived'
  if (flags.review_status !== 'approved') return flags.review_status
  if (flags.is_sold) return 'sold'
  if (flags.expires_at !== null && new Date(flags.expires_at) <= now) return 'expired'
  if (!flags.is_active) return 'inactive'
  return flags.is_reserved ? 'reserved' : 'active'
}
