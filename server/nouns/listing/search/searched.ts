import { sql } from 'kysely'
import { type Query, readFilter } from '#schema/filter'
import type { Db } from '../../../db/tables.ts'
import { dayOf } from '../card.ts'

/**
 * Records a search once per viewer, day, category and region, for recommendations [API 8.6]; one
 * without category and region carries no signal.
 */
export async function noteSearch(
  db: Db,
  query: Query,
  viewer: string | null,
  now: Date,
): Promise<void> {
  if (
    viewer === null ||
    query['ids'] !== undefined ||
    query['changed_since'] !== undefined ||
    query['seller'] !== undefined
  )
    return
  const { filter } = readFilter(query, now.getUTCFullYear())
  const [category = '', region = ''] = [filter.categories[0], filter.regions[0]]
  if (category === '' && region === '') return
  const sign = `${viewer} ${dayOf(now)} ${category} ${region}`
  if (noted.has(sign)) return
  await sql`
    insert into search_signal (viewer, day, category, region, price_min, price_max, at)
    values (${viewer}, ${dayOf(now)}::date, ${category}, ${region}, ${filter.priceMin}, ${filter.priceMax}, ${now})
    on conflict do nothing`.execute(db)
  if (noted.size >= NOTED_MAX) noted.clear()
  noted.add(sign)
}

/** Signals this process has already written: most list requests repeat a search of the same day. */
const noted = new Set<string>()
const NOTED_MAX = 20_000
