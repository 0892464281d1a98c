import type { ColumnType, Generated } from 'kysely'
import type { Specs } from '#schema/wire/listing'

export interface ListingTables {
  listing: {
    id: string
    /** Short internal key, never shown; the in-memory index identifies listings by it. */
    num: Generated<number>
    seller_id: string
    category: string
    region: string
    town: string | null
    neighbourhood: string | null
    location_note: string | null
    latitude: number
    longitude: number
    title: string
    description: string
    price: number | null
    negotiable: Generated<boolean>
    condition: string | null
    /** Written as JSON text. */
    specs: ColumnType<Specs, string, string>
    contact_phone: string | null
    cover_id: string | null
    images_count: Generated<number>
    review_status: Generated<'pending' | 'approved' | 'rejected'>
    review_reason: string | null
    is_active: Generated<boolean>
    is_sold: Generated<boolean>
    is_reserved: Generated<boolean>
    is_archived: Generated<boolean>
    is_featured: Generated<boolean>
    featured_by_moderator: Generated<boolean>
    lapsed: Generated<boolean>
    seller_hidden: Generated<boolean>
    seller_verified: Generated<boolean>
    featured_until: Date | null
    expires_at: Date | null
    expiry_told_at: Date | null
    posted_at: Date | null
    sold_at: Date | null
    deleted_at: Date | null
    created_at: Date
    updated_at: Date
    version: Generated<number>
    client_id: string | null
    client_fingerprint: Buffer | null
    /** A tsvector literal from `searchVector`. */
    search: string
    /** From `labelsOf`. */
    labels: Generated<string[]>
    listed: Generated<boolean>
    readable: Generated<boolean>
  }
  listing_counter: { only_row: Generated<boolean>; last: number }
  listing_change: {
    listing_id: string
    num: number
    seller_id: string
    change: number
    public_change: number | null
    public_at: Date | null
  }
  listing_tally: {
    listing_id: string
    views_total: Generated<number>
    views_today: Generated<number>
    views_day: string | null
    contacts_total: Generated<number>
    favorites_count: Generated<number>
  }
  listing_history: {
    listing_id: string
    version: number
    at: Date
    actor: 'owner' | 'moderator' | 'server'
    action: string
    fields: Generated<string[]>
    reason: string | null
  }
  picture: {
    id: string
    owner_id: string
    hash: string
    width: number
    height: number
    formats: Generated<string[]>
    thumbhash: string | null
    color: string | null
    bytes: number
    client_id: string | null
    client_fingerprint: Buffer | null
    listing_id: string | null
    message_id: string | null
    position: number | null
    created_at: Date
    expires_at: Date | null
    removed_at: Date | null
    /** null: AVIF variants are still pending. */
    settled_at: Date | null
  }
  listing_view: { listing_id: string; viewer: string; day: string; at: Date }
  listing_contact: {
    listing_id: string
    viewer: string
    channel: 'phone' | 'whatsapp' | 'message'
    day: string
    at: Date
    visitor: boolean
    notified: Generated<boolean>
  }
  search_signal: {
    viewer: string
    day: string
    /** Empty: any. */
    category: Generated<string>
    region: Generated<string>
    price_min: number | null
    price_max: number | null
    at: Date
  }
}
