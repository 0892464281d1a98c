import { sql, type RawBuilder } from 'kysely'
import { categoryOf } from '#schema/catalogue'
import { neighbourhoodName, regionName, townName } from '#schema/places'
import type { ListingCard } from '#schema/wire/listing'
import type { Language } from '#schema/wire/shapes'
import { imageOf } from '../../files/variants.ts'
import { plannedOnce } from '../../db/postgres.ts'
import type { Db } from '../../db/tables.ts'
import { miniOf } from '../shop/summary.ts'
import { statusOf } from './status.ts'

export interface View {
  readonly me: string | null
  readonly now: Date
  readonly language: Language
}

/** One row per card as plain columns: building JSON costs more in the database than here. */
interface CardRow {
  id: string
  seller_id: string
  title: string
  price: number | null
  negotiable: boolean
  condition: string | null
  category: string
  region: string
  town: string | null
  neighbourhood: string | null
  location_note: string | null
  images_count: number
  review_status: 'pending' | 'approved' | 'rejected'
  is_active: boolean
  is_sold: boolean
  is_reserved: boolean
  is_archived: boolean
  is_featured: boolean
  has_phone: boolean
  seller_hidden: boolean
  deleted_at: Date | null
  expires_at: Date | null
  posted_at: Date | null
  updated_at: Date
  username: string
  shop_name: string | null
  slug: string | null
  avatar: string | null
  verified_seller: boolean
  seller_deleted: boolean
  rating_count: number
  rating_sum: number
  views_total: number
  views_today: number
  picture_id: string | null
  hash: string
  width: number
  height: number
  formats: string[]
  thumbhash: string | null
  color: string | null
  is_favorite: boolean | null
}

const columns = sql`l.id, l.seller_id, l.title, l.price, l.negotiable, l.condition, l.category,
  l.region, l.town, l.neighbourhood,
  l.location_note, l.images_count, l.review_status, l.is_active, l.is_sold, l.is_reserved, l.is_archived, l.is_featured,
  l.contact_phone is not null as has_phone, l.seller_hidden, l.deleted_at, l.expires_at, l.posted_at, l.updated_at,
  s.username, s.shop_name, s.slug, s.avatar, s.verified_seller,
    s.deleted_at is not null as seller_deleted, s.rating_count, s.rating_sum,
  p.id as picture_id, p.hash, p.width, p.height, p.formats, p.thumbhash, p.color,
    coalesce(t.views_total, 0) as views_total`
const joins = sql`join app_user s on s.id = l.seller_id
  left join listing_tally t on t.listing_id = l.id
  left join picture p on p.id = l.cover_id and p.removed_at is null`

function personal({ me, now }: View): RawBuilder<unknown> {
  const favourite =
    me === null
      ? sql`null::boolean`
      : sql`exists (select from favorite f where f.user_id = ${me} and f.listing_id = l.id and f.removed_at is null)`
  return sql`case when t.views_day = ${dayOf(now)}::date then t.views_today else 0 end
    as views_today, ${favourite} as is_favorite`
}

/** The calendar day in Ouagadougou, which is UTC all year [API 1.1]. */
export const dayOf = (now: Date): string => now.toISOString().slice(0, 10)

/**
 * Cards in the order of `keys` (first column `id`); `more` adds columns (`l`, `s`, `t`, `k`).
 * Constant texts take `plannedOnce` as `mark`: planning costs as much as running.
 */
export async function cardsOf<More = unknown>(
  db: Db,
  keys: RawBuilder<unknown>,
  view: View,
  more: RawBuilder<More> | null = null,
  mark: RawBuilder<unknown> = sql``,
): Promise<{ card: ListingCard; row: CardRow & More }[]> {
  const { rows } = await sql<CardRow & More>`${mark}
    with k as materialized (select *, row_number() over () as n from (${keys}) picked)
    select ${columns}, ${personal(view)}${more === null ? sql`` : sql`, ${more}`} from k
      join listing l on l.id = k.id ${joins} order by k.n`.execute(db)
  return rows.map((row) => ({ card: cardOf(row, view), row }))
}

export async function cardsById(
  db: Db,
  ids: readonly string[],
  view: View,
): Promise<ListingCard[]> {
  if (ids.length === 0) return []
  const cards = await cardsOf(
    db,
    sql`select id from unnest(${[...ids]}::text[]) as id`,
    view,
    null,
    plannedOnce,
  )
  return cards.map(({ card }) => card)
}

function cardOf(row: CardRow, { me, now, language }: View): ListingCard {
  return {
    id: row.id,
    title: row.title,
    price: row.price,
    currency: 'XOF',
    negotiable: row.negotiable,
    condition: row.condition,
    category: {
      id: row.category,
      slug: row.category,
      name: categoryOf(row.category)?.names[language] ?? row.category,
    },
    region: row.region,
    region_name: regionName(row.region),
    town: row.town,
    town_name: row.town === null ? null : townName(row.town),
    neighbourhood: row.neighbourhood,
    neighbourhood_name: row.neighbourhood === null ? null : neighbourhoodName(row.neighbourhood),
    location_note: row.location_note,
    images: row.picture_id === null ? [] : [imageOf(row.picture_id, 0, row)],
    images_count: row.images_count,
    seller: miniOf({
      ...row,
      id: row.seller_id,
      deleted: row.seller_deleted,
      suspended: row.seller_hidden,
    }),
    rating: ratingOf(row),
    status: statusOf(row, now),
    review_status: row.review_status,
    is_active: row.is_active,
    is_sold: row.is_sold,
    is_reserved: row.is_reserved,
    is_archived: row.is_archived,
    is_featured: row.is_featured,
    has_phone: row.has_phone,
    is_favorite: row.is_favorite,
    is_owner: row.seller_id === me,
    views_total: row.views_total,
    views_today: row.views_today,
    posted_at: row.posted_at?.toISOString() ?? null,
    updated_at: row.updated_at.toISOString(),
  }
}

/** A seller's rating: average with one decimal, null without reviews [API 10.3]. */
export function ratingOf({
  rating_count,
  rating_sum,
}: {
  rating_count: number
  rating_sum: number
}): { average: number | null; count: number } {
  return {
    average: rating_count === 0 ? null : Math.round((rating_sum / rating_count) * 10) / 10,
    count: rating_count,
  }
}
