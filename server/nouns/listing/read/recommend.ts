import { sql } from 'kysely'
import { categoryOf } from '#schema/catalogue'
import type { RecommendationType } from '#schema/wire/listing'
import type { Db, Row } from '../../../db/tables.ts'
import { dayOf, type View } from '../card.ts'
import { AnswerCache } from '../../../answer-cache.ts'
import { visible } from '../search/where.ts'
import { refuse } from '../../../route/index.ts'
import { specLabel } from '../derive.ts'
import { requireSight } from './detail.ts'
import { statusOf } from '../status.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const RANKED_MAX = 500

interface Reader {
  readonly me: string | null
  readonly viewer: string | null
}

const cache = new AnswerCache<Db, Promise<string[]>>(30_000, 1000)

/** [API 8.6]; cached, so that the pages of one visit match. */
export async function recommended(db: Db, type: RecommendationType, reader: Reader, now: Date) {
  const personal =
    type === 'for_you' ? [reader.me, reader.viewer] : type === 'followed' ? [reader.me] : []
  const key = JSON.stringify([type, dayOf(now), ...personal])
  return cache.shared(db, key, now, () => ranked(db, type, reader, now))
}

async function ranked(db: Db, type: RecommendationType, reader: Reader, now: Date) {
  switch (type) {
    case 'for_you':
      return (await forYou(db, reader, now)) ?? trending(db, now)
    case 'trending':
      return trending(db, now)
    case 'recent':
      return idsOf(db, sql`select l.id from listing l where ${visible(now)} ${NEWEST}`)
    case 'featured':
      // The order changes daily, so that every listing is first at times.
      return idsOf(
        db,
        sql`select l.id from listing l where ${visible(now)} and l.is_featured
          order by md5(l.id || ${dayOf(now)}), l.id limit ${RANKED_MAX}`,
      )
    case 'followed':
      if (reader.me === null) return []
      return idsOf(
        db,
        sql`select l.id from follow f join listing l on l.seller_id = f.seller_id
          where f.follower_id = ${reader.me} and f.ended_at is null and ${visible(now)}
            and l.posted_at > ${new Date(now.getTime() - 60 * DAY_MS)} ${NEWEST}`,
      )
  }
}

const NEWEST = sql`order by l.posted_at desc, l.id desc limit ${sql.lit(RANKED_MAX)}`

async function idsOf(db: Db, query: ReturnType<typeof sql>) {
  const { rows } = await sql<{ id: string }>`${query}`.execute(db)
  return rows.map((row) => row.id)
}

/**
 * Views, favourites (weight 3) and contacts (5) with a half-life of a day; at most three per
 * seller. The newest fill the rest.
 */
function trending(db: Db, now: Date) {
  const since = new Date(now.getTime() - 72 * HOUR_MS)
  const aged = (at: ReturnType<typeof sql>) =>
    sql`power(0.5, extract(epoch from ${now}::timestamptz - ${at}) / 86400)`
  return idsOf(
    db,
    sql`with sign as (
      select listing_id, ${aged(sql`at`)} as weight from listing_view where at > ${since} and at <= ${now}
      union all select listing_id, 5 * ${aged(sql`at`)} from listing_contact where at > ${since} and at <= ${now}
      union all select listing_id, 3 * ${aged(sql`created_at`)} from favorite
        where created_at > ${since} and created_at <= ${now} and removed_at is null
    ), scored as (
      select listing_id as id, sum(weight) as score from sign group by listing_id
      union all (select l.id, 0 from listing l where ${visible(now)} ${NEWEST})
    ), best as (
      select id, max(score) as score from scored group by id order by 2 desc limit ${4 * RANKED_MAX}
    ), counted as (
      select l.id, b.score, l.posted_at, row_number() over (partition by l.seller_id
        order by b.score desc, l.posted_at desc, l.id desc) as nth
      from best b join listing l on l.id = b.id where ${visible(now)}
    )
    select id from counted where nth <= 3 order by score desc, posted_at desc, id desc limit ${RANKED_MAX}`,
  )
}

const CATEGORIES_MAX = 5
const COMPARED = 200

