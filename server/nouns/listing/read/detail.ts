import { sql } from 'kysely'
import type { ListingDetail } from '#schema/wire/listing'
import { imageOf, pictureJson, type PictureFacts } from '../../../files/variants.ts'
import { plannedOnce } from '../../../db/postgres.ts'
import { columnsOf } from '../../../db/sql.ts'
import { pick } from '#schema/pick'
import type { Db, Row } from '../../../db/tables.ts'
import { refuse } from '../../../route/index.ts'
import { yearsBetween } from '../../account/user.ts'
import { cardsOf, type View } from '../card.ts'
import { reasonIn } from '../moderation/moderation.ts'
import { isFollowing } from '../../shop/person.ts'
import { countVisible } from '../search/where.ts'
import { statusOf } from '../status.ts'

export interface Viewer extends View {
  readonly isModerator: boolean
  readonly publicUrl: string
}

const LISTING = [
  'description',
  'specs',
  'contact_phone',
  'created_at',
  'version',
  'client_id',
  'review_reason',
  'featured_until',
  'sold_at',
] as const
const SELLER = ['followers_count', 'items_sold', 'joined_at', 'typical_response_hours'] as const

type DetailRow = Pick<Row<'listing'>, (typeof LISTING)[number]> &
  Pick<Row<'app_user'>, (typeof SELLER)[number]> & {
    photos: (PictureFacts & { id: string })[] | null
    seller_listings: number
    is_following: boolean | null
    favorites_count: number
    conversation_id: string | null
  }

/**
 * [API 8.4]. Throws 404: `listing_unavailable` when hidden for a time, else `listing_not_found`.
 */
export async function readDetail(db: Db, id: string, viewer: Viewer): Promise<ListingDetail> {
  const { me, now } = viewer
  const following = me === null ? sql`null::boolean` : isFollowing(me, 'l.seller_id')
  const conversation =
    me === null
      ? sql`null::text`
      : sql`(select c.id from conversation c where c.listing_id = l.id and c.buyer_id = ${me})`
  const more = sql<DetailRow>`${columnsOf('l', LISTING)}, ${columnsOf('s', SELLER)},
    coalesce(t.favorites_count, 0) as favorites_count,
    (select jsonb_agg(${pictureJson('x')} order by x.position)
      from picture x where x.listing_id = l.id and x.removed_at is null) as photos,
    ${countVisible('s.id', now)} as seller_listings,
    ${following} as is_following, ${conversation} as conversation_id`
  const [found] = await cardsOf(db, sql`select ${id}::text as id`, viewer, more, plannedOnce)
  if (found === undefined) throw refuse('listing_not_found')
  const { card, row } = found
  requireSight(statusOf(row, now), card.is_owner, viewer.isModerator)
  const own = <T>(value: T): T | null => (card.is_owner ? value : null)
  return {
    ...card,
    ...pick(row, ['description', 'specs', 'favorites_count', 'version', 'conversation_id']),
    images: (row.photos ?? []).map((photo, position) => imageOf(photo.id, position, photo)),
    contact_phone: own(row.contact_phone),
    seller: {
      ...card.seller,
      ...pick(row, ['followers_count', 'items_sold', 'typical_response_hours', 'is_following']),
      years_on_platform: yearsBetween(row.joined_at, now),
      date_joined: row.joined_at.toISOString(),
      listings_count: row.seller_listings,
    },
    share_url: `${viewer.publicUrl}/listings/${row.id}`,
    created_at: row.created_at.toISOString(),
    client_id: own(row.client_id),
    review_reason:
      card.is_owner || viewer.isModerator ? reasonIn(row.review_reason, viewer.language) : null,
    expires_at: own(row.expires_at?.toISOString() ?? null),
    featured_until: own(row.featured_until?.toISOString() ?? null),
    sold_at: own(row.sold_at?.toISOString() ?? null),
  }
}

/** [API 5.1]; owner and moderators [API 4.3] see every state but deleted. */
export function requireSight(
  status: ReturnType<typeof statusOf>,
  isOwner: boolean,
  isModerator: boolean,
) {
  if (status === 'deleted') throw refuse('listing_not_found')
  if (isOwner || isModerator) return
  if (status === 'pending' || status === 'rejected') throw refuse('listing_not_found')
  if (status === 'inactive' || status === 'archived' || status === 'expired')
    throw refuse('listing_unavailable')
}
