import { sql, type RawBuilder } from 'kysely'
import { categoryOf } from '#schema/catalogue'
import { neighbourhoodName, regionName, townName } from '#schema/places'
import type { ListingCard } from '#schema/wire/listing'
import type { Language } from '#schema/wire/shapes'
import { imageOf, PICTURE, type PictureFacts } from '../../files/variants.ts'
import { columnsOf } from '../../db/sql.ts'
import { pick } from '#schema/pick'
import { plannedOnce } from '../../db/postgres.ts'
import type { Db, Row } from '../../db/tables.ts'
import { miniOf } from '../shop/person.ts'
import { statusOf } from './status.ts'

export type View = Readonly<{
  me: string | null
  now: Date
  language: Language
}>

const SHOWN = [
  'id',
  'title',
  'price',
  'negotiable',
  'condition',
  'region',
  'town',
  'neighbourhood',
  'location_note',
  'images_count',
  'review_status',
  'is_active',
  'is_sold',
  'is_reserved',
  'is_archived',
  'is_featured',
] as const
const LISTING = [
  ...SHOWN,
  'seller_id',
  'category',
  'seller_hidden',
  'deleted_at',
  'expires_at',
  'posted_at',
  'updated_at',
] as const
const SELLER = [
  'username',
  'shop_name',
  'slug',
  'avatar',
  'verified_seller',
  'rating_count',
  'rating_sum',
] as const

/** Plain columns: building JSON costs more in the database than here. */
type CardRow = Pick<Row<'listing'>, (typeof LISTING)[number]> &
  Pick<Row<'app_user'>, (typeof SELLER)[number]> &
  Pick<Row<'listing_tally'>, 'views_total' | 'views_today'> &
  PictureFacts & {
    picture_id: string | null
    has_phone: boolean
    seller_deleted: boolean
    is_favorite: boolean | null
  }

const columns = sql`${columnsOf('l', LISTING)}, ${columnsOf('s', SELLER)}, ${columnsOf('p', PICTURE)},
  p.id as picture_id, l.contact_phone is not null as has_phone,
  s.deleted_at is not null as seller_deleted, coalesce(t.views_total, 0) as views_total`
const joins = sql`join app_user s on s.id = l.seller_id
  left join listing_tally t on t.listing_id = l.id
  left join picture p on p.id = l.cover_id and p.removed_at is null`

function personal({ me, now }: View) {
  const favourite =
    me === null
      ? sql`null::boolean`
      : sql`exists (select from favorite f where f.user_id = ${me} and f.listing_id = l.id and f.removed_at is null)`
  return sql`case when t.views_day = ${dayOf(now)}::date then t.views_today else 0 end
    as views_today, ${favourite} as is_favorite`
}

/** In Ouagadougou, which is UTC all year [API 1.1]. */
export const dayOf = (now: Date) => now.toISOString().slice(0, 10)

/**
 * In the order of `keys` (first column `id`); `more` adds columns (of `l`, `s`, `t`, `k`). `mark`:
 * `plannedOnce` for constant texts.
 */
export async function cardsOf<More = unknown>(
  db: Db,
  keys: RawBuilder<unknown>,
  view: View,
  more: RawBuilder<More> | null = null,
  mark: RawBuilder<unknown> = sql``,
) {
  const { rows } = await sql<CardRow & More>`${mark}
    with k as materialized (select *, row_number() over () as n from (${keys}) picked)
    select ${columns}, ${personal(view)}${more === null ? sql`` : sql`, ${more}`} from k
      join listing l on l.id = k.id ${joins} order by k.n`.execute(db)
  return rows.map((row) => ({ card: cardOf(row, view), row }))
}

export async function cardsById(db: Db, ids: readonly string[], view: View) {
  if (ids.length === 0) return []
  const keys = sql`select id from unnest(${ids}::text[]) as id`
  return (await cardsOf(db, keys, view, null, plannedOnce)).map(({ card }) => card)
}

/** Keys of the listings `l` among `ids` for which `shown` holds. */
export const inThisOrder = (ids: readonly string[], shown: RawBuilder<unknown>) =>
  sql`select l.id from unnest(${ids}::text[]) with ordinality as wanted(id, n)
    join listing l on l.id = wanted.id where ${shown} order by wanted.n`

function cardOf(row: CardRow, { me, now, language }: View): ListingCard {
  const slug = row.category
  return {
    ...pick(row, SHOWN),
    ...pick(row, ['has_phone', 'is_favorite', 'views_total', 'views_today']),
    currency: 'XOF',
    category: { id: slug, slug, name: categoryOf(slug)?.names[language] ?? slug },
    region_name: regionName(row.region),
    town_name: row.town === null ? null : townName(row.town),
    neighbourhood_name: row.neighbourhood === null ? null : neighbourhoodName(row.neighbourhood),
    images: row.picture_id === null ? [] : [imageOf(row.picture_id, 0, row)],
    seller: miniOf({
      ...row,
      id: row.seller_id,
      deleted: row.seller_deleted,
      suspended: row.seller_hidden,
    }),
    rating: ratingOf(row),
    status: statusOf(row, now),
    is_owner: row.seller_id === me,
    posted_at: row.posted_at?.toISOString() ?? null,
    updated_at: row.updated_at.toISOString(),
  }
}

/** null without reviews [API 10.3]. */
export function ratingOf({
  rating_count,
  rating_sum,
}: Pick<Row<'app_user'>, 'rating_count' | 'rating_sum'>): ListingCard['rating'] {
  return {
    average: rating_count === 0 ? null : Math.round((rating_sum / rating_count) * 10) / 10,
    count: rating_count,
  }
}