/** null without views, favourites and searches in 30 days. */
async function forYou(db: Db, reader: Reader, now: Date) {
  const tastes = await tastesOf(db, reader, now)
  if (tastes.length === 0) return null
  const categories = weigh(tastes.map(({ category, weight }) => [category, weight]))
  const regions = weigh(tastes.map(({ region, weight }) => [region, weight]))
  const prices = [
    ...Map.groupBy(
      tastes.filter(({ price }) => price !== null),
      ({ category }) => category,
    ),
  ].map(([category, list]) => [category, median(list.map(({ price }) => price ?? 0))] as const)
  const wanted = categories.length > 0 ? categories : [['', 1] as const]
  return idsOf(
    db,
    sql`with taste(category, weight) as (${rowsOf(wanted)}), place(region, weight) as (${rowsOf(regions)}),
      usual(category, price) as (${rowsOf(prices)}), candidate as (
        select c.*, taste.weight as liked from taste cross join lateral (
          select l.id, l.category, l.region, l.price, l.posted_at from listing l
          where ${visible(now)} and (taste.category = '' or l.category = taste.category)
            and l.seller_id <> ${reader.me ?? ''}
            and not exists (select from favorite f where f.user_id = ${reader.me}
              and f.listing_id = l.id and f.removed_at is null)
          order by l.posted_at desc, l.id desc limit ${COMPARED}
        ) c
      )
      select c.id from candidate c left join place on place.region = c.region
        left join usual on usual.category = c.category
      order by 3 * c.liked + 2 * coalesce(place.weight, 0)
        + (coalesce(c.price between usual.price / 2 and usual.price * 2, false))::integer
        + power(0.5, extract(epoch from ${now}::timestamptz - c.posted_at) / (7 * 86400)) desc,
          c.posted_at desc, c.id desc
      limit ${RANKED_MAX}`,
  )
}

async function tastesOf(db: Db, { me, viewer }: Reader, now: Date) {
  if (viewer === null) return []
  const since = new Date(now.getTime() - 30 * DAY_MS)
  const { rows } = await sql<{
    category: string
    region: string
    price: number | null
    weight: number
  }>`
    (select l.category, l.region, l.price, 1 as weight from listing_view v join listing l on l.id = v.listing_id
      where v.viewer = ${viewer} and v.at > ${since} order by v.at desc limit 200)
    union all
    (select l.category, l.region, l.price, 3 from favorite f join listing l on l.id = f.listing_id
      where f.user_id = ${me} and f.removed_at is null and f.created_at > ${since} order by f.created_at desc limit 200)
    union all
    (select category, region, case when price_min is not null and price_max is not null
      then (price_min::bigint + price_max) / 2 else coalesce(price_max, price_min) end, 2
      from search_signal where viewer = ${viewer} and at > ${since} order by at desc limit 100)`.execute(
    db,
  )
  return rows.filter(({ category }) => category === '' || categoryOf(category) !== undefined)
}

const rowsOf = (pairs: readonly (readonly [slug: string, number: number])[]) =>
  sql`select * from unnest(${pairs.map(([slug]) => slug)}::text[],
    ${pairs.map(([, number]) => number)}::float8[])`

function weigh(
  votes: readonly (readonly [name: string, weight: number])[],
): (readonly [string, number])[] {
  const sums = new Map<string, number>()
  for (const [name, weight] of votes)
    if (name !== '') sums.set(name, (sums.get(name) ?? 0) + weight)
  const all = [...sums.values()].reduce((total, weight) => total + weight, 0)
  return [...sums]
    .map(([name, weight]) => [name, weight / all] as const)
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, CATEGORIES_MAX)
}

function median(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

const SIMILAR_COMPARED = 500
const SIMILAR_MAX = 100

/** Best first [API 8.5]. Throws 404 like the detail. */
export async function similarTo(db: Db, id: string, { me, now }: View) {
  const model = await db
    .selectFrom('listing')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => refuse('listing_not_found'))
  requireSight(statusOf(model, now), model.seller_id === me, false)
  const found = await alikeIn(db, model, [model.category], now)
  const parent = categoryOf(model.category)?.parent ?? null
  if (found.length >= SIMILAR_MAX || parent === null) return found
  const family = (categoryOf(parent)?.categoryFilters ?? [])
    .map(({ category }) => category)
    .filter((slug) => slug !== model.category)
  return [...found, ...(await alikeIn(db, model, family, now))].slice(0, SIMILAR_MAX)
}

async function alikeIn(db: Db, model: Row<'listing'>, categories: readonly string[], now: Date) {
  const labels = ['brand', 'type'].flatMap((name) =>
    model.specs[name] === undefined ? [] : [specLabel(name, String(model.specs[name]))],
  )
  const near =
    model.price === null
      ? sql`false`
      : sql`coalesce(l.price between ${Math.ceil(model.price / 2)}
        and ${Math.min(model.price * 2, 2_147_483_647)}, false)`
  return idsOf(
    db,
    sql`select id from (
      select l.id, l.posted_at, l.labels && ${labels}::text[] as alike, ${near} as near,
        l.region = ${model.region} as here
      from listing l
      where ${visible(now)} and l.category = any(${categories}::text[]) and l.id <> ${model.id}
        and not (l.seller_id = ${model.seller_id} and lower(l.title) = lower(${model.title}))
      order by l.posted_at desc, l.id desc limit ${SIMILAR_COMPARED}
    ) c
    order by 2 * alike::integer + 2 * near::integer + here::integer desc, posted_at desc, id desc
      limit ${SIMILAR_MAX}`,
  )
}
