import { sql } from 'kysely'
import { categoryOf } from '#schema/catalogue'
import type { Db, Row } from '../../../db/tables.ts'
import { refuse } from '../../../route/index.ts'
import { specLabel } from '../derive.ts'
import { requireSight } from './detail.ts'
import { statusOf } from '../status.ts'
import { visible } from '../search/where.ts'
import type { View } from '../card.ts'

/** Only the newest of a category are compared. */
const COMPARED = 500
const SIMILAR_MAX = 100

/** Ids of similar listings, best first [API 8.5]. Throws 404 like the detail. */
export async function similarTo(db: Db, id: string, { me, now }: View): Promise<string[]> {
  const model = await db.selectFrom('listing').selectAll().where('id', '=', id).executeTakeFirst()
  if (model === undefined) throw refuse('listing_not_found')
  requireSight(statusOf(model, now), model.seller_id === me, false)
  const found = await ranked(db, model, [model.category], now)
  const parent = categoryOf(model.category)?.parent ?? null
  if (found.length >= SIMILAR_MAX || parent === null) return found
  const family = (categoryOf(parent)?.categoryFilters ?? [])
    .map(({ category }) => category)
    .filter((slug) => slug !== model.category)
  return [...found, ...(await ranked(db, model, family, now))].slice(0, SIMILAR_MAX)
}

/**
 * Same brand or type weighs 2, a price within half to double 2, the same region 1; ties: newer
 * first.
 */
async function ranked(
  db: Db,
  model: Row<'listing'>,
  categories: readonly string[],
  now: Date,
): Promise<string[]> {
  const labels = ['brand', 'type'].flatMap((name) =>
    model.specs[name] === undefined ? [] : [specLabel(name, String(model.specs[name]))],
  )
  const near =
    model.price === null
      ? sql`false`
      : sql`coalesce(l.price between ${Math.ceil(model.price / 2)}
        and ${Math.min(model.price * 2, 2_147_483_647)}, false)`
  const { rows } = await sql<{ id: string }>`
    select id from (
      select l.id, l.posted_at, l.labels && ${labels}::text[] as alike, ${near} as near,
        l.region = ${model.region} as here
      from listing l
      where ${visible(now)} and l.category = any(${[...categories]}::text[]) and l.id <> ${model.id}
        and not (l.seller_id = ${model.seller_id} and lower(l.title) = lower(${model.title}))
      order by l.posted_at desc, l.id desc limit ${COMPARED}
    ) c
    order by 2 * alike::integer + 2 * near::integer + here::integer desc, posted_at desc, id desc
      limit ${SIMILAR_MAX}`.execute(db)
  return rows.map((row) => row.id)
}
