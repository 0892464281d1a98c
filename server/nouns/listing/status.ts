import { sql } from 'kysely'
import { statusOf as statusByFlags, type StatusFlags } from '#schema/listingStatus'
import type { ListingStatus } from '#schema/wire/listing'

export interface ListingFlags extends StatusFlags {
  readonly seller_hidden: boolean
  readonly deleted_at: Date | string | null
}

/** [API 5.1]; a suspended or deleted seller's listing is deleted for everybody. */
export const statusOf = (flags: ListingFlags, now: Date): ListingStatus =>
  flags.deleted_at !== null || flags.seller_hidden ? 'deleted' : statusByFlags(flags, now)

export const FLAGS = [
  'review_status',
  'is_active',
  'is_sold',
  'is_reserved',
  'is_archived',
  'seller_hidden',
  'deleted_at',
  'expires_at',
] as const

/** `statusOf` of `listing l` in SQL. */
export const statusIn = (now: Date) => sql<ListingStatus>`case
  when l.deleted_at is not null or l.seller_hidden then 'deleted' when l.is_archived then 'archived'
  when l.review_status <> 'approved' then l.review_status when l.is_sold then 'sold'
  when l.expires_at <= ${now} then 'expired' when not l.is_active then 'inactive'
  when l.is_reserved then 'reserved' else 'active' end`
