import { sql } from 'kysely'
import type { ListingDetail, Specs } from '#schema/wire/listing'
import { imageOf, type PictureFacts } from '../../../files/variants.ts'
import { plannedOnce } from '../../../db/postgres.ts'
import type { Db } from '../../../db/tables.ts'
import { refuse } from '../../../route/index.ts'
import { yearsBetween } from '../../account/user.ts'
import { cardsOf, type View } from '../card.ts'
import { reasonIn } from '../moderation/reasons.ts'
import { statusOf } from '../status.ts'

export interface Viewer extends View {
  readonly isModerator: boolean
  readonly publicUrl: string
}

interface DetailRow {
  description: string
  specs: Specs
  contact_phone: string | null
  photos: (PictureFacts & { id: string })[] | null
  followers_count: number
  items_sold: number
  joined_at: Date
  typical_response_hours: number | null
  seller_listings: number
  is_following: boolean | null
  favorites_count: number
  created_at: Date
  version: number
  client_id: string | null
  review_reason: string | null
  featured_until: Date | null
  sold_at: Date | null
  conversation_id: string | null
}

/**
 * [API 8.4]. Throws 404: `listing_unavailable` for a temporarily hidden listing, else
 * `listing_not_found`.
 */
export async function readDetail(db: Db, id: string, viewer: Viewer): Promise<ListingDetail> {
  const { me, now } = viewer
  const following =
    me === null
      ? sql`null::boolean`
      : sql`exists (select from follow f
          where f.follower_id = ${me} and f.seller_id = l.seller_id and f.ended_at is null)`
  const conversation =
    me === null
      ? sql`null::text`
      : sql`(select c.id from conversation c where c.listing_id = l.id and c.buyer_id = ${me})`
  const more = sql<DetailRow>`l.description, l.specs, l.contact_phone, s.followers_count,
    s.items_sold, s.joined_at, s.typical_response_hours,
    coalesce(t.favorites_count, 0) as favorites_count, l.created_at, l.version, l.client_id,
      l.review_reason, l.featured_until, l.sold_at,
    (select jsonb_agg(jsonb_build_object('id', x.id, 'hash', x.hash, 'width', x.width,
      'height', x.height, 'formats', x.formats, 'thumbhash', x.thumbhash, 'color', x.color) order by x.position)
      from picture x where x.listing_id = l.id and x.removed_at is null) as photos,
    (select count(*)::integer from listing o where o.seller_id = l.seller_id and o.listed
      and (o.expires_at is null or o.expires_at > ${now})) as seller_listings,
    ${following} as is_following, ${conversation} as conversation_id`
  const [found] = await cardsOf(db, sql`select ${id}::text as id`, viewer, more, plannedOnce)
  if (found === undefined) throw refuse('listing_not_found')
  const { card, row } = found
  requireSight(statusOf(row, now), card.is_owner, viewer.isModerator)
  const own = <T>(value: T): T | null => (card.is_owner ? value : null)
  return {
    ...card,
    description: row.description,
    specs: row.specs,
    images: (row.photos ?? []).map((photo, position) => imageOf(photo.id, position, photo)),
    contact_phone: own(row.contact_phone),
    seller: {
      ...card.seller,
      followers_count: row.followers_count,
      items_sold: row.items_sold,
      years_on_platform: yearsBetween(row.joined_at, now),
      date_joined: row.joined_at.toISOString(),
      typical_response_hours: row.typical_response_hours,
      listings_count: row.seller_listings,
      is_following: row.is_following,
    },
    share_url: `${viewer.publicUrl}/listings/${row.id}`,
    favorites_count: row.favorites_count,
    created_at: row.created_at.toISOString(),
    version: row.version,
    client_id: own(row.client_id),
    review_reason:
      card.is_owner || viewer.isModerator ? reasonIn(row.review_reason, viewer.language) : null,
    expires_at: own(row.expires_at?.toISOString() ?? null),
    featured_until: own(row.featured_until?.toISOString() ?? null),
    sold_at: own(row.sold_at?.toISOString() ?? null),
    conversation_id: row.conversation_id,
  }
}

/** [API 5.1]; the owner and moderators [API 4.3] see a listing in every state but deleted. */
export function requireSight(
  status: ReturnType<typeof statusOf>,
  isOwner: boolean,
  isModerator: boolean,
): void {
  if (status === 'deleted') throw refuse('listing_not_found')
  if (isOwner || isModerator) return
  if (status === 'pending' || status === 'rejected') throw refuse('listing_not_found')
  if (status === 'inactive' || status === 'archived' || status === 'expired')
    throw refuse('listing_unavailable')
}
