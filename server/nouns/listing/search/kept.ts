import { sql, type RawBuilder } from 'kysely'
import { readFilter } from '#schema/filter'
import type { Db } from '../../../db/tables.ts'
import { inBatches } from '../../../jobs/batches.ts'
import type { JobContext } from '../../../jobs/run.ts'
import type { Asked } from './queries.ts'
import { categoryFiltersOf } from './where.ts'

/**
 * A count of migration 046. Facet `''` counts all listings, and its values are pairs: a category
 * and a type, with a line feed between.
 */
export type Tallied = Readonly<{
  facet: string
  value: string
  n: number
}>

/** A subquery of kept counts, and of changes not yet added to them, where `condition` holds. */
export const keptRows = (condition: RawBuilder<unknown>) =>
  sql`(select facet, pair, value, n from listing_count where ${condition}
    union all select facet, pair, value, n from listing_count_change where ${condition}) kept`

/** Counts are kept for the public list, if nothing or only categories filter it. */
export const isKept = ({ filter, scope, sellerId }: Asked) =>
  scope === 'public' &&
  sellerId === null &&
  JSON.stringify({ ...filter, ...IGNORED }) === EVERYTHING

const IGNORED = { categories: [], ordering: '-posted_at', searchTooShort: false }
const EVERYTHING = JSON.stringify({ ...readFilter({}, 2026).filter, ...IGNORED })

/** null while listings that existed before migration 046 are being counted. */
export async function keptCounts(
  db: Db,
  { categories }: Asked['filter'],
  facets: readonly string[],
  now: Date,
): Promise<readonly Tallied[] | null> {
  // All pairs of a category are those from `\n` to before `\v`, the next character.
  const pairs = categoryFiltersOf(categories).map(({ category, type }) =>
    type === null
      ? sql`(pair >= ${`${category}\n`} and pair < ${`${category}\v`})`
      : sql`pair = ${`${category}\n${type}`}`,
  )
  const wanted = sql`facet = any(${facets}::text[])
    and ${pairs.length === 0 ? sql`true` : sql`(${sql.join(pairs, sql` or `)})`}`
  // `listed` stays true until the job `expire` runs, so listings that have expired are subtracted.
  const { rows } = await sql<(Tallied | { facet: null }) & { filling: boolean }>`
    select fill.filling, c.* from (select exists (select from listing_count_fill) as filling) fill
    left join (
      select facet, case facet when '' then pair else value end as value, sum(n)::integer as n
      from (select * from ${keptRows(wanted)}
        union all select c.*, -1 from listing l cross join lateral listing_counts(
          l.category, l.specs, l.region, l.town, l.condition, l.price) c
          where l.listed and l.expires_at <= ${now} and ${wanted}) every
      group by 1, 2 having sum(n) > 0) c on true`.execute(db)
  return rows[0]?.filling === true ? null : rows.filter((row) => row.facet !== null)
}

/** Most listings, or changes, of one transaction, which takes some 100 ms. */
const BATCH = 1000
const CHANGES = 10_000

/** Counts listings that existed before migration 046. Writes to them wait for one batch at most. */
export const fillCounts = (context: JobContext) =>
  inBatches(
    context,
    async (tx) => {
      const { rows } = await sql<{
        done: number
        last: number
      }>`select done, last from listing_count_fill for update`.execute(tx)
      const [fill] = rows
      if (fill === undefined) return 0
      const done = fill.done + BATCH
      await sql`insert into listing_count_change select c.facet, c.pair, c.value, count(*)
        from listing l cross join lateral (
          select * from listing_counts(l.category, l.specs, l.region, l.town, l.condition, l.price)
          union all select * from listing_words(l.search)) c
        where l.listed and l.num > ${fill.done} and l.num <= ${done} and l.num <= ${fill.last}
        group by 1, 2, 3`.execute(tx)
      const isOver = done >= fill.last
      await (
        isOver
          ? sql`delete from listing_count_fill`
          : sql`update listing_count_fill set done = ${done}`
      ).execute(tx)
      return isOver ? 1 : BATCH
    },
    BATCH,
  )

/** Processes take turns; nobody else writes the counts. */
export const addCounts = (context: JobContext) =>
  inBatches(
    context,
    async (tx) => {
      await sql`lock table listing_count in share row exclusive mode`.execute(tx)
      const { rows } = await sql<{ moved: number }>`
        with moved as (delete from listing_count_change where ctid = any(array(
          select ctid from listing_count_change limit ${CHANGES})) returning *),
        added as (insert into listing_count as c
          select facet, pair, value, sum(n) from moved group by 1, 2, 3 having sum(n) <> 0
          on conflict (facet, pair, value) do update set n = c.n + excluded.n)
        select count(*)::integer as moved from moved`.execute(tx)
      const moved = rows[0]?.moved ?? 0
      if (moved > 0) await sql`delete from listing_count where n = 0`.execute(tx)
      return moved
    },
    CHANGES,
  )
